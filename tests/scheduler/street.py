"""One person's follow-ups over a real database: told, due, sent; with as many schedulers as wanted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from memory import follow_up_book as book
from memory.clock import SettableClock
from memory.follow_up_book import FollowUp
from memory.follow_ups import reschedule
from memory.inbox import Inbox
from memory.lifecycle import Lifecycle
from memory.messages import Message
from memory.model import Category, Kind, Memory, Precision
from memory.people import People
from memory.places import DM, Place
from memory.policy import MemoryPolicy
from memory.store.database import Database, open_database
from memory.store.writer import Action, Writer
from memory.temporal import expiry_of
from scheduler.follow_ups import FollowUps, Said
from scheduler.manners import Customs
from scheduler.steps import OnFollowUpStep, ignore_step
from tests.support.post import Plain, Post
from tests.support.world import database_url

TAIPEI = ZoneInfo("Asia/Taipei")
SATURDAY = datetime(2026, 9, 12, 21, 30, tzinfo=TAIPEI)
TUESDAY = datetime(2026, 9, 15, tzinfo=TAIPEI)
EVENING = datetime(2026, 9, 15, 18, tzinfo=TAIPEI).astimezone(UTC)
VECTOR = np.zeros(4, dtype=np.float32)


@dataclass
class Street:
    """An open database with a clock, a channel and everything that writes to it."""

    database: Database
    clock: SettableClock
    post: Post
    plain: Plain = field(default_factory=Plain)
    policy: MemoryPolicy = field(default_factory=MemoryPolicy)
    customs: Customs = field(default_factory=lambda: Customs(spread=timedelta(0)))
    said: int = 0

    def __post_init__(self) -> None:
        self.inbox = Inbox(self.database, self.clock)
        self.people = People(self.database)
        self.lifecycle = Lifecycle(self.database, self.clock, self.policy)

    def engine(
        self, *, on_step: OnFollowUpStep = ignore_step, database: Database | None = None, **fields: Any
    ) -> FollowUps:
        """Return a scheduler; each call is another one."""
        given: dict[str, Any] = {"composer": self.plain, "notifier": self.post, "customs": self.customs}
        return FollowUps(
            database=database or self.database,
            inbox=Inbox(database or self.database, self.clock),
            persona_id="lily",
            clock=self.clock,
            on_step=on_step,
            **(given | fields),
        )

    async def run(self) -> tuple[Said, ...]:
        """Let a fresh scheduler look once."""
        return await self.engine().run_due()

    async def willing(self, user: str = "u1", **settings: Any) -> None:
        """Let a person opt in."""
        await self.people.change(user, **({"check_ins": True} | settings))

    async def plan(
        self, text: str = "使用者有期末考", *, user: str = "u1", place: Place = DM, **fields: Any
    ) -> Memory:
        """Let a person tell an event: next Tuesday's exam, unless told otherwise."""
        self.said += 1
        now = self.clock.now()
        memory = Memory.model_validate(
            {
                "id": f"m{self.said}",
                "user_id": user,
                "persona_id": "lily",
                "places": (str(place),),
                "text": text,
                "category": Category.SCHEDULE,
                "kind": Kind.EVENT,
                "created_at": now,
                "updated_at": now,
                "valid_from": TUESDAY,
                "valid_to": TUESDAY + timedelta(days=1),
                "precision": Precision.DAY,
                "zone": "Asia/Taipei",
                **fields,
            }
        )
        expires = expiry_of(memory.category, memory.kind, now, memory.valid_to, self.policy, "Asia/Taipei")
        memory = memory.model_copy(update={"expires_at": expires})
        async with self.database.write() as connection:
            writer = Writer(connection, now, "test")
            await writer.add(memory, VECTOR)
            await reschedule(connection, writer.touched, self.policy, now)
        return memory

    async def change(self, memory: Memory, **fields: Any) -> Memory:
        """Change an event as an observation does."""
        async with self.database.write() as connection:
            writer = Writer(connection, self.clock.now(), "test")
            current = await writer.current(memory.id)
            assert current is not None
            changed = await writer.change(current, Action.EDITED, "", **fields)
            await reschedule(connection, writer.touched, self.policy, self.clock.now())
        return changed

    async def speak(
        self, text: str = "嗨", *, user: str = "u1", place: Place = DM, answered: bool = True
    ) -> Message:
        """Let a person speak; she answers, unless told otherwise."""
        self.said += 1
        message = Message(f"t:{self.said}", user, "lily", text, self.clock.now(), place)
        await self.inbox.admit(message)
        if answered:
            await self.inbox.replying(message.id, ("嗯",))
            await self.inbox.replied(message, ("嗯",))
        return message

    async def line(self, memory: Memory) -> FollowUp:
        """Return the follow-up of an event as it is now."""
        async with self.database.read() as connection:
            lines = await book.of_person(connection, memory.user_id)
        return next(line for line in lines if line.memory_id == memory.id)

    def at(self, moment: datetime) -> None:
        """Put the clock there."""
        self.clock.set(moment)

    def later(self, **step: float) -> None:
        """Let time pass."""
        self.clock.advance(timedelta(**step))


@asynccontextmanager
async def open_street(folder: Path) -> AsyncIterator[Street]:
    """Open a street over a database in a folder; what one wrote the next one reads."""
    clock = SettableClock(SATURDAY)
    async with open_database(database_url(folder)) as database:
        yield Street(database, clock, Post(clock))
