"""The clock everything asks. This is the one module that reads the machine's time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the present moment."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        return datetime.now(UTC)


class SettableClock:
    """A clock that stands where it is put: replays, time travel in the terminal, tests."""

    def __init__(self, start: datetime) -> None:
        self._now = as_utc(start)

    def now(self) -> datetime:
        """Return the moment the clock was last put at."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Put the clock at ``moment`` (aware)."""
        self._now = as_utc(moment)

    def advance(self, step: timedelta) -> None:
        """Move the clock by ``step``."""
        self._now += step


class OffsetClock:
    """Another clock, shifted: ``:skip 3d`` in the terminal."""

    def __init__(self, base: Clock, offset: timedelta = timedelta(0)) -> None:
        self._base = base
        self._offset = offset

    def now(self) -> datetime:
        """Return the base clock's time plus the offset."""
        return self._base.now() + self._offset

    def advance(self, step: timedelta) -> None:
        """Shift further by ``step``."""
        self._offset += step


def as_utc(moment: datetime) -> datetime:
    """Return ``moment`` in UTC; a naive one is refused with ``ValueError``."""
    if moment.tzinfo is None:
        raise ValueError("a naive datetime has no place here: give it a zone")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("an instant outside of the calendar: years 1 to 9999") from None
