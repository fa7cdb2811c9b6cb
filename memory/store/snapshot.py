"""A consistent copy of all facts in one SQLite file, whatever database they live in; and the way back.

A SQLite store is copied by SQLite itself (its online backup: one read transaction, writers are not
held up). A PostgreSQL store is read row by row in one repeatable-read transaction. So a copy of either
goes into either: that is also how a store moves to a server. Vectors are rows; the index is refilled
from them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from sqlalchemy import JSON, MetaData, Table, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.store.database import Database, open_database
from memory.store.errors import StoreDamaged, StoreError, StoreUnavailable
from memory.store.schema import leases, lore, memories, meta, metadata, outbox

_BATCH = 500
_BUSY_SECONDS = 30.0
_TRANSIENT = (leases, outbox)
_MADE_ANEW = {meta.name: meta.c.key.in_(("embedder", "erased_at")), lore.name: lore.c.title.is_(None)}
"""Rows that nobody has written: whose the vectors are, when somebody was erased, a character's own lore."""


def _exact() -> Mapping[str, Table]:
    """Return the tables with SQL's NULL kept apart from JSON's, as copied rows need it."""
    copied = MetaData()
    for table in metadata.sorted_tables:
        for column in table.to_metadata(copied).columns:
            if isinstance(column.type, JSON):
                column.type = JSON(none_as_null=True)
    return {table.name: copied.tables[table.name] for table in metadata.sorted_tables}


_TABLES = _exact()


async def take(database: Database, file: Path) -> None:
    """Copy every fact as of one moment into a new SQLite file. Raises ``StoreError`` kinds."""
    if database.file is not None:
        await asyncio.to_thread(_copy_file, database.file, file)
        return
    async with (
        open_database(f"sqlite:///{file}") as copy,
        database.read() as source,
        copy.write() as target,
    ):
        await source.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
        await _copy_rows(source, target)


async def make_ready(file: Path) -> dict[str, int]:
    """Check a copy and make it ready to be put back; returns its rows by table.

    Its schema is brought up to date, leases of processes that are gone are dropped, and every memory
    waits for the index, so that even an interrupted refill ends well. Raises ``StoreNewer`` or
    ``StoreDamaged``.
    """
    await asyncio.to_thread(check_file, file)
    async with open_database(f"sqlite:///{file}") as copy, copy.write() as connection:
        await connection.execute(delete(leases))
        await connection.execute(delete(outbox))
        await connection.execute(
            insert(outbox).from_select(
                ["memory_id", "user_id"], select(memories.c.id, memories.c.user_id).order_by(memories.c.id)
            )
        )
        return await count_rows(connection)


def check_file(file: Path) -> None:
    """Refuse a file that is damaged or is no store of ours: tables and their indexes are all it may hold."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            kinds = {row[0] for row in connection.execute("SELECT DISTINCT type FROM sqlite_master")}
            known = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    except sqlite3.Error as error:
        raise StoreDamaged(f"the copy of the facts is damaged ({error}); use another back-up") from error
    if verdict != "ok":
        raise StoreDamaged(f"the copy of the facts is damaged ({verdict}); use another back-up")
    if not kinds <= {"table", "index"} or memories.name not in known:
        raise StoreDamaged("the copy of the facts is no store of Lily; use another back-up")


async def put_back(database: Database, file: Path) -> None:
    """Make a store hold exactly what a copy holds, in one transaction: all of it, or what was there before.

    The copy comes from ``make_ready``. Raises ``StoreError`` kinds.
    """
    if database.file is not None:
        await asyncio.to_thread(_copy_file, file, database.file)
        return
    async with (
        open_database(f"sqlite:///{file}") as copy,
        copy.read() as source,
        database.write() as target,
    ):
        for table in [*_TABLES.values()][::-1]:
            await target.execute(delete(table))
        await _copy_rows(source, target)
        await _go_on_counting(target)


async def facts_in(database: Database) -> int:
    """Return how many rows would be lost if the store were replaced: all that somebody said or set."""
    async with database.read() as connection:
        counts = await count_rows(connection)
        lost = sum(counts[name] for name in _TABLES.keys() - {table.name for table in _TRANSIENT})
        for name, condition in _MADE_ANEW.items():
            own = select(func.count()).select_from(metadata.tables[name]).where(condition)
            lost -= int((await connection.execute(own)).scalar_one())
    return lost


async def count_rows(connection: AsyncConnection) -> dict[str, int]:
    """Return the number of rows of each table."""
    return {
        name: int((await connection.execute(select(func.count()).select_from(table))).scalar_one())
        for name, table in _TABLES.items()
    }


def _copy_file(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(source, timeout=_BUSY_SECONDS)) as reading,
            closing(sqlite3.connect(target, timeout=_BUSY_SECONDS)) as writing,
        ):
            writing.execute("PRAGMA secure_delete=ON")
            reading.backup(writing)  # all pages in one step: one transaction on either side
    except sqlite3.Error as error:
        raise StoreUnavailable(
            f"{source} can't be copied to {target} ({error}); "
            "check the free space and the permissions, and that no other program holds the file"
        ) from error


async def _copy_rows(source: AsyncConnection, target: AsyncConnection) -> None:
    for table in _TABLES.values():
        try:
            rows = await source.stream(select(table).order_by(*table.primary_key.columns))
            async for part in rows.mappings().partitions(_BATCH):
                await target.execute(insert(table), [dict(row) for row in part])
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).partition("\n")[0]
            raise StoreError(
                f"table {table.name} can't be copied ({type(error).__name__}: {cause}); nothing was changed"
            ) from error


async def _go_on_counting(connection: AsyncConnection) -> None:
    """Let PostgreSQL's counters go on where the copied rows end."""
    for table in _TABLES.values():
        if "seq" in table.c:
            last = (await connection.execute(select(func.max(table.c.seq)))).scalar()
            if last is not None:
                await connection.execute(
                    text("SELECT setval(pg_get_serial_sequence(:table, 'seq'), :last)"),
                    {"table": table.name, "last": last},
                )
