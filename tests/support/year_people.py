"""The people of a simulated year: where they live, when they sleep, what they plan and how it ends."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.identifiers import memory_id
from memory.model import Category, Kind, Memory, Precision
from memory.places import DM, Place
from memory.policy import MemoryPolicy
from memory.temporal import expiry_of

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 365
DEFAULT_ZONE = "Asia/Taipei"
ZONES = (
    "Asia/Taipei",
    "Asia/Tokyo",
    "Asia/Kathmandu",
    "Europe/Berlin",
    "Europe/London",
    "Africa/Cairo",
    "America/New_York",
    "America/Los_Angeles",
    "America/St_Johns",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
)
QUIET = (None, None, ("23:00", "08:00"), ("00:00", "07:30"), ("03:00", "14:00"), ("22:30", "06:00"))
PLANS = ("期末考", "面試", "看牙醫", "搬家", "聚餐", "演唱會", "交報告", "旅行")


@dataclass
class Plan:
    """One event, and what the checker knows about it on its own account.

    ``due`` is worked out here, by the calendar of the one who told it, not by the code under test.
    """

    memory: Memory
    due: datetime
    told_at: datetime | None = None
    live: bool = True
    ended: list[tuple[datetime, str]] = field(default_factory=list)


@dataclass
class Citizen:
    """One person: settings as they are now, and habits."""

    user_id: str
    zone: str | None
    quiet: tuple[str, str] | None
    check_ins: bool
    closed: bool
    answers: float
    paused: bool = False
    snoozed_until: datetime | None = None
    last_words: datetime | None = None
    unheard: int = 0
    zones_at: list[str] = field(default_factory=list)

    @property
    def home(self) -> str:
        """The zone that counts."""
        return self.zone or DEFAULT_ZONE

    def awake(self, moment: datetime) -> bool:
        """Whether she may write at that moment, by the clock on their wall."""
        clock = f"{moment.astimezone(ZoneInfo(self.home)):%H:%M}"
        night_from, night_to = self.quiet or ("22:00", "09:00")
        if night_from <= night_to:
            return not night_from <= clock < night_to
        return night_to <= clock < night_from


@dataclass(order=True)
class Happening:
    """Something people do, at a moment of true time."""

    at: datetime
    number: int
    kind: str = field(compare=False)
    citizen: Citizen = field(compare=False)
    plan: Plan | None = field(compare=False, default=None)
    detail: Any = field(compare=False, default=None)


def citizens(rng: random.Random, count: int) -> list[Citizen]:
    """Return the people: spread over all zones, some without one, some who never want to be asked."""
    return [
        Citizen(
            user_id=f"u{n}",
            zone=ZONES[n % len(ZONES)] if rng.random() > 0.06 else None,
            quiet=rng.choice(QUIET),
            check_ins=rng.random() < 0.75,
            closed=rng.random() < 0.08,
            answers=rng.choice((0.1, 0.5, 0.9)),
        )
        for n in range(count)
    ]


def plan_of(
    rng: random.Random,
    citizen: Citizen,
    number: int,
    said_at: datetime,
    policy: MemoryPolicy,
    *,
    after: Memory | None = None,
) -> Plan:
    """Return an event told at ``said_at``: a clock time, a day, several days or none at all.

    ``after`` is the event it is moved from.
    """
    zone = ZoneInfo(citizen.home)
    first = said_at.astimezone(zone).date() + timedelta(days=rng.randrange(1, 12))
    kind = rng.choice(("clock", "clock", "day", "day", "day", "days", "undated"))
    start, end, precision, due = _window(rng, kind, first, zone, said_at, policy)
    place = rng.choice((DM, DM, Place(f"g{number % 3}", f"c{number % 5}"), Place("g1", "p1", private=True)))
    memory = Memory(
        id=memory_id(f"year:{citizen.user_id}:{number}", 0, 0),
        user_id=citizen.user_id,
        persona_id="lily",
        places=after.places if after is not None else (str(place),),
        text=f"使用者有{rng.choice(PLANS)}",
        category=Category.SCHEDULE,
        kind=Kind.EVENT,
        created_at=said_at,
        updated_at=said_at,
        valid_from=start,
        valid_to=end,
        precision=precision,
        zone=citizen.home,
        expires_at=expiry_of(Category.SCHEDULE, Kind.EVENT, said_at, end, policy, citizen.home),
        sensitive=rng.random() < 0.08,
        supersedes_id=after.id if after is not None else None,
        source=f"year:{citizen.user_id}:{number}",
    )
    return Plan(memory, due)


def _window(
    rng: random.Random, kind: str, first: date, zone: ZoneInfo, said_at: datetime, policy: MemoryPolicy
) -> tuple[datetime | None, datetime | None, Precision | None, datetime]:
    if kind == "undated":
        return None, None, None, said_at + policy.undated_follow_up
    if kind == "clock":
        start = _utc(first, time(rng.randrange(24), rng.choice((0, 15, 30))), zone)
        return start, start + timedelta(minutes=1), Precision.MINUTE, start + timedelta(hours=2)
    days = 1 if kind == "day" else rng.randrange(2, 6)
    last = first + timedelta(days=days - 1)
    precision = Precision.DAY if days == 1 else Precision.RANGE
    start, end = _utc(first, time.min, zone), _utc(last + timedelta(days=1), time.min, zone)
    return start, end, precision, _utc(last, time(18), zone)


def _utc(day: date, clock: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, clock, zone).astimezone(UTC)


def windows(rng: random.Random, count: int, longest_hours: int) -> list[tuple[datetime, datetime]]:
    """Return stretches of the year: of an outage, or of a clock that is wrong."""
    starts = [START + timedelta(days=rng.uniform(5, DAYS - 15)) for _ in range(count)]
    return [(start, start + timedelta(hours=rng.uniform(1, longest_hours))) for start in starts]
