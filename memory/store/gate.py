"""The live gate: the only way a memory gets into a prompt. And the owner's view, the one other read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.model import Memory, Visibility
from memory.places import Place, may_use
from memory.store.revisions import Revisions, Stored
from memory.store.rows import FIELDS, from_values, unpack
from memory.store.schema import events, memories

_FIELDS = [memories.c[name] for name in FIELDS]

__all__ = ["Stored", "allowed_in", "as_of", "comparable", "live", "newest_first", "one", "owned", "some"]

_AT_ONCE = 1000
"""Ids in one statement: no database takes any number of them."""

_OF_ONE = (
    memories.c.user_id == bindparam("user"),
    memories.c.persona_id == bindparam("persona"),
    memories.c.archived.is_(False),
)
_LIVE = (
    select(memories.c.id, memories.c.rev, memories.c.visibility, memories.c.places)
    .where(*_OF_ONE)
    .order_by(memories.c.id)
)
_COMPARABLE = select(*_FIELDS, memories.c.vector).where(*_OF_ONE).order_by(memories.c.id)


def allowed_in(memory: Memory, place: Place) -> bool:
    """Whether a memory may be used in a place: by its own visibility, else by the audience table."""
    return _allowed(memory.visibility, memory.places, place)


def live(
    connection: Connection,
    user_id: str,
    persona_id: str,
    place: Place,
    kept: Revisions | None = None,
) -> tuple[Stored, ...]:
    """Return what may be used: this person, this character, not archived, allowed in this place.

    Ordered by id, so that nothing downstream depends on the order of insertion. ``kept`` spares
    reading the words and vectors of revisions that it holds; what is live is asked each time.
    Read it through :meth:`memory.store.database.Database.snapshot`.
    """
    if kept is None:
        stored = _comparable(connection, user_id, persona_id)
        return tuple(item for item in stored if allowed_in(item.memory, place))
    rows = connection.execute(_LIVE, {"user": user_id, "persona": persona_id})
    audience = _Audience(place)
    allowed = [(row[0], row[1]) for row in rows if audience.may_hear(row[2], row[3])]
    found = kept.those_of(allowed)
    if unread := [memory_id for memory_id, _ in allowed if memory_id not in found]:
        fresh = _some(connection, unread)
        kept.keep(fresh.values())
        found |= fresh
    return tuple(found[memory_id] for memory_id, _ in allowed)


async def comparable(connection: AsyncConnection, user_id: str, persona_id: str) -> tuple[Stored, ...]:
    """Return the live memories of all places: what a new fact is compared with, never what is said.

    Ordered by id.
    """
    return await connection.run_sync(_comparable, user_id, persona_id)


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
    found = [from_values(row) for row in await connection.execute(query)]
    return tuple(sorted(found, key=lambda m: (m.created_at is not None, m.created_at or 0, m.id)))


async def one(connection: AsyncConnection, memory_id: str) -> Memory | None:
    """Return one memory by id, whatever its state (the owner's view)."""
    row = (await connection.execute(select(*_FIELDS).where(memories.c.id == memory_id))).first()
    return from_values(row) if row else None


async def some(connection: AsyncConnection, memory_ids: Collection[str]) -> dict[str, Stored]:
    """Return memories with vectors by id, whatever their state."""
    return await connection.run_sync(_some, memory_ids)


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


class _Audience:
    """Who hears what is said in a place; the lists of places repeat, so each is judged once."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._judged: dict[tuple[str, ...], bool] = {}

    def may_hear(self, visibility: str, places: Sequence[str]) -> bool:
        if visibility == Visibility.EVERYWHERE:
            return True
        said_in = tuple(places)
        judged = self._judged.get(said_in)
        if judged is None:
            judged = self._judged[said_in] = _allowed(visibility, said_in, self._place)
        return judged


def _comparable(connection: Connection, user_id: str, persona_id: str) -> tuple[Stored, ...]:
    rows = connection.execute(_COMPARABLE, {"user": user_id, "persona": persona_id})
    return tuple(Stored(from_values(row), unpack(row[-1])) for row in rows)


def _some(connection: Connection, memory_ids: Collection[str]) -> dict[str, Stored]:
    wanted, found = list(memory_ids), {}
    for start in range(0, len(wanted), _AT_ONCE):
        few = memories.c.id.in_(wanted[start : start + _AT_ONCE])
        for row in connection.execute(select(*_FIELDS, memories.c.vector).where(few)):
            found[row.id] = Stored(from_values(row), unpack(row[-1]))
    return found


def _allowed(visibility: str, places: Iterable[str], place: Place) -> bool:
    if visibility == Visibility.EVERYWHERE:
        return True
    return any(may_use(Place.parse(said_in), place) for said_in in places)
