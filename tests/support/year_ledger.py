"""What must hold in a simulated year, checked at the moment a message is said and once at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from memory.clock import Clock
from memory.follow_ups import OPEN
from memory.messages import Message
from memory.places import Place
from memory.store.database import Database
from memory.store.schema import follow_ups
from tests.support.post import Posted
from tests.support.year_people import Citizen, Plan

WEEK = timedelta(days=7)
HOUR = timedelta(hours=1)


@dataclass
class Report:
    """What a year came to."""

    people: int
    events: int
    passes: int = 0
    chats: int = 0
    kills: int = 0
    sent: int = 0
    asked: int = 0
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    open: int = 0

    def lines(self) -> list[str]:
        """Return the report as people read it."""
        rows = [
            f"{self.people} people, {self.events} events, {self.chats} chats, "
            f"{self.passes} wake-ups, {self.kills} kills",
            f"{self.sent} sent, {self.asked} asked in a chat, {self.open} due and left open",
            "",
            f"{'state':<14} {'reason':<24} events",
        ]
        rows += [
            f"{state:<14} {reason:<24} {count:>6}" for (state, reason), count in sorted(self.ends.items())
        ]
        rows += ["", "faults: " + (", ".join(f"{n} x {what}" for what, n in self.faults.items()) or "none")]
        return rows


class Ledger:
    """Knows what people know, and holds every message against it."""

    def __init__(self, clock: Clock, citizens: list[Citizen], report: Report) -> None:
        self.clock = clock
        self.by_id = {citizen.user_id: citizen for citizen in citizens}
        self.report = report
        self.plans: dict[str, Plan] = {}
        self.sent_on: dict[str, list[datetime]] = {}
        self.times_asked: Counter[str] = Counter()

    def heard(self, citizen: Citizen) -> None:
        """Note that somebody speaks."""
        citizen.last_words = self.clock.now()
        citizen.unheard = 0

    def asked(self, message: Message, memory_ids: tuple[str, ...]) -> None:
        """Check what a reply in a chat asks."""
        for memory_id in memory_ids:
            self.report.asked += 1
            self._check(self.plans[memory_id], message.place)

    def said(self, posted: Posted) -> None:
        """Check one message that she has just sent by herself."""
        self.report.sent += 1
        letter, now = posted.letter, posted.at
        citizen = self.by_id[letter.user_id]
        self._check(self.plans[letter.memory_id], letter.place)
        self._expect(citizen.awake(now), "in quiet hours")
        self._expect(citizen.check_ins, "without being wanted")
        self._expect(not citizen.paused, "while paused")
        self._expect(citizen.snoozed_until is None or now >= citizen.snoozed_until, "while snoozed")
        running = citizen.last_words is not None and timedelta(0) < now - citizen.last_words < HOUR
        self._expect(not running, "into a running chat")
        self._expect(citizen.unheard < 2, "after two unanswered")
        zone = ZoneInfo(citizen.home)
        earlier = self.sent_on.setdefault(citizen.user_id, [])
        today = now.astimezone(zone).date()
        self._expect(all(at.astimezone(zone).date() != today for at in earlier), "twice a day")
        earlier.append(now)
        citizen.unheard += 1

    def _check(self, plan: Plan, place: Place) -> None:
        now = self.clock.now()
        self.times_asked[plan.memory.id] += 1
        self._expect(self.times_asked[plan.memory.id] == 1, "twice")
        self._expect(now >= plan.due, "early")
        self._expect(now < plan.due + WEEK, "stale")
        self._expect(plan.told_at is None, "after the outcome was told")
        self._expect(plan.live, "about something called off or forgotten")
        if not place.is_dm:
            said_in = [Place.parse(text) for text in plan.memory.places]
            openly = all(not p.is_dm and not p.private and p.guild == place.guild for p in said_in)
            self._expect(openly and not plan.memory.sensitive, "a private matter in public")

    async def close(self, database: Database) -> None:
        """Look at every event that was due: it was sent, asked, or dropped with a reason."""
        async with database.read() as connection:
            rows = {row.memory_id: row for row in await connection.execute(select(follow_ups))}
        for memory_id in self.plans:
            row = rows.get(memory_id)
            if row is None:
                self.report.faults["no follow-up"] += 1
                continue
            reason = row.reason or ""
            told = {"sent": "no answer yet"}.get(row.state, reason)
            if row.state == "answered" and row.sent_at is not None:
                told = "was sent"
            self.report.ends[row.state, told] += 1
            self.report.open += row.state in (*OPEN, "claimed")
            if row.state in ("skipped", "cancelled", "undeliverable"):
                self._expect(bool(reason), "dropped without a reason")
            really = self.times_asked[memory_id] > 0
            noted = (
                row.sent_at is not None or row.state in ("sent", "asked") or reason in ("replied", "answered")
            )
            self._expect(not really or noted, "said and not noted")
            self._expect(really or not noted or reason == "uncertain", "noted and not said")

    def _expect(self, holds: bool, fault: str) -> None:
        if not holds:
            self.report.faults[fault] += 1
