"""Waking hours in a person's own zone: is it day there, since when, and when is it day again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from memory.clock import as_utc
from memory.people import Person

_DAYS_AHEAD = 3
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WakingHours:
    """From one time of day to another, half-open, on the clock of a zone; it may span midnight.

    Equal ends are no hours at all.
    """

    start: time
    end: time
    zone: ZoneInfo

    def include(self, moment: datetime) -> bool:
        """Whether it is day for the person."""
        clock = moment.astimezone(self.zone).time()
        if self.start <= self.end:
            return self.start <= clock < self.end
        return clock >= self.start or clock < self.end

    @property
    def length(self) -> timedelta:
        """How long a day of theirs is on the clock."""
        return (_since_midnight(self.end) - _since_midnight(self.start)) % _DAY

    def opened(self, moment: datetime) -> datetime:
        """Return when the waking hours last began, at ``moment`` or before."""
        return max(opening for opening in self._openings(moment, -2) if opening <= moment)

    def next_opening(self, moment: datetime) -> datetime | None:
        """Return when it is day again after ``moment``; None where it never is.

        An hour that the change to summer time leaves out begins when the clocks have jumped.
        """
        ahead = (opening for opening in self._openings(moment, 0) if opening > moment)
        return next((opening for opening in ahead if self.include(opening)), None)

    def midnight_after(self, moment: datetime) -> datetime:
        """Return when the person's next calendar day begins."""
        day = moment.astimezone(self.zone).date() + _DAY
        return as_utc(datetime.combine(day, time.min, self.zone))

    def same_day(self, one: datetime, other: datetime) -> bool:
        """Whether two moments fall on one calendar day of the person."""
        return one.astimezone(self.zone).date() == other.astimezone(self.zone).date()

    def _openings(self, moment: datetime, first: int) -> list[datetime]:
        today = moment.astimezone(self.zone).date()
        days = (today + timedelta(days=n) for n in range(first, _DAYS_AHEAD + 1))
        return [as_utc(datetime.combine(day, self.start, self.zone)) for day in days]


def hours_of(person: Person, start: time, end: time, default_zone: str) -> WakingHours | None:
    """Return a person's waking hours: outside their quiet hours, else the house's ``start`` to ``end``.

    An unset zone is the default one. None where the zone can't be loaded or the hours can't be read:
    then nothing is sent, rather than at an hour nobody can name.
    """
    try:
        zone = ZoneInfo(person.zone if person.zone is not None else default_zone)
        if person.quiet_from is not None or person.quiet_to is not None:
            start, end = _clock(person.quiet_to), _clock(person.quiet_from)
    except (LookupError, ValueError, OSError):
        return None
    return WakingHours(start, end, zone)


def _clock(text: str | None) -> time:
    clock = time.fromisoformat(text or "")
    if clock.tzinfo is not None:
        raise ValueError("a time of day has no offset")
    return clock


def _since_midnight(clock: time) -> timedelta:
    return timedelta(hours=clock.hour, minutes=clock.minute, seconds=clock.second)
