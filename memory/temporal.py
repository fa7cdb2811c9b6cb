"""Where a memory stands to *now*: phase, state, freshness, expiry. Pure functions over a clock's moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

from memory.clock import as_utc
from memory.model import Category, Flag, Kind, Memory, Phase, Precision, TemporalState
from memory.policy import MemoryPolicy

NEUTRAL_DECAY = 0.5
_DAY_SECONDS = 86_400.0

# A clock time that is no longer than the unit it was said in has no end of its own.
_CLOCK_UNITS: Mapping[Precision, timedelta] = MappingProxyType(
    {Precision.MINUTE: timedelta(minutes=1), Precision.HOUR: timedelta(hours=1)}
)
# Where only a start is known: how long what was said lasts, in calendar days of the person.
_CALENDAR_DAYS: Mapping[Precision, int] = MappingProxyType(
    {
        Precision.DAY: 1,
        Precision.WEEKEND: 2,
        Precision.WEEK: 7,
        Precision.MONTH_PART: 10,
        Precision.MONTH: 31,
        Precision.YEAR: 365,
    }
)


def event_window(memory: Memory, policy: MemoryPolicy) -> tuple[datetime, datetime] | None:
    """Return when an event happens, half-open, in UTC; None for an undated one and for what is no event.

    A clock time without an end lasts ``policy.default_event_length``. Where only the end is known
    the event counts as running since it was said.
    """
    if memory.kind is not Kind.EVENT:
        return None
    start, end = memory.valid_from, memory.valid_to
    if start is None:
        if end is None:
            return None
        return as_utc(min(memory.confirmed_at or end, end)), as_utc(end)
    unit = _CLOCK_UNITS.get(memory.precision) if memory.precision else None
    days = _CALENDAR_DAYS.get(memory.precision) if memory.precision else None
    if end is None and days is not None:
        return as_utc(start), add_days(start, days, memory.zone)
    if end is None or end <= start or (unit is not None and end - start <= unit):
        return as_utc(start), as_utc(start) + policy.default_event_length
    return as_utc(start), as_utc(end)


def phase(memory: Memory, now: datetime, policy: MemoryPolicy) -> Phase | None:
    """Return where an event stands to ``now``; None for an undated one and for what is no event.

    An event whose outcome is known is past, even before its planned day: the person was there. One
    that was called off is neither to come nor over.
    """
    if memory.kind is not Kind.EVENT or Flag.CANCELLED in memory.flags:
        return None
    if memory.outcome is not None:
        return Phase.PAST
    window = event_window(memory, policy)
    if window is None:
        return None
    start, end = window
    if now < start:
        return Phase.UPCOMING
    return Phase.ONGOING if now < end else Phase.PAST


def classify(memory: Memory, now: datetime, superseded: bool, policy: MemoryPolicy) -> TemporalState:
    """Return the temporal state: EXPIRED must be removed, TEMPORAL is an event that is on right now."""
    if memory.archived or superseded or (memory.expires_at is not None and memory.expires_at <= now):
        return TemporalState.EXPIRED
    if phase(memory, now, policy) is Phase.ONGOING:
        return TemporalState.TEMPORAL
    return TemporalState.VALID


def decay(memory: Memory, now: datetime, policy: MemoryPolicy, half_life_days: float | None = None) -> float:
    """Return the freshness of a memory in 0..1: ``0.5 ** (age / half_life)``.

    Upcoming and running events are as fresh as can be (1). Age runs from the end of a past event,
    else from the last confirmation. Without a half-life, or where nobody knows the age, it is the
    neutral 0.5. ``half_life_days`` is a source's own half-life; the category's counts otherwise.
    """
    stands = phase(memory, now, policy)
    if stands in (Phase.UPCOMING, Phase.ONGOING):
        return 1.0
    half_life = half_life_days if half_life_days is not None else policy.rule(memory.category).half_life_days
    since = memory.confirmed_at
    if stands is Phase.PAST:
        window = event_window(memory, policy)
        # Told to be over before its planned end: then it ended when that was said.
        since = min(window[1], now) if window is not None else since
    return freshness(since, now, half_life)


def freshness(since: datetime | None, now: datetime, half_life_days: float | None) -> float:
    """Return ``0.5 ** (age / half_life)``; the neutral 0.5 without a half-life or an age."""
    if half_life_days is None or half_life_days <= 0 or since is None:
        return NEUTRAL_DECAY
    age_days = max((now - since).total_seconds(), 0.0) / _DAY_SECONDS
    return float(0.5 ** (age_days / half_life_days))


def expiry_of(
    category: Category,
    kind: Kind,
    said_at: datetime | None,
    valid_to: datetime | None,
    policy: MemoryPolicy,
    zone: str,
) -> datetime | None:
    """Return when a memory leaves the context for good, in UTC; None where it stays.

    Counted from the end of the event, or from when it was said if it has no date, in days of the
    person's own calendar: over a change to summer time the hour on their clock stays the same.
    """
    days = policy.rule(category).expires_after_days
    since = valid_to if valid_to is not None else said_at
    if kind is not Kind.EVENT or days is None or since is None:
        return None
    return add_days(since, days, zone)


def add_days(moment: datetime, days: float, zone: str | None) -> datetime:
    """Add calendar days in a zone (UTC where none is known): the clock there shows the same hour. In UTC."""
    local = moment.astimezone(ZoneInfo(zone or "UTC"))
    return as_utc(local + timedelta(days=days))
