"""Which evaluation a file belongs to, and what each of its rows must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.cli.rows import Row, read_rows
from bot.errors import UsageError

_ID = ("id",)
_TIME = (_ID, ("text",), ("ref",))
_PAIRS = (("a", "old"), ("b", "new"))
_MEMORIES = (_ID, ("user", "conv"), ("text", "user_text"))
_QUERIES = (("qid",), ("user", "conv"), ("question",), ("ask_time",))
_TIMELINES = (_ID, ("said",), ("ask",))
_OPERATIONS = (("conversation", "at"),)

NEEDED: Mapping[str, Sequence[Sequence[Sequence[str]]]] = {
    "time": (_TIME,),
    "relations": (_PAIRS,),
    "retrieval": (_MEMORIES, _QUERIES),
    "stale": (_TIMELINES,),
    "operations": (_OPERATIONS,),
}
"""For each evaluation what the rows of its files need, file by file; one entry counts for all files."""
_TELLING: Sequence[tuple[str, frozenset[str]]] = (
    ("operations", frozenset({"conversation"})),
    ("stale", frozenset({"said", "ask"})),
    ("queries", frozenset({"qid", "question"})),
    ("time", frozenset({"ref", "text"})),
    ("relations", frozenset({"a", "b"})),
    ("relations", frozenset({"a_hant", "b_hant"})),
    ("relations", frozenset({"old", "new"})),
    ("memories", frozenset({"id", "text"})),
    ("memories", frozenset({"id", "user_text"})),
)


def format_of(row: Row) -> str | None:
    """Return what a row is a row of: an evaluation, ``memories`` or ``queries``; None for neither."""
    return next((name for name, keys in _TELLING if keys <= row.keys()), None)


def by_format(files: Sequence[Path], folder: Path) -> dict[str, list[Sequence[Path]]]:
    """Sort files by the format of their first row; memories go with the queries given after them."""
    found: dict[str, list[Sequence[Path]]] = {}
    memories: Path | None = None
    for file in files:
        name = format_of(read_rows(folder / file)[0])
        if name is None:
            raise UsageError.of("files.no_format", file=file)
        if name == "memories":
            if memories is not None:
                raise UsageError.of("files.no_queries", file=memories)
            memories = file
        elif name == "queries":
            if memories is None:
                raise UsageError.of("files.no_memories", file=file)
            found.setdefault("retrieval", []).append((memories, file))
            memories = None
        else:
            found.setdefault(name, []).append((file,))
    if memories is not None:
        raise UsageError.of("files.no_queries", file=memories)
    return found


def check_pair(name: str, files: Sequence[Path]) -> None:
    """Refuse retrieval without its two files."""
    if name == "retrieval" and len(files) != 2:
        raise UsageError.of("files.two_needed", command="lily eval retrieval")
