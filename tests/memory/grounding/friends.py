"""Times told to a friend and what they mean, worked out with plain calendar arithmetic.

Each row is what was said, when, and the stretches meant in order; no stretch where nothing is surely
a date. Stretches are half-open wall times.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

Stretch = tuple[datetime, datetime]

SATURDAY = datetime.fromisoformat("2026-09-12T21:30")
MONDAY = datetime.fromisoformat("2026-11-30T08:20")
WEDNESDAY = datetime.fromisoformat("2027-02-03T23:10")
THURSDAY = datetime.fromisoformat("2026-05-28T13:05")


@dataclass(frozen=True)
class Row:
    """One thing said."""

    text: str
    said: datetime
    meant: tuple[Stretch, ...]


def row(text: str, said: datetime, *meant: Stretch) -> Row:
    """Return a row."""
    return Row(text, said, meant)


def day(year: int, month: int, mday: int, count: int = 1) -> Stretch:
    """Return whole days."""
    first = datetime.combine(date(year, month, mday), time())
    return first, first + timedelta(days=count)


def off(said: datetime, days: int, count: int = 1) -> Stretch:
    """Return whole days some days away from the day of speaking."""
    first = datetime.combine(said.date(), time()) + timedelta(days=days)
    return first, first + timedelta(days=count)


def week(said: datetime, weeks: int, weekday: int = 0, count: int = 1) -> Stretch:
    """Return days of a calendar week some weeks away (Monday 0)."""
    return off(said, 7 * weeks - said.weekday() + weekday, count)


def part(of: Stretch, low: int, high: int) -> Stretch:
    """Return the hours of a day."""
    return of[0] + timedelta(hours=low), of[0] + timedelta(hours=high)


def clock(of: Stretch, hour: int, minute: int = 0) -> Stretch:
    """Return a minute of a day."""
    start = of[0] + timedelta(hours=hour, minutes=minute)
    return start, start + timedelta(minutes=1)


def later(said: datetime, minutes: int) -> Stretch:
    """Return the minute some minutes away."""
    start = said + timedelta(minutes=minutes)
    return start, start + timedelta(minutes=1)


def until(first: Stretch, last: Stretch) -> Stretch:
    """Return from the start of one to the end of another."""
    return first[0], last[1]


def hours(first: Stretch, last: Stretch) -> Stretch:
    """Return from one clock time up to another."""
    return first[0], last[0]
