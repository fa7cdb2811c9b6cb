"""What SQLite and PostgreSQL spell differently from the rest."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from sqlalchemy import Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def insert_if_absent(connection: AsyncConnection, table: Table, **values: Any) -> bool:
    """Insert a row unless a unique key is taken; tells whether it was inserted."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    result = await connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())
    return result.rowcount == 1


async def put(connection: AsyncConnection, table: Table, **values: Any) -> None:
    """Insert a row, or overwrite the one with its primary key."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    keys = [column.name for column in table.primary_key]
    changed = {name: value for name, value in values.items() if name not in keys}
    await connection.execute(
        dialect.insert(table).values(**values).on_conflict_do_update(index_elements=keys, set_=changed)
    )


async def hold_alone(connection: AsyncConnection, what: str) -> None:
    """Hold a piece of work alone until this write transaction ends, across processes.

    In SQLite whoever writes is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        number = int.from_bytes(blake2b(what.encode(), digest_size=8).digest(), "big", signed=True)
        await connection.execute(select(func.pg_advisory_xact_lock(number)))
