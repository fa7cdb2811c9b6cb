"""Calendar arithmetic: whole days, weeks from Monday, months that clamp, wall time to instants."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from memory.grounding.types import Night, Tense
from memory.model import Precision

UP_EARLY_HOUR = 4
"""From this hour on, before dawn, people are more likely up already than still up (own judgement)."""
DAWN_HOUR = 5
"""Before this hour many people still mean the night that runs on: 今晚, 明天 are flagged (own judgement)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment of speaking as the person's wall clock shows it, and the look of the words around."""

    said_at: datetime
    zone: ZoneInfo
    tense: Tense
    night: Night = Night.UNTOLD

    @property
    def wall(self) -> datetime:
        """The person's wall time, naive, whole minutes."""
        return self.said_at.astimezone(self.zone).replace(tzinfo=None, second=0, microsecond=0)

    @property
    def today(self) -> date:
        """The person's calendar day."""
        return self.said_at.astimezone(self.zone).date()

    @property
    def before_dawn(self) -> bool:
        """Whether the night of the day before is still on."""
        return self.wall.hour < DAWN_HOUR

    @property
    def late_night(self) -> bool:
        """Whether who speaks at this hour is more likely still up than up already.

        Midnight sharp is what an import without a time of day has: it tells nothing.
        """
        return time() < self.wall.time() < time(UP_EARLY_HOUR)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of wall time, half-open, with its precision."""

    start: datetime
    end: datetime
    precision: Precision

    @property
    def is_day(self) -> bool:
        """Whether this is one calendar day."""
        return self.precision is Precision.DAY


def days(first: date, count: int = 1, precision: Precision = Precision.DAY) -> Stretch:
    """Return ``count`` whole days from ``first``."""
    start = datetime.combine(first, time())
    return Stretch(start, start + timedelta(days=count), precision)


def between(first: date, after: date, precision: Precision = Precision.RANGE) -> Stretch:
    """Return the days from ``first`` up to but without ``after``."""
    return Stretch(datetime.combine(first, time()), datetime.combine(after, time()), precision)


def add_days(day: date, count: int) -> date:
    """Return the day ``count`` days away."""
    return day + timedelta(days=count)


def monday(day: date, weeks: int = 0) -> date:
    """Return the Monday of the week of ``day``, ``weeks`` weeks away."""
    return day + timedelta(days=7 * weeks - day.weekday())


def month_length(year: int, month: int) -> int:
    """Return how many days a month has."""
    return calendar.monthrange(year, month)[1]


def add_months(day: date, count: int) -> date:
    """Return the same day ``count`` months away; a day the month lacks becomes its last."""
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, month_length(year, month + 1)))


def first_of_month(day: date, count: int = 0) -> date:
    """Return the first of the month ``count`` months away."""
    return add_months(day.replace(day=1), count)


def whole_month(year: int, month: int) -> Stretch:
    """Return a month."""
    first = date(year, month, 1)
    return between(first, add_months(first, 1), Precision.MONTH)


def whole_year(year: int) -> Stretch:
    """Return a year."""
    return between(date(year, 1, 1), date(year + 1, 1, 1), Precision.YEAR)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """Return the ``nth`` weekday of a month (negative counts from its end), or None."""
    if nth < 0:
        last = date(year, month, month_length(year, month))
        day = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-nth - 1))
    else:
        first = date(year, month, 1)
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return day if day.month == month else None


def to_instant(wall: datetime, zone: ZoneInfo, after: datetime | None = None) -> datetime:
    """Return the instant a wall time stands for, in the zone.

    A wall time skipped by a change of clocks moves forward by the gap; of one that happens twice
    the first is taken, unless it is already over at ``after``.
    """
    aware = wall.replace(tzinfo=zone)
    settled = aware.astimezone(UTC).astimezone(zone)
    second = wall.replace(tzinfo=zone, fold=1)
    twice = second.utcoffset() != aware.utcoffset() and settled.replace(tzinfo=None, fold=0) == wall
    if (
        twice
        and after is not None
        and settled < after.astimezone(zone)
        and settled.astimezone(UTC) < after.astimezone(UTC)
    ):
        return second.astimezone(UTC).astimezone(zone)
    return settled
