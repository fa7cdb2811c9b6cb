"""The one way into the store: every change of a memory passes here, in one transaction with its log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Vector
from memory.model import ArchivedReason, Memory
from memory.store.errors import StaleRevision
from memory.store.rows import from_row, pack, to_row
from memory.store.schema import events, memories, outbox


class Action(StrEnum):
    """What a line of the event log records."""

    STORED = "stored"
    CONFIRMED = "confirmed"
    OUTCOME = "outcome"
    EDITED = "edited"
    ARCHIVED = "archived"
    RESTORED = "restored"
    IMPORTED = "imported"


@dataclass
class Writer:
    """Writes memories inside the caller's transaction.

    Each change appends a snapshot to the event log and a line to the outbox. An update names the
    revision it was planned on; :class:`StaleRevision` tells that somebody was faster.
    """

    connection: AsyncConnection
    now: datetime
    actor: str
    touched: list[Memory] = field(default_factory=list)

    async def add(
        self, memory: Memory, vector: Vector, cause: str = "", action: Action = Action.STORED
    ) -> bool:
        """Store a new memory; False where its id is already there (the same message twice)."""
        known = await self.connection.execute(select(memories.c.id).where(memories.c.id == memory.id))
        if known.first() is not None:
            return False
        try:
            await self.connection.execute(insert(memories).values(**to_row(memory), vector=pack(vector)))
        except IntegrityError as error:
            raise StaleRevision(f"{memory.id}: its slot has been taken meanwhile") from error
        await self._log(memory, action, cause)
        return True

    async def change(self, before: Memory, action: Action, cause: str = "", **fields: Any) -> Memory:
        """Write new field values over the revision ``before``; returns the new revision."""
        after = Memory.model_validate({**before.model_dump(), **fields, "rev": before.rev + 1})
        try:
            result = await self.connection.execute(
                update(memories)
                .where(memories.c.id == before.id, memories.c.rev == before.rev)
                .values(**to_row(after))
            )
        except IntegrityError as error:
            raise StaleRevision(f"{before.id}: its slot has been taken meanwhile") from error
        if result.rowcount != 1:
            raise StaleRevision(f"{before.id}: revision {before.rev} is no longer the newest")
        await self._log(after, action, cause)
        return after

    async def archive(self, before: Memory, reason: ArchivedReason, cause: str = "", **fields: Any) -> Memory:
        """Take a memory out of use, reversibly, with reason, time and actor."""
        return await self.change(
            before, Action.ARCHIVED, cause or str(reason), **fields, **self._archived(reason)
        )

    def as_archived(self, memory: Memory, reason: ArchivedReason) -> Memory:
        """Return a memory that is stored out of use from the start: newer words were there first."""
        return memory.model_copy(update=self._archived(reason))

    async def current(self, memory_id: str) -> Memory | None:
        """Return the newest revision of a memory, and hold it until this transaction ends."""
        query = select(memories).where(memories.c.id == memory_id).with_for_update()
        row = (await self.connection.execute(query)).first()
        return from_row(row) if row else None

    def _archived(self, reason: ArchivedReason) -> dict[str, Any]:
        return {
            "archived": True,
            "archived_reason": reason,
            "archived_at": self.now,
            "archived_by": self.actor,
        }

    async def _log(self, memory: Memory, action: Action, cause: str) -> None:
        self.touched.append(memory)
        await self.connection.execute(
            insert(events).values(
                at=self.now,
                user_id=memory.user_id,
                persona_id=memory.persona_id,
                memory_id=memory.id,
                action=str(action),
                actor=self.actor,
                cause=cause[:256],
                snapshot=memory.model_dump(mode="json"),
            )
        )
        await self.connection.execute(insert(outbox).values(memory_id=memory.id, user_id=memory.user_id))
