"""A simulated year of follow-ups over a real database: two schedulers, kills, outages, clock jumps.

People tell plans, chat, answer, move, call off, forget and restore; the channel remembers what was
really said. Every message is checked at the moment it is said, against what the people themselves
know, not against what the code under test believes.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from memory.clock import SettableClock
from memory.follow_ups import due_now, reschedule
from memory.inbox import Inbox
from memory.lifecycle import Lifecycle
from memory.messages import Message
from memory.model import ArchivedReason, Flag
from memory.people import People
from memory.places import DM, Place
from memory.policy import MemoryPolicy
from memory.store.database import Database, open_database
from memory.store.gate import allowed_in, one
from memory.store.writer import Action, Writer
from scheduler.follow_ups import FollowUps
from scheduler.manners import Customs
from scheduler.notifier import Letter
from scheduler.steps import FollowUpStep
from tests.support.post import Plain, Post, Posted
from tests.support.year_ledger import HOUR, Ledger, Report
from tests.support.year_people import (
    DAYS,
    DEFAULT_ZONE,
    START,
    Citizen,
    Happening,
    Plan,
    citizens,
    plan_of,
    windows,
)

VECTOR = np.zeros(4, dtype=np.float32)
GRID = timedelta(minutes=15)

_RIPE = """SELECT min(max(due_at, coalesce(next_at, due_at))) FROM follow_ups
           WHERE state IN ('pending', 'undeliverable')"""
_LAPSING = """SELECT min(claimed_until) FROM follow_ups
              WHERE state = 'claimed' AND claimed_by NOT LIKE 'reply|%'"""


class Killed(BaseException):
    """The process is gone, without any chance to tidy up."""


class Year:
    """The town, its house and its clock."""

    def __init__(
        self, databases: list[Database], *, seed: int, people: int, events: int, chats_each: int
    ) -> None:
        self.rng = random.Random(seed)
        self.databases = databases
        self.database = databases[0]
        self._peek = sqlite3.connect(f"file:{self.database.file}?mode=ro", uri=True)
        self.policy = MemoryPolicy()
        self.clock = SettableClock(START)
        self.customs = Customs(default_zone=DEFAULT_ZONE)
        self.inbox = Inbox(self.database, self.clock)
        self.people = People(self.database)
        self.lifecycle = Lifecycle(self.database, self.clock, self.policy)
        self.citizens = citizens(self.rng, people)
        self.report = Report(people, events)
        self.ledger = Ledger(self.clock, self.citizens, self.report)
        self.by_id, self.plans = self.ledger.by_id, self.ledger.plans
        self.post = Post(self.clock, {c.user_id for c in self.citizens if c.closed}, self._trouble)
        self.post.on_said = self._said
        self.spoken: set[str] = set()
        self.count = itertools.count()
        self.agenda: list[Happening] = []
        self.down = windows(self.rng, 6, 240)
        self.skews = [
            (*window, timedelta(hours=self.rng.choice((-5, -2, 1, 4)))) for window in windows(self.rng, 8, 12)
        ]
        self._fill(events, chats_each)
        self.engines = [self._engine(database) for database in databases]

    # --- what will happen -------------------------------------------------------------------

    def _fill(self, events: int, chats_each: int) -> None:
        for _ in range(events):
            self._push(self._some_time(), "plan", self.rng.choice(self.citizens))
        for citizen in self.citizens:
            for _ in range(chats_each):
                self._push(self._some_time(), "chat", citizen)
            for kind in ("snooze", "pause", "unpause", "check_ins", "zone"):
                if self.rng.random() < 0.3:
                    self._push(self._some_time(), kind, citizen)

    def _some_time(self) -> datetime:
        return START + timedelta(minutes=self.rng.randrange(DAYS * 24 * 60))

    def _push(
        self, at: datetime, kind: str, citizen: Citizen, plan: Plan | None = None, detail: Any = None
    ) -> None:
        heapq.heappush(self.agenda, Happening(at, next(self.count), kind, citizen, plan, detail))

    # --- the year ---------------------------------------------------------------------------

    async def run(self) -> Report:
        """Live through the year, and a little longer, until everything due has had its week."""
        for citizen in self.citizens:
            await self._write_settings(citizen)
        end = START + timedelta(days=DAYS + 40)
        now = START
        swept = START
        while True:
            following = self.agenda[0].at if self.agenda else end
            wake = self._next_wake(now)
            if wake is not None and wake < min(following, end):
                now = wake
                self._set_clock(now)
                await self._pass()
                if now - swept > timedelta(days=5):
                    swept = now
                    await self.lifecycle.expire()
                continue
            if not self.agenda:
                break
            happening = heapq.heappop(self.agenda)
            now = max(now, happening.at)
            if self._is_down(now):
                self._push(
                    self._up_again(now), happening.kind, happening.citizen, happening.plan, happening.detail
                )
                continue
            self._set_clock(now)
            await self._happen(happening)
        self._peek.close()
        await self.ledger.close(self.database)
        return self.report

    def _set_clock(self, now: datetime) -> None:
        self.clock.set(now + self._skew(now))

    def _skew(self, now: datetime) -> timedelta:
        return next((skew for start, stop, skew in self.skews if start <= now < stop), timedelta(0))

    def _is_down(self, now: datetime) -> bool:
        return any(start <= now < stop for start, stop in self.down)

    def _up_again(self, now: datetime) -> datetime:
        return max(stop for start, stop in self.down if start <= now < stop) + timedelta(minutes=1)

    def _next_wake(self, now: datetime) -> datetime | None:
        """Return when the next ring would find something to do, on the grid of the wake-ups."""
        moments = [
            _instant(moment) for moment in self._look(_RIPE) + self._look(_LAPSING) if moment is not None
        ]
        if not moments:
            return None
        wanted = max(min(moments) - self._skew(now), now + timedelta(seconds=1))
        wake = START + -(-(wanted - START) // GRID) * GRID
        return self._up_again(wake) if self._is_down(wake) else wake

    def _look(self, query: str) -> list[Any]:
        return [row[0] for row in self._peek.execute(query)]

    async def _pass(self) -> None:
        """Let every scheduler look at once; one that dies is gone, another takes its place."""
        self.report.passes += 1
        ringing = self.rng.choice(([0], [1], [0, 1])) if len(self.engines) > 1 else [0]
        done = await asyncio.gather(*(self.engines[n].run_due() for n in ringing), return_exceptions=True)
        for place, result in zip(ringing, done, strict=True):
            if isinstance(result, BaseException):
                if not isinstance(result, Killed):
                    raise result
                self.engines[place] = self._engine(self.databases[place])

    def _engine(self, database: Database) -> FollowUps:
        return FollowUps(
            database=database,
            inbox=Inbox(database, self.clock),
            persona_id="lily",
            composer=Plain(),
            notifier=self.post,
            clock=self.clock,
            customs=self.customs,
            holder=f"engine-{next(self.count)}",
            on_step=self._maybe_die,
        )

    def _maybe_die(self, step: FollowUpStep | None = None) -> None:
        if self.rng.random() < 0.04:
            self.report.kills += 1
            raise Killed

    def _trouble(self, letter: Letter) -> str:
        dice = self.rng.random()
        return next((what for limit, what in ((0.03, "down"), (0.06, "cut"), (0.09, "lost")) if dice < limit),
                    "blind" if dice > 0.9 else "")  # fmt: skip

    # --- what people do ---------------------------------------------------------------------

    async def _happen(self, happening: Happening) -> None:
        citizen, plan = happening.citizen, happening.plan
        match happening.kind:
            case "plan":
                await self._tell_plan(citizen)
            case "chat":
                await self._chat(citizen, happening.detail)
            case "resume":
                await self._resume(happening.detail)
            case "outcome" if plan is not None and plan.live and plan.told_at is None:
                await self._change(plan, Action.OUTCOME, outcome="還不錯")
                plan.told_at = self.clock.now()
            case "move" if plan is not None and plan.live and plan.told_at is None:
                await self._move(citizen, plan)
            case "cancel" if plan is not None and plan.live and plan.told_at is None:
                await self._change(plan, Action.EDITED, flags=(Flag.CANCELLED,))
                plan.live = False
            case "forget" if plan is not None and plan.live:
                await self.lifecycle.forget(plan.memory.id, "user")
                plan.live = False
                if self.rng.random() < 0.5:
                    self._push(
                        happening.at + timedelta(days=self.rng.uniform(0, 9)), "restore", citizen, plan
                    )
            case "restore" if plan is not None:
                await self.lifecycle.restore(plan.memory.id, "user")
                plan.live = True
            case _:
                await self._settings(citizen, happening.kind)

    async def _tell_plan(self, citizen: Citizen) -> None:
        plan = plan_of(self.rng, citizen, next(self.count), self.clock.now(), self.policy)
        await self.inbox.admit(self._message(citizen, DM), answer=False)
        self.ledger.heard(citizen)
        await self._add(plan)
        lead = max(plan.due - self.clock.now(), HOUR)
        dice = self.rng.random()
        for limit, kind, latest in ((0.12, "outcome", 1.5), (0.22, "move", 1.0), (0.28, "cancel", 1.0),
                                    (0.36, "forget", 1.3)):  # fmt: skip
            if dice < limit:
                self._push(self.clock.now() + lead * self.rng.uniform(0, latest), kind, citizen, plan)
                break

    async def _add(self, plan: Plan) -> None:
        async with self.database.write() as connection:
            writer = Writer(connection, self.clock.now(), "year")
            await writer.add(plan.memory, VECTOR)
            await reschedule(connection, writer.touched, self.policy, self.clock.now())
        self.plans[plan.memory.id] = plan

    async def _change(self, plan: Plan, action: Action, **fields: Any) -> None:
        async with self.database.write() as connection:
            writer = Writer(connection, self.clock.now(), "year")
            memory = await writer.current(plan.memory.id)
            assert memory is not None
            await writer.change(memory, action, "", **fields)
            await reschedule(connection, writer.touched, self.policy, self.clock.now())

    async def _move(self, citizen: Citizen, plan: Plan) -> None:
        later = plan_of(self.rng, citizen, next(self.count), self.clock.now(), self.policy, after=plan.memory)
        async with self.database.write() as connection:
            writer = Writer(connection, self.clock.now(), "year")
            memory = await writer.current(plan.memory.id)
            assert memory is not None
            await writer.archive(memory, ArchivedReason.CONTRADICTED, "moved")
            await writer.add(later.memory, VECTOR)
            await reschedule(connection, writer.touched, self.policy, self.clock.now())
        plan.live = False
        self.plans[later.memory.id] = later

    async def _settings(self, citizen: Citizen, kind: str) -> None:
        match kind:
            case "snooze":
                citizen.snoozed_until = self.clock.now() + timedelta(days=self.rng.uniform(0.2, 6))
            case "pause" | "unpause":
                citizen.paused = kind == "pause"
                if citizen.paused:
                    self._push(self.clock.now() + timedelta(days=self.rng.uniform(1, 20)), "unpause", citizen)
            case "check_ins":
                citizen.check_ins = not citizen.check_ins
            case "zone":
                citizen.zone = self.rng.choice(self.citizens).zone
            case _:
                return
        await self._write_settings(citizen)

    async def _write_settings(self, citizen: Citizen) -> None:
        night = citizen.quiet or (None, None)
        await self.people.change(
            citizen.user_id,
            zone=citizen.zone,
            check_ins=citizen.check_ins,
            quiet_from=night[0],
            quiet_to=night[1],
            paused=citizen.paused,
            snooze_until=citizen.snoozed_until,
        )

    def _said(self, posted: Posted) -> None:
        """Check a message; some people answer it, sooner or later."""
        self.ledger.said(posted)
        citizen = self.by_id[posted.letter.user_id]
        if self.rng.random() < citizen.answers:
            later = posted.at - self._skew(posted.at) + timedelta(minutes=self.rng.uniform(2, 900))
            self._push(later, "chat", citizen, detail=self.plans[posted.letter.memory_id])

    # --- chats ------------------------------------------------------------------------------

    async def _chat(self, citizen: Citizen, about: Plan | None) -> None:
        self.report.chats += 1
        place = self.rng.choice((DM, DM, Place("g1", "c1"), Place("g2", "c1")))
        message = self._message(citizen, place)
        await self.inbox.admit(message)
        self.ledger.heard(citizen)
        together = [self._answer(message)]
        if self.rng.random() < 0.2:  # somebody rings in the middle of it
            together.append(self._pass())
        await asyncio.gather(*together)
        if about is not None and about.told_at is None and about.live and self.rng.random() < 0.8:
            await self._change(about, Action.OUTCOME, outcome="還不錯")
            about.told_at = self.clock.now()

    def _message(self, citizen: Citizen, place: Place) -> Message:
        return Message(f"year:{next(self.count)}", citizen.user_id, "lily", "嗨", self.clock.now(), place)

    async def _answer(self, message: Message) -> None:
        """Answer, asking one thing that is due if there is one; the process may die at any step."""
        try:
            asked = await self._ask(message)
            if await self.inbox.replying(message.id, ("嗯",), asked):
                asked = ()
                await self.inbox.replying(message.id, ("嗯",), ())
            self._maybe_die()
            self.ledger.asked(message, asked)
            self._maybe_die_spoken(message)
            await self.inbox.replied(message, ("嗯",), asked)
        except Killed:
            said = message.id in self.spoken
            self._push(self.clock.now() + timedelta(minutes=self.rng.uniform(1, 90)), "resume",
                       self.by_id[message.user_id], detail=(message, said))  # fmt: skip

    def _maybe_die_spoken(self, message: Message) -> None:
        self.spoken.add(message.id)
        self._maybe_die()

    async def _ask(self, message: Message) -> tuple[str, ...]:
        due = await self.database.snapshot(due_now, message.user_id, "lily", self.clock.now(), self.policy)
        async with self.database.read() as connection:
            events = [await one(connection, memory_id) for memory_id in due]
        fitting = [
            event.id
            for event in events
            if event is not None
            and allowed_in(event, message.place)
            and (message.place.is_dm or not event.sensitive)
        ]
        return tuple(fitting[:1]) if self.rng.random() < 0.7 else ()

    async def _resume(self, detail: tuple[Message, bool]) -> None:
        """Take up what a dead process left: look whether she had said it, else answer or let it be."""
        message, said = detail
        entry = await self.inbox.get(message.id)
        assert entry is not None
        if said:
            await self.inbox.replied(message, ("嗯",), entry.asked)
        elif self.rng.random() < 0.5:
            await self.inbox.ignore(message.id)
        else:
            await self._answer(message)


def _instant(moment: Any) -> datetime:
    return datetime.fromisoformat(moment) if isinstance(moment, str) else moment


@asynccontextmanager
async def open_year(
    folder: Path, *, seed: int, people: int, events: int, chats_each: int = 12, schedulers: int = 2
) -> AsyncIterator[Year]:
    """Open a year over one SQLite file, each scheduler with a connection of its own."""
    url = f"sqlite:///{folder / 'year.db'}"
    async with AsyncExitStack() as stack:
        databases = [await stack.enter_async_context(open_database(url)) for _ in range(schedulers)]
        yield Year(databases, seed=seed, people=people, events=events, chats_each=chats_each)
