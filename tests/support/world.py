"""An open memory over real SQLite and real Chroma, a fake clock, and words to fill it with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory.clock import SettableClock
from memory.extraction.types import Change, Fact
from memory.inbox import Entry
from memory.messages import Message
from memory.model import USER_SUBJECT, Category, Memory
from memory.observe import Observation
from memory.places import DM, Place
from memory.policy import DEFAULT_RULES, MemoryPolicy
from memory.service import MemoryService, Models, StoreLocation, open_memory
from memory.statements import attribute_of
from memory.steps import OnStep, ignore_step
from memory.store import gate
from tests.support.models import ScriptedExtractor, ScriptedJudge, TermEmbedder
from tests.support.stores import Embedded, Stores


@dataclass
class Chosen:
    """The stores worlds are opened over just now."""

    chosen: Stores = field(default_factory=Embedded)


STORES = Chosen()
START = datetime(2026, 9, 12, 13, 30, tzinfo=UTC)  # a Saturday evening in Taipei


def fact(
    text: str,
    category: Category = Category.OTHER,
    quote: str = "",
    change: Change = Change.NEW,
    subject: str = USER_SUBJECT,
    when_text: str | None = None,
    outcome: str | None = None,
) -> Fact:
    """Return a fact as an extractor would give it."""
    return Fact(
        text=text,
        language="zh-TW",
        quote=quote or text,
        subject=subject,
        category=category,
        kind=DEFAULT_RULES[category].kind,
        attribute=attribute_of(text, category),
        when_text=when_text,
        change=change,
        outcome=outcome,
    )


@dataclass
class World:
    """One open memory with scripted models at hand."""

    service: MemoryService
    clock: SettableClock
    extractor: ScriptedExtractor
    judge: ScriptedJudge
    embedder: TermEmbedder
    said: int = 0
    seen: list[Observation] = field(default_factory=list)

    async def say(
        self,
        text: str,
        *facts: Fact,
        user: str = "u1",
        place: Place = DM,
        message_id: str | None = None,
        revision: int = 0,
    ) -> Observation:
        """Admit a message that holds these facts, and observe it."""
        message = self.message(text, user=user, place=place, message_id=message_id, revision=revision)
        if facts:
            self.extractor.facts[text] = facts
        await self.service.inbox.admit(message)
        observed = await self.service.observer.observe_person(user, message.persona_id)
        return observed.get(message.id, Observation())

    def message(
        self,
        text: str,
        *,
        user: str = "u1",
        place: Place = DM,
        message_id: str | None = None,
        revision: int = 0,
    ) -> Message:
        """Return a message said now."""
        self.said += 1
        return Message(
            id=message_id or f"test:{self.said}",
            user_id=user,
            persona_id="lily",
            text=text,
            said_at=self.clock.now(),
            place=place,
            revision=revision,
        )

    async def tell(self, text: str, category: Category = Category.OTHER, **where: object) -> Memory:
        """Let a person tell one fact that is new; returns the memory."""
        observation = await self.say(text, fact(text, category), **where)  # type: ignore[arg-type]
        (memory,) = observation.written
        return memory

    async def all(self, user: str = "u1") -> tuple[Memory, ...]:
        """Return every memory of a person, live or not."""
        async with self.service.database.read() as connection:
            return await gate.owned(connection, user)

    async def live_texts(self, user: str = "u1") -> list[str]:
        """Return the texts of a person's live memories, sorted."""
        return sorted(memory.text for memory in await self.all(user) if not memory.archived)

    async def entry(self, message_id: str) -> Entry:
        """Return an inbox entry that must be there."""
        entry = await self.service.inbox.get(message_id)
        assert entry is not None
        return entry

    def later(self, **step: float) -> None:
        """Let time pass."""
        self.clock.advance(timedelta(**step))


def database_url(folder: Path) -> str:
    """Return where the facts of a folder lie."""
    return STORES.chosen.of(folder).database_url or f"sqlite:///{folder / 'lily.db'}"


@asynccontextmanager
async def open_world(
    folder: Path,
    *,
    embedder: TermEmbedder | None = None,
    judge: ScriptedJudge | None = None,
    policy: MemoryPolicy | None = None,
    clock: SettableClock | None = None,
    database_url: str | None = None,
    chroma_url: str | None = None,
    shards: int = 4,
    alone: bool = True,
    on_step: OnStep = ignore_step,
) -> AsyncIterator[World]:
    """Open a memory in a folder; what one world wrote the next one over the folder reads.

    Facts and vectors lie in the folder too, or where the fixture ``store`` puts them.
    """
    clock = clock or SettableClock(START)
    extractor, judge = ScriptedExtractor(), judge or ScriptedJudge()
    embedder = embedder or TermEmbedder()
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - a test's own folder
    address = STORES.chosen.of(folder)
    location = StoreLocation(
        folder, database_url or address.database_url, chroma_url or address.chroma_url, shards, alone
    )
    models = Models(embedder, extractor, judge, ScriptedExtractor(), ScriptedJudge())
    async with open_memory(location, models, clock, policy or MemoryPolicy(), on_step=on_step) as service:
        yield World(service, clock, extractor, judge, embedder)
