"""The live gate: the only way a memory gets into a prompt. And the owner's view, the one other read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Vector
from memory.model import Memory, Visibility
from memory.places import Place, may_use
from memory.store.rows import from_row, unpack
from memory.store.schema import events, memories

_FIELDS = [column for column in memories.c if column.name not in {"vector", "slot"}]

_AT_ONCE = 1000
"""Ids in one statement: no database takes any number of them."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory with its vector."""

    memory: Memory
    vector: Vector


def allowed_in(memory: Memory, place: Place) -> bool:
    """Whether a memory may be used in a place: by its own visibility, else by the audience table."""
    if memory.visibility is Visibility.EVERYWHERE:
        return True
    return any(may_use(Place.parse(said_in), place) for said_in in memory.places)


async def live(
    connection: AsyncConnection, user_id: str, persona_id: str, place: Place
) -> tuple[Stored, ...]:
    """Return what may be used: this person, this character, not archived, allowed in this place.

    Ordered by id, so that nothing downstream depends on the order of insertion.
    """
    stored = await comparable(connection, user_id, persona_id)
    return tuple(item for item in stored if allowed_in(item.memory, place))


async def comparable(connection: AsyncConnection, user_id: str, persona_id: str) -> tuple[Stored, ...]:
    """Return the live memories of all places: what a new fact is compared with, never what is said.

    Ordered by id.
    """
    rows = await connection.execute(
        select(*_FIELDS, memories.c.vector)
        .where(_of(user_id, persona_id), memories.c.archived.is_(False))
        .order_by(memories.c.id)
    )
    return tuple(Stored(from_row(row), unpack(row.vector)) for row in rows)


async def owned(
    connection: AsyncConnection,
    user_id: str,
    persona_id: str | None = None,
    archived: bool | None = None,
) -> tuple[Memory, ...]:
    """Return the owner's view: everything of one person, oldest first; unknown dates count as oldest."""
    query = select(*_FIELDS).where(memories.c.user_id == user_id)
    if persona_id is not None:
        query = query.where(memories.c.persona_id == persona_id)
    if archived is not None:
        query = query.where(memories.c.archived.is_(archived))
    found = [from_row(row) for row in await connection.execute(query)]
    return tuple(sorted(found, key=lambda m: (m.created_at is not None, m.created_at or 0, m.id)))


async def one(connection: AsyncConnection, memory_id: str) -> Memory | None:
    """Return one memory by id, whatever its state (the owner's view)."""
    row = (await connection.execute(select(*_FIELDS).where(memories.c.id == memory_id))).first()
    return from_row(row) if row else None


async def some(connection: AsyncConnection, memory_ids: Collection[str]) -> dict[str, Stored]:
    """Return memories with vectors by id, whatever their state."""
    wanted, found = list(memory_ids), {}
    for start in range(0, len(wanted), _AT_ONCE):
        few = memories.c.id.in_(wanted[start : start + _AT_ONCE])
        for row in await connection.execute(select(*_FIELDS, memories.c.vector).where(few)):
            found[row.id] = Stored(from_row(row), unpack(row.vector))
    return found


async def as_of(
    connection: AsyncConnection,
    user_id: str,
    moment: datetime,
    persona_id: str | None = None,
    archived: bool | None = False,
) -> tuple[Memory, ...]:
    """Return what she knew at a moment: each memory's last snapshot in the event log.

    Live ones only; ``archived`` True gives those out of use then, None both.
    """
    query = select(events.c.memory_id, events.c.snapshot).where(
        events.c.user_id == user_id, events.c.at <= moment
    )
    if persona_id is not None:
        query = query.where(events.c.persona_id == persona_id)
    last: dict[str, Memory] = {}
    for row in await connection.execute(query.order_by(events.c.seq)):
        last[row.memory_id] = Memory.model_validate(row.snapshot)
    return tuple(memory for _, memory in sorted(last.items()) if archived in (None, memory.archived))


def newest_first(found: Sequence[Memory]) -> tuple[Memory, ...]:
    """Order for people to read: newest first, unknown dates last."""
    return tuple(
        sorted(
            found,
            key=lambda m: (m.created_at is None, -(m.created_at.timestamp() if m.created_at else 0), m.id),
        )
    )


def _of(user_id: str, persona_id: str) -> ColumnElement[bool]:
    return and_(memories.c.user_id == user_id, memories.c.persona_id == persona_id)
