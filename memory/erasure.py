"""Erasing a person: the one thing that destroys, at the person's own wish, and proves it.

Rows, vectors, log, inbox, turns and jobs go; the person's Chroma collection is dropped and
refilled with everybody else's; both databases are vacuumed, the write-ahead log is truncated;
the logs are emptied; then every file of the data folder is searched byte by byte for what was there.
What this process keeps of texts to be quick is let go of as well. What stays is when the last person was
erased, not who: what was said before is never fetched again from where it can still be read.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Embedder
from memory.clock import Clock
from memory.forgetting import forget_texts
from memory.identifiers import shard_of
from memory.store.database import Database
from memory.store.dialects import put
from memory.store.errors import IndexUnavailable, StoreError
from memory.store.gate import some
from memory.store.index import VectorIndex
from memory.store.outbox import Outbox
from memory.store.revisions import Revisions
from memory.store.schema import events, follow_ups, inbox, leases, lore, memories, meta, outbox, people, turns

ERASED_ACTOR = "admin:erased"
"""Who archived another person's memory, once whoever it was has been erased."""

ERASED_KEY = "erased_at"
"""Where the meta table keeps when somebody was last erased."""

_TABLES = (follow_ups, outbox, events, memories, inbox, turns, people)


class ErasureUnproven(StoreError):
    """Something of the person is still found; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What was removed, by table, and how many traces were searched for in how many files."""

    removed: dict[str, int]
    traces: int
    files: int


class Eraser:
    """Erases one person from a store. Needs the index: a vector left behind would be a lie."""

    def __init__(
        self,
        database: Database,
        index: VectorIndex,
        outbox: Outbox,
        clock: Clock,
        shards: int,
        data_dir: Path | None,
        embedder: Embedder | None = None,
        kept: Revisions | None = None,
    ) -> None:
        self._database = database
        self._index = index
        self._outbox = outbox
        self._clock = clock
        self._shards = shards
        self._data_dir = data_dir
        self._embedder = embedder
        self._kept = kept

    async def erase(self, user_id: str) -> Erased:
        """Remove everything of a person and search for it. Raises ``ErasureUnproven``."""
        traces = await self._traces(user_id)
        removed = await self._remove_rows(user_id)
        await asyncio.to_thread(self._empty_logs)
        async with self._outbox.still():
            await self._rebuild_collection(user_id)
        await self._vacuum()
        files = await asyncio.to_thread(self._search, traces)
        await self._check_rows(user_id)
        forget_texts(self._embedder, self._kept)
        return Erased(removed, len(traces), files)

    async def _traces(self, user_id: str) -> frozenset[bytes]:
        """Collect what may be found nowhere afterwards: the ids that name only this person's things."""
        async with self._database.read() as connection:
            ids: set[str] = set()
            for column, owner in (
                (memories.c.id, memories.c.user_id),
                (inbox.c.id, inbox.c.user_id),
            ):
                ids.update(row[0] for row in await connection.execute(select(column).where(owner == user_id)))
            words: set[str] = set()
            for column, owner in (
                (memories.c.text, memories.c.user_id),
                (inbox.c.text, inbox.c.user_id),
                (turns.c.text, turns.c.user_id),
            ):
                mine = {row[0] for row in await connection.execute(select(column).where(owner == user_id))}
                others = {row[0] for row in await connection.execute(select(column).where(owner != user_id))}
                words |= mine - others
            kept = " ".join(
                row[0]
                for row in await connection.execute(select(turns.c.text).where(turns.c.user_id != user_id))
            )
        # short words are found by chance in any file; they rest on the rows and pages being gone
        telling = {word for word in words if len(word) >= 8 and word not in kept}
        return frozenset(trace.encode() for trace in ids | telling if len(trace) >= 8)

    async def _remove_rows(self, user_id: str) -> dict[str, int]:
        removed = {}
        async with self._database.write() as connection:
            for table in _TABLES:
                gone = await connection.execute(delete(table).where(table.c.user_id == user_id))
                removed[table.name] = gone.rowcount
            await _forget_actor(connection, user_id)
            await put(connection, meta, key=ERASED_KEY, value=self._clock.now().isoformat())
            await connection.execute(
                delete(leases).where(
                    or_(leases.c.key.endswith(f"|{user_id}"), leases.c.key.contains(f"|{user_id}|"))
                )
            )
        return removed

    async def _rebuild_collection(self, user_id: str) -> None:
        shard = shard_of(user_id, self._shards)
        async with self._database.read() as connection:
            rows = await connection.execute(select(memories.c.id, memories.c.user_id))
            neighbours = [row.id for row in rows if shard_of(row.user_id, self._shards) == shard]
            stored = await some(connection, neighbours)
        try:
            await self._index.forget_person(user_id, [(item.memory, item.vector) for item in stored.values()])
        except IndexUnavailable as error:
            raise ErasureUnproven(
                f"the rows are gone, but the vector index can't be reached ({error}); "
                "start it and run the same command again"
            ) from error

    async def _vacuum(self) -> None:
        if self._database.is_sqlite:
            async with self._database.outside_transaction() as connection:
                await connection.execute(text("VACUUM"))
                await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        else:  # the server's own files and log are its owner's to look after
            async with self._database.outside_transaction() as connection:
                for table in _TABLES:
                    await connection.execute(text(f"VACUUM {table.name}"))
        await self._index.compact()

    def _empty_logs(self) -> None:
        """Empty the log files: they hold no words, but ids of what was just removed."""
        if self._data_dir is not None:
            for file in self._data_dir.glob("*.log*"):
                os.truncate(file, 0)

    def _search(self, traces: frozenset[bytes]) -> int:
        if self._data_dir is None:
            return 0
        # the log of events is kept as JSON, which escapes what is not ASCII
        traces |= {json.dumps(trace.decode())[1:-1].encode() for trace in traces}
        searched = 0
        for file in sorted(path for path in self._data_dir.rglob("*") if path.is_file()):
            searched += 1
            if _contains_any(file, traces):
                raise ErasureUnproven(
                    f"something of the person is still found in {file.name}; "
                    "stop other programs that use the data folder and run the same command again"
                )
        return searched

    async def _check_rows(self, user_id: str) -> None:
        async with self._database.read() as connection:
            for table in _TABLES:
                left = await connection.execute(
                    select(func.count()).select_from(table).where(table.c.user_id == user_id)
                )
                if left.scalar_one():
                    raise ErasureUnproven(
                        f"new rows came in while erasing ({table.name}); run the same command again"
                    )


async def last_erasure(database: Database) -> datetime | None:
    """Return when somebody was last erased from a store; None where nobody was."""
    query = select(meta.c.value).where(meta.c.key == ERASED_KEY)
    found = await database.snapshot(lambda connection: connection.scalar(query))
    return None if found is None else datetime.fromisoformat(found)


async def _forget_actor(connection: AsyncConnection, user_id: str) -> None:
    """Take a person's id out of what they did to others as an admin; what they did stays done."""
    ending = f":{user_id}"
    for column in (lore.c.created_by, lore.c.archived_by, memories.c.archived_by, events.c.actor):
        theirs = update(column.table).where(column.endswith(ending, autoescape=True))
        await connection.execute(theirs.values({column: ERASED_ACTOR}))
    archived_by = events.c.snapshot["archived_by"].as_string()
    found = await connection.execute(
        select(events.c.seq, events.c.snapshot).where(archived_by.endswith(ending, autoescape=True))
    )
    for row in found.all():
        snapshot = {**row.snapshot, "archived_by": ERASED_ACTOR}
        await connection.execute(update(events).where(events.c.seq == row.seq).values(snapshot=snapshot))


def _contains_any(file: Path, traces: Iterable[bytes]) -> bool:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return False
    return any(trace in data for trace in traces)
