"""``lily eval``: score a set, show the measures, write what was decided."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bot.cli.env import Env
from bot.cli.evaluate_files import NEEDED, by_format, check_pair
from bot.cli.rows import Row, in_script, read_rows, write_rows
from bot.errors import Line, UsageError

if TYPE_CHECKING:
    from bot.settings import Provider, Settings

STOPS_AT_ONCE = True
"""Ctrl-C ends it wherever it is: what is open lives in a folder that goes with it."""

ALL = "all"
_PREDICTED = {
    "time": ("id", "start", "end", "precision", "rule"),
    "relations": ("id", "relation", "why"),
    "retrieval": ("qid", "ranked"),
    "stale": ("id", "arm", "stale", "missing", "wrong_phase", "context"),
    "operations": ("conversation", "line", "say", "stored", "archived", "skipped", "wrong"),
}
_HEADLINES = {
    "time": ("rows", "exact", "day", "unresolved_kept", "wrong_on_unresolved"),
    "relations": ("rows", "macro_f1", "accuracy", "false_retire", "missed_contradiction"),
    "retrieval": ("queries", "recall@5", "recall@10", "hit@1", "ndcg@10"),
    "stale": ("rows", "stale", "missing", "wrong_phase", "failures"),
    "operations": (
        "conversations", "lines", "precision", "recall", "correct_updates", "missed_contradiction", "retired",
        "invented", "duplicates",
    ),
}  # fmt: skip

Scored = tuple[dict[str, Any], Sequence[Any]]
Rows = Sequence[Sequence[Row]]
"""The rows of each file, in the order in which the files were given."""


async def run(arguments: Namespace, env: Env) -> int:
    """Print one object of measures; with ``all`` one for each evaluation, and one that sums them up."""
    settings = _settings(arguments, env)
    if arguments.what == ALL:
        return await _all(arguments, env, settings)
    files = await _files(arguments.what, arguments.files)
    report, predictions = await _score(arguments.what, files, arguments, env, settings)
    if arguments.predictions is not None:
        keys = _PREDICTED[arguments.what]
        rows = [{key: row[key] for key in keys} for row in map(_mapping, predictions)]
        write_rows(env.cwd / arguments.predictions, rows)
    if env.out.json:
        env.out.row(report)
    else:
        _show(report, env)
    return 0


async def _all(arguments: Namespace, env: Env, settings: Settings) -> int:
    """Score everything that is packaged, and the files given by their format."""
    if arguments.predictions is not None:
        raise UsageError.of("usage.unrecognized", command="lily eval all", arguments="--predictions")
    given = by_format(arguments.files, env.cwd)
    summary: dict[str, Any] = {}
    started = perf_counter()
    for name in _SCORERS:
        sets = [("packaged", await _files(name, ())), *(("given", files) for files in given.get(name, ()))]
        for origin, files in sets:
            began = perf_counter()
            report, _ = await _score(name, files, arguments, env, settings)
            seconds = round(perf_counter() - began, 1)
            named = [file.name for file in files]
            head = {"eval": name, "set": origin, "files": named, "seconds": seconds}
            if env.out.json:
                env.out.row({**head, **report})
            else:
                env.out.say(f"{name} · {', '.join(named)} · {seconds} s")
                env.out.table(_columns(env), [(key, _shown(report[key])) for key in _HEADLINES[name]])
            env.out.stdout.flush()
            summary.setdefault(name, []).append(
                {"set": origin, "seconds": seconds, **{key: report[key] for key in _HEADLINES[name]}}
            )
    if env.out.json:
        env.out.row({"eval": ALL, "seconds": round(perf_counter() - started, 1), "summary": summary})
    return 0


async def _files(name: str, given: Sequence[Path]) -> Sequence[Path]:
    from memory.evaluation.sets import BY_NAME

    return given or BY_NAME[name]


async def _score(
    name: str, files: Sequence[Path], arguments: Namespace, env: Env, settings: Settings
) -> Scored:
    check_pair(name, files)
    needed = NEEDED[name]
    rows = [
        in_script(read_rows(env.cwd / file, needed[place % len(needed)]), simplified=arguments.simplified)
        for place, file in enumerate(files)
    ]
    try:
        return await _SCORERS[name](rows, settings)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        shown = ", ".join(map(str, files))
        raise UsageError.of("files.wrong_rows", file=shown, cause=str(error)) from error


async def _time(rows: Rows, settings: Settings) -> Scored:
    from memory.evaluation.time import evaluate_time

    return _parted(evaluate_time(_joined(rows)))


async def _relations(rows: Rows, settings: Settings) -> Scored:
    from bot.models import open_models
    from memory.evaluation.relations import evaluate_relations

    async with open_models(settings) as models:
        return _parted(await evaluate_relations(_joined(rows), models.memory.judge, models.memory.embedder))


async def _retrieval(rows: Rows, settings: Settings) -> Scored:
    from bot.models import open_models
    from memory.evaluation.retrieval import evaluate_retrieval
    from memory.reading import read_message

    memories, queries = rows
    async with open_models(settings) as models:
        report = await evaluate_retrieval(memories, queries, models.memory.embedder, read_message)
    return report.as_dict(), report.predictions


async def _stale(rows: Rows, settings: Settings) -> Scored:
    from bot.models import open_models
    from bot.settings.policy import memory_policy
    from memory.evaluation.stale import evaluate_stale

    async with open_models(settings) as models:
        return _parted(await evaluate_stale(_joined(rows), models.memory, memory_policy(settings)))


async def _operations(rows: Rows, settings: Settings) -> Scored:
    from bot.cli.evaluate_operations import score_operations

    return await score_operations(_joined(rows), settings)


_SCORERS: Mapping[str, Callable[[Rows, Any], Awaitable[Scored]]] = {
    "time": _time,
    "relations": _relations,
    "retrieval": _retrieval,
    "stale": _stale,
    "operations": _operations,
}


def _settings(arguments: Namespace, env: Env) -> Settings:
    """Return the settings with the models asked for; ``all`` is offline unless others are named."""
    from bot.settings.sections import Provider

    named = arguments.models or ("offline" if arguments.what == ALL else None)
    if named is None:
        return env.settings
    provider = Provider(named)
    _check_named(provider, env.settings)
    models = env.settings.models.model_copy(
        update={"chat": provider, "extractor": provider, "judge": provider}
    )
    return env.settings.model_copy(update={"models": models})


def _check_named(provider: Provider, settings: Settings) -> None:
    """Refuse models that the settings leave without a key, an address or a name."""
    from bot.settings.sections import Provider

    secrets, named = settings.secrets, settings.models.openai
    lines = []
    if provider is Provider.GEMINI and not secrets.gemini_api_key:
        lines.append(_needs(provider, "GEMINI_API_KEY"))
    if provider is Provider.OPENAI:
        if not (secrets.openai_api_key or secrets.openai_base_url):
            lines.append(_needs(provider, "OPENAI_API_KEY / OPENAI_BASE_URL"))
        lines += [
            Line.of("settings.needs_name", field=f"models.openai.{role}", other="--models")
            for role in ("chat", "extractor", "judge")
            if getattr(named, role) is None
        ]
    if lines:
        raise UsageError(lines)


def _needs(provider: Provider, secret: str) -> Line:
    return Line.of("settings.needs_secret", field="--models", value=provider.value, secret=secret)


def _joined(rows: Rows) -> list[Row]:
    return [row for file in rows for row in file]


def _parted(report: Any) -> Scored:
    figures = _mapping(report)
    return figures, figures.pop("predictions")


def _mapping(value: Any) -> dict[str, Any]:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else dict(value)


def _show(report: Mapping[str, Any], env: Env) -> None:
    env.out.table(_columns(env), [(name, _shown(value)) for name, value in _flat(report)])


def _columns(env: Env) -> list[str]:
    return [env.catalog.text("cli.eval.measure"), env.catalog.text("cli.eval.value")]


def _flat(report: Mapping[str, Any], above: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in report.items():
        name = f"{above}{key}"
        found += _flat(value, f"{name} · ") if isinstance(value, Mapping) else [(name, value)]
    return found


def _shown(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value
