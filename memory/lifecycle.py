"""Leaving and coming back: expiry, forgetting, pruning, restoring. Nothing here deletes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from memory.capacity import evictions
from memory.clock import Clock
from memory.follow_ups import reschedule
from memory.model import ArchivedReason, Category, Flag, Memory
from memory.policy import MemoryPolicy
from memory.store import gate
from memory.store.database import Database
from memory.store.errors import NoSuchMemory, StaleRevision
from memory.store.rows import from_row, slot_of
from memory.store.schema import memories
from memory.store.writer import Action, Writer

SYSTEM = "system"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Restored:
    """A memory that is live again, and what had to leave for it."""

    memory: Memory
    archived: tuple[Memory, ...] = ()


class Lifecycle:
    """Archives and restores memories; every step names its actor."""

    def __init__(self, database: Database, clock: Clock, policy: MemoryPolicy) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy

    async def expire(self, actor: str = SYSTEM) -> tuple[Memory, ...]:
        """Archive what has passed its ``expires_at``; returns what left."""
        now = self._clock.now()
        async with self._database.write() as connection:
            over = select(memories).where(memories.c.archived.is_(False), memories.c.expires_at <= now)
            # what somebody is changing just now waits for the next time
            query = over.order_by(memories.c.expires_at, memories.c.id).with_for_update(skip_locked=True)
            due = [from_row(row) for row in await connection.execute(query)]
            writer = Writer(connection, now, actor)
            left = tuple([await writer.archive(memory, ArchivedReason.EXPIRED) for memory in due])
            await self._align(writer)
            return left

    async def forget(self, memory_id: str, actor: str) -> Memory:
        """Archive one memory by the person's wish. An archived one is returned as it is."""
        async with self._database.write() as connection:
            writer = Writer(connection, self._clock.now(), actor)
            memory = await self._current(writer, memory_id)
            if memory.archived:
                return memory
            gone = await writer.archive(memory, ArchivedReason.FORGOTTEN)
            await self._align(writer)
            return gone

    async def restore(self, memory_id: str, actor: str) -> Restored:
        """Make an archived memory live again.

        A passed ``expires_at`` is cleared. Where its slot is taken, or a newer version of it is
        live, the two swap places; at the cap another one is evicted. A live one stays as it is.
        """
        for attempt in range(_TRIES):
            try:
                return await self._restore(memory_id, actor)
            except StaleRevision:
                if attempt == _TRIES - 1:
                    raise
        raise AssertionError("unreachable")

    async def prune_plan(
        self, user_id: str | None = None, category: Category | None = None
    ) -> tuple[tuple[Memory, ArchivedReason], ...]:
        """Return what a prune would archive, and why.

        Without a member or a category: what has expired, and what is over the cap. With either:
        everything of that member or category, names excepted, as ``pruned``.
        """
        now = self._clock.now()
        query = select(memories).where(memories.c.archived.is_(False)).order_by(memories.c.id)
        if user_id is not None:
            query = query.where(memories.c.user_id == user_id)
        if category is not None:
            query = query.where(memories.c.category == str(category))
        async with self._database.read() as connection:
            held = [from_row(row) for row in await connection.execute(query)]
        if user_id is not None or category is not None:
            return tuple((m, ArchivedReason.PRUNED) for m in held if m.category is not Category.NAME)
        expired = [m for m in held if m.expires_at is not None and m.expires_at <= now]
        gone = {m.id for m in expired}
        over = _over_the_cap((m for m in held if m.id not in gone), now, self._policy)
        return (
            *((m, ArchivedReason.EXPIRED) for m in expired),
            *((m, ArchivedReason.EVICTED) for m in over),
        )

    async def prune(self, plan: Iterable[tuple[Memory, ArchivedReason]], actor: str) -> tuple[Memory, ...]:
        """Archive what a plan names; what changed since the plan was made is left alone."""
        done = []
        async with self._database.write() as connection:
            writer = Writer(connection, self._clock.now(), actor)
            for planned, reason in plan:
                memory = await writer.current(planned.id)
                if memory is not None and memory.rev == planned.rev and not memory.archived:
                    done.append(await writer.archive(memory, reason))
            await self._align(writer)
        return tuple(done)

    async def _restore(self, memory_id: str, actor: str) -> Restored:
        now = self._clock.now()
        async with self._database.write() as connection:
            writer = Writer(connection, now, actor)
            memory = await self._current(writer, memory_id)
            if not memory.archived:
                return Restored(memory)
            left: list[Memory] = []
            held = await gate.comparable(connection, memory.user_id, memory.persona_id)
            slot = slot_of(memory)
            for other in (item.memory for item in held):
                same_slot = slot is not None and slot_of(other) == slot
                if same_slot or await _descends(writer, other, memory.id):
                    left.append(
                        await writer.archive(other, ArchivedReason.CONTRADICTED, f"swapped with {memory.id}")
                    )
            off = any(Flag.CANCELLED in other.flags for other in left)
            passed = memory.expires_at is not None and memory.expires_at <= now
            restored = await writer.change(
                memory,
                Action.RESTORED,
                f"was {memory.archived_reason}",
                archived=False,
                archived_reason=None,
                archived_at=None,
                archived_by=None,
                flags=tuple(f for f in memory.flags if not (off and f is Flag.CANCELLED)),
                expires_at=None if passed else memory.expires_at,
            )
            live = [
                item.memory for item in await gate.comparable(connection, memory.user_id, memory.persona_id)
            ]
            for evicted in evictions(live, now, self._policy, spare={memory.id}):
                left.append(await writer.archive(evicted, ArchivedReason.EVICTED))
            await self._align(writer)
            return Restored(restored, tuple(left))

    async def _align(self, writer: Writer) -> None:
        """Cancel or revive what she would ask about, with its event."""
        await reschedule(writer.connection, writer.touched, self._policy, writer.now)

    async def _current(self, writer: Writer, memory_id: str) -> Memory:
        memory = await writer.current(memory_id)
        if memory is None:
            raise NoSuchMemory(f"no memory has the id {memory_id!r}; 'lily memories' lists them")
        return memory


async def _descends(writer: Writer, memory: Memory, ancestor: str) -> bool:
    """Whether a chain of versions leads from ``memory`` back to ``ancestor``."""
    seen = {memory.id}
    parent = memory.supersedes_id
    while parent is not None and parent not in seen:
        if parent == ancestor:
            return True
        seen.add(parent)
        before = await writer.current(parent)
        parent = before.supersedes_id if before else None
    return False


def _over_the_cap(held: Iterable[Memory], now: datetime, policy: MemoryPolicy) -> list[Memory]:
    by_person: dict[tuple[str, str], list[Memory]] = {}
    for memory in held:
        by_person.setdefault((memory.user_id, memory.persona_id), []).append(memory)
    return [m for group in by_person.values() for m in evictions(group, now, policy)]
