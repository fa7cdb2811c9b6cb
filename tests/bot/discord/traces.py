"""Looking for what is left of somebody: in every table, every file, every vector, every object in memory."""

from __future__ import annotations

import functools
import gc
import re
import types
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import select

from memory.store.database import Database
from memory.store.schema import metadata

_NOT_HERS = (types.ModuleType, types.FunctionType, types.CodeType, types.FrameType, type)
_FOREIGN = (
    "asyncio",
    "_asyncio",
    "aiohttp",
    "tests.",
    "_pytest",
    "selectors",
    "threading",
    "logging",
    "sqlalchemy",
)


async def in_rows(database: Database, traces: Collection[str]) -> list[str]:
    """Return the tables in which any of the traces stands, whatever the column."""
    found = []
    async with database.read() as connection:
        for table in metadata.sorted_tables:
            for row in await connection.execute(select(table)):
                whole = repr(tuple(row))
                found += [f"{table.name}: {trace}" for trace in traces if trace in whole]
    return found


def in_files(folder: Path, traces: Collection[bytes]) -> list[str]:
    """Return the files in which any of the traces stands."""
    found = []
    for file in (path for path in folder.rglob("*") if path.is_file()):
        data = file.read_bytes()
        found += [f"{file.name}: {trace[:40]!r}" for trace in traces if trace in data]
    return found


def in_memory(roots: Collection[object], traces: Collection[str]) -> list[str]:
    """Return where in the objects below some roots any of the traces stands in a text, with the way to it."""
    found, seen = [], set()
    todo: list[tuple[Any, tuple[str, ...]]] = [(root, (type(root).__name__,)) for root in roots]
    while todo:
        one, way = todo.pop()
        if id(one) in seen or isinstance(one, _NOT_HERS) or type(one).__module__.startswith(_FOREIGN):
            continue
        seen.add(id(one))
        if isinstance(one, (str, bytes)):
            text = one if isinstance(one, str) else one.decode(errors="replace")
            found += [f"{' > '.join(way[-14:])}: {trace}" for trace in traces if trace in text]
            continue
        todo.extend((each, (*way, type(each).__name__)) for each in gc.get_referents(one))
    return found


def in_caches(traces: Collection[str]) -> list[str]:
    """Return the functions whose remembered calls hold any of the traces."""
    found = []
    for one in list(gc.get_objects()):
        if isinstance(one, functools._lru_cache_wrapper):
            name = getattr(one, "__qualname__", repr(one))
            held = list(_inside(one))
            found += [f"{name}: {trace}" for trace in traces if any(trace in text for text in held)]
    for key in list(re._cache):  # type: ignore[attr-defined]
        found += [f"re: {trace}" for trace in traces if trace in repr(key)]
    return sorted(set(found))


def _inside(cached: object) -> Iterator[str]:
    seen: set[int] = set()
    todo = [each for each in gc.get_referents(cached) if not isinstance(each, _NOT_HERS)]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, _NOT_HERS):
            continue
        seen.add(id(one))
        if isinstance(one, str):
            yield one
        elif len(seen) < 200_000:
            todo.extend(gc.get_referents(one))
