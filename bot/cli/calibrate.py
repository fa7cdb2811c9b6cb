"""``lily calibrate``: an embedder's thresholds from labelled pairs, to paste or to put into the settings."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.cli.calibrate_write import ThresholdsNotStored, put_thresholds, threshold_lines
from bot.cli.env import Env
from bot.cli.evaluate_files import NEEDED, by_format
from bot.cli.rows import Row, in_script, read_rows
from bot.errors import UsageError, UserError

STOPS_AT_ONCE = True
"""Ctrl-C ends it wherever it is: the settings file is replaced in one step."""

CONFIG = Path("config.yaml")
_MEASURES = {"duplicate": "others_below", "gray": "covered", "floor": "kept"}


async def run(arguments: Namespace, env: Env) -> int:
    """Measure, choose, show what to paste; with ``--write`` put it where the settings read it."""
    from bot.models import open_models
    from bot.settings.policy import memory_policy
    from bot.settings.sections import EmbedderName
    from memory.evaluation.calibration import NotEnough, calibrate

    given = by_format(arguments.files, env.cwd)
    if set(given) - {"relations", "retrieval"} or "relations" not in given:
        raise UsageError.of("files.no_pairs", command="lily calibrate")
    shown = ", ".join(map(str, arguments.files))
    name = EmbedderName(arguments.embedder) if arguments.embedder else None
    try:
        async with open_models(env.settings, embedder=name) as models:
            embedder = models.memory.embedder
            distances, labels, related, unrelated = await _measured(given, embedder, env)
            space = embedder.identity.name
        found = calibrate(distances, labels, related, unrelated, cover=arguments.cover)
    except NotEnough as error:
        raise UsageError.of("files.not_enough", files=shown, cause=str(error)) from error
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise UsageError.of("files.wrong_rows", file=shown, cause=str(error)) from error
    kept = memory_policy(env.settings).thresholds_for(space).floor
    today = env.clock.now().date().isoformat()
    figures: dict[str, Any] = {
        "duplicate": found.duplicate.value,
        "gray": found.gray.value,
        "floor": found.floor.value if found.floor else kept,
        "source": f"{found.pairs} pairs, {len(related)} questions: "
        f"{', '.join(file.name for file in arguments.files)}; lily calibrate {today}",
    }
    report = {"embedder": space, **found.as_dict(), "thresholds": figures}
    if env.out.json:
        env.out.row(report)
    else:
        _show(report, kept, env)
    if arguments.write:
        _write(space, figures, env)
    return 0


async def _measured(
    given: dict[str, list[Sequence[Path]]], embedder: Any, env: Env
) -> tuple[list[float], list[Any], list[float], list[float]]:
    """Return distances and labels of the pairs, similarities of what belongs together and what doesn't."""
    from memory.evaluation.relations import labelled_distances
    from memory.evaluation.retrieval import question_similarities
    from memory.relations.types import Relation

    def rows(file: Path, place: int, name: str) -> list[Row]:
        return in_script(read_rows(env.cwd / file, NEEDED[name][place]))

    pairs = [row for (file,) in given["relations"] for row in rows(file, 0, "relations")]
    measured = await labelled_distances(pairs, embedder)
    related: list[float] = []
    unrelated: list[float] = []
    for memories, queries in given.get("retrieval", ()):
        near, far = await question_similarities(
            rows(memories, 0, "retrieval"), rows(queries, 1, "retrieval"), embedder
        )
        related, unrelated = related + near, unrelated + far
    if not related and any(one.unrelated for one in measured):
        related = [1 - one.distance for one in measured if one.label is Relation.DUPLICATE]
        unrelated = [1 - one.distance for one in measured if one.unrelated]
    return [one.distance for one in measured], [one.label for one in measured], related, unrelated


def _show(report: dict[str, Any], kept: float, env: Env) -> None:
    def text(key: str, **values: object) -> str:
        return env.catalog.text(f"cli.calibrate.{key}", **values)

    rows = []
    for name, measure in _MEASURES.items():
        figure = report[name]
        if figure is None:
            continue
        low, high = figure["confidence_95"]
        held, bound = figure[f"{measure}_held_out"], figure[f"{measure}_at_worst"]
        rows.append(
            (name, figure["value"], f"{low} – {high}", text(measure, share=f"{held:.1%}"), f"{bound:.1%}",
             figure["rows"])
        )  # fmt: skip
    columns = env.catalog.get("cli.calibrate.columns")
    env.out.table(columns, rows, title=text("title", embedder=report["embedder"], pairs=report["pairs"]))
    if report["floor"] is None:
        env.out.say(text("no_floor", floor=kept))
    else:
        env.out.say(text("kept_out", share=f"{report['unrelated_kept_out']:.1%}"))
    env.out.say(text("paste"))
    env.out.say("memory:\n  thresholds:")
    for line in threshold_lines(report["embedder"], report["thresholds"], "    "):
        env.out.say(line)


def _write(space: str, figures: dict[str, Any], env: Env) -> None:
    """Put the thresholds into the settings file in use, and see that the settings then hold them."""
    from bot.settings import load_settings

    path = env.cwd / (env.config or CONFIG)

    def check(text: Path) -> None:
        row = load_settings(text, env.environ, env.cwd).memory.thresholds.get(space)
        if row is None or row.model_dump() != figures:
            raise ThresholdsNotStored("they are not what the settings then hold")

    try:
        put_thresholds(path, space, figures, check)
    except ThresholdsNotStored as error:
        raise UsageError.of("files.not_stored", file=path.name, cause=str(error)) from error
    except UserError as error:
        causes = "; ".join(error.texts(env.catalog))
        raise UsageError.of("files.not_stored", file=path.name, cause=causes) from error
    env.out.note(env.catalog.text("cli.calibrate.written", file=path.name, embedder=space))
