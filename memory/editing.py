"""A person puts a memory into other words: the old version is archived, the new one follows it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from llm.protocols import Embedder
from memory.clock import Clock, as_utc
from memory.follow_ups import reschedule
from memory.grounding import dates_memory, resolve
from memory.identifiers import memory_id
from memory.lexical import embedding_text
from memory.model import ArchivedReason, Kind, Memory
from memory.policy import MemoryPolicy
from memory.statements import attribute_of
from memory.store import gate
from memory.store.database import Database
from memory.store.errors import NoSuchMemory
from memory.store.rows import slot_of
from memory.store.writer import Action, Writer
from memory.temporal import expiry_of
from memory.text import single_line

MOST = 300
"""Characters of a memory a person may write."""


class Editor:
    """Edits memories. Places, category and whom it is about stay as they were."""

    def __init__(self, database: Database, embedder: Embedder, clock: Clock, policy: MemoryPolicy) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._policy = policy

    async def edit(self, known_id: str, text: str, *, actor: str, edit_id: str, zone: str) -> Memory:
        """Replace a live memory by its new wording; the same ``edit_id`` twice changes nothing.

        Raises ``NoSuchMemory`` where it is not live any more, and ``ModelError`` where the new
        wording can't be embedded: nothing has changed then.
        """
        words = single_line(text, MOST)
        (vector,) = await self._embedder.embed_documents([embedding_text(words)])
        now = self._clock.now()
        async with self._database.write() as connection:
            writer = Writer(connection, now, actor)
            new_id = memory_id(edit_id, 0, 0)
            done = await writer.current(new_id)
            if done is not None:
                return done
            before = await writer.current(known_id)
            if before is None or before.archived:
                raise NoSuchMemory(f"no live memory has the id {known_id!r}")
            after = self._version(before, new_id, words, edit_id, now, zone)
            await writer.archive(before, ArchivedReason.CONTRADICTED, f"edited: {new_id}")
            slot = slot_of(after)
            for item in await gate.comparable(connection, before.user_id, before.persona_id):
                if slot is not None and slot_of(item.memory) == slot:
                    await writer.archive(item.memory, ArchivedReason.CONTRADICTED, f"replaced by {new_id}")
            await writer.add(after, vector, f"edited from {before.id}", Action.EDITED)
            await reschedule(connection, writer.touched, self._policy, now)
            return after

    def _version(
        self, before: Memory, new_id: str, text: str, source: str, now: datetime, zone: str
    ) -> Memory:
        fields: dict[str, Any] = {
            "id": new_id,
            "text": text,
            "quote": text,
            "attribute": attribute_of(text, before.category),
            "created_at": now,
            "updated_at": now,
            "supersedes_id": before.id,
            "source": source,
            "rev": 1,
        }
        if before.kind is Kind.EVENT:
            fields |= self._dates(before, text, now, zone)
        return before.model_copy(update=fields)

    def _dates(self, before: Memory, text: str, now: datetime, zone: str) -> dict[str, Any]:
        """Return the dates the new wording names; none where it names none, or the same phrase."""
        if before.when_text and before.when_text in text:
            return {}
        sure = [one for one in resolve(text, now, zone) if dates_memory(one) and one.start is not None]
        if not sure or sure[-1].start is None:
            return {}
        found = sure[-1]
        end = as_utc(found.end) if found.end is not None else None
        return {
            "valid_from": as_utc(sure[-1].start),
            "valid_to": end,
            "precision": found.precision,
            "when_text": found.phrase,
            "zone": zone,
            "flags": (),
            "expires_at": expiry_of(before.category, before.kind, now, end, self._policy, zone),
        }
