"""``lily eval``: score a set, show the measures, write what was decided."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from bot.cli.env import Env
from bot.cli.rows import Row, in_script, read_rows, write_rows
from bot.errors import UsageError

STOPS_AT_ONCE = True
"""Ctrl-C ends it wherever it is: nothing is held open."""

_ID = ("id",)
_TIME = (_ID, ("text",), ("ref",))
_PAIRS = (("a", "old"), ("b", "new"))
_MEMORIES = (_ID, ("user", "conv"), ("text", "user_text"))
_QUERIES = (("qid",), ("user", "conv"), ("question",), ("ask_time",))
_TIMELINES = (_ID, ("said",), ("ask",))
_PREDICTED = {
    "time": ("id", "start", "end", "precision", "rule"),
    "relations": ("id", "relation", "why"),
    "retrieval": ("qid", "ranked"),
    "stale": ("id", "arm", "stale", "missing", "wrong_phase", "context"),
}


async def run(arguments: Namespace, env: Env) -> int:
    """Print one object of measures."""
    score = _SCORERS[arguments.what]
    if not arguments.files and arguments.what != "stale":
        raise UsageError.of("usage.required", command="lily eval", arguments="FILE")
    try:
        report, predictions = await score(arguments, env)
    except (ValueError, LookupError) as error:
        files = ", ".join(map(str, arguments.files))
        raise UsageError.of("files.wrong_rows", file=files, cause=str(error)) from error
    if arguments.predictions is not None:
        keys = _PREDICTED[arguments.what]
        rows = [{key: row[key] for key in keys} for row in map(_mapping, predictions)]
        write_rows(env.cwd / arguments.predictions, rows)
    if env.out.json:
        env.out.row(report)
    else:
        columns = [env.catalog.text("cli.eval.measure"), env.catalog.text("cli.eval.value")]
        env.out.table(columns, [(name, _shown(value)) for name, value in _flat(report)])
    return 0


async def _time(arguments: Namespace, env: Env) -> tuple[dict[str, Any], Sequence[Any]]:
    from memory.evaluation.time import evaluate_time

    rows = [row for file in arguments.files for row in _read(file, _TIME, arguments, env)]
    report = _mapping(evaluate_time(rows))
    predictions = report.pop("predictions")
    return report, predictions


async def _relations(arguments: Namespace, env: Env) -> tuple[dict[str, Any], Sequence[Any]]:
    from bot.models import open_models
    from memory.evaluation.relations import evaluate_relations

    rows = [row for file in arguments.files for row in _read(file, _PAIRS, arguments, env)]
    async with open_models(env.settings) as models:
        report = _mapping(await evaluate_relations(rows, models.memory.judge, models.memory.embedder))
    predictions = report.pop("predictions")
    return report, predictions


async def _retrieval(arguments: Namespace, env: Env) -> tuple[dict[str, Any], Sequence[Any]]:
    if len(arguments.files) != 2:
        raise UsageError.of("files.two_needed", command="lily eval retrieval")
    from bot.models import open_models
    from memory.evaluation.retrieval import evaluate_retrieval
    from memory.reading import read_message

    memories = _read(arguments.files[0], _MEMORIES, arguments, env)
    queries = _read(arguments.files[1], _QUERIES, arguments, env)
    async with open_models(env.settings) as models:
        report = await evaluate_retrieval(memories, queries, models.memory.embedder, read_message)
    return report.as_dict(), report.predictions


async def _stale(arguments: Namespace, env: Env) -> tuple[dict[str, Any], Sequence[Any]]:
    from bot.models import open_models
    from bot.settings.policy import memory_policy
    from memory.evaluation.stale import evaluate_stale
    from memory.evaluation.timelines import FILES

    files = arguments.files or FILES
    rows = [row for file in files for row in _read(file, _TIMELINES, arguments, env)]
    async with open_models(env.settings) as models:
        report = _mapping(await evaluate_stale(rows, models.memory, memory_policy(env.settings)))
    predictions = report.pop("predictions")
    return report, predictions


_SCORERS = {"time": _time, "relations": _relations, "retrieval": _retrieval, "stale": _stale}


def _read(file: Path, needed: Sequence[Sequence[str]], arguments: Namespace, env: Env) -> list[Row]:
    return in_script(read_rows(env.cwd / file, needed), simplified=arguments.simplified)


def _mapping(value: Any) -> dict[str, Any]:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else dict(value)


def _flat(report: Mapping[str, Any], above: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in report.items():
        name = f"{above}{key}"
        found += _flat(value, f"{name} · ") if isinstance(value, Mapping) else [(name, value)]
    return found


def _shown(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value
