"""The axis of time: which stretch a picture shows, where a moment falls, which days carry a label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from bot.timeline.spans import Times
from memory.catalog import Catalog

_SHORTEST = timedelta(days=6)  # a first evening is not blown up into minutes
_MARGIN = 0.03
_MOST_AHEAD = 0.5  # of what lies behind: one date far away must not squeeze everything else
_HINT_AHEAD = 0.1  # room after now for what runs off the edge
_LEAST_AHEAD = timedelta(days=21)
_STEPS = (
    (1, "day"),
    (2, "day"),
    (7, "day"),
    (14, "day"),
    (1, "month"),
    (3, "month"),
    (12, "month"),
    *((years * 12, "month") for years in (5, 10, 20, 50, 100)),
)


@dataclass(frozen=True, slots=True)
class Axis:
    """A stretch of time on a stretch of pixels."""

    start: datetime
    end: datetime
    left: float
    right: float

    def at(self, moment: datetime) -> float:
        """Return where a moment falls, held inside the axis."""
        share = (moment - self.start) / (self.end - self.start)
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)


@dataclass(frozen=True, slots=True)
class Tick:
    """A day with a label."""

    x: float
    label: str


def axis_of(times: Sequence[Times], now: datetime, left: float, right: float) -> Axis:
    """Return the axis that shows when everything was learned, and what lies ahead.

    What was true long before anything was said (a birthday) and what lies far ahead does not
    stretch it: such bars run off the edge.
    """
    behind = [t.known.start or t.known.end for t in times] + [t.known.end for t in times]
    first = min([now - _SHORTEST, *behind])
    past = now - first
    reach = now + max(past * _MOST_AHEAD, _LEAST_AHEAD)
    ahead = [t.true.end for t in times if t.true.start is not None and now < t.true.start <= reach]
    ahead += [t.known.end for t in times]
    if any(t.true.start is not None and t.true.start > reach for t in times):
        ahead.append(now + past * _HINT_AHEAD)
    last = min(max([now, *ahead]), reach)
    margin = (last - first) * _MARGIN
    return Axis(first - margin, last + margin, left, right)


def ticks(axis: Axis, zone: str, words: Catalog, gap: float) -> tuple[Tick, ...]:
    """Return labelled days of a person's calendar, at least ``gap`` pixels apart; the coarsest that fit."""
    for count, unit in _STEPS:
        days = list(_days(axis, zone, count, unit))
        xs = [axis.at(_midnight(day, zone)) for day in days]
        if all(after - before >= gap for before, after in pairwise(xs)):
            break
    else:
        return ()
    years = [None, *(day.year for day in days)]
    return tuple(
        Tick(x, _label(day, unit, words, new_year=day.year != before))
        for day, x, before in zip(days, xs, years, strict=False)
    )


def _days(axis: Axis, zone: str, count: int, unit: str) -> Iterator[date]:
    first, last = (moment.astimezone(ZoneInfo(zone)).date() for moment in (axis.start, axis.end))
    if unit == "day":
        # weeks begin on Mondays: ordinal 1 was one
        ordinal = (
            first.toordinal() + (1 - first.toordinal()) % count if count % 7 == 0 else first.toordinal() + 1
        )
        while ordinal <= last.toordinal():
            yield from _inside((date.fromordinal(ordinal),), axis, zone)
            ordinal += count
        return
    month = -(-(first.year * 12 + first.month - 1) // count) * count
    while month <= last.year * 12 + last.month - 1:
        yield from _inside((date(month // 12, month % 12 + 1, 1),), axis, zone)
        month += count


def _inside(days: Iterable[date], axis: Axis, zone: str) -> Iterator[date]:
    return (day for day in days if axis.start <= _midnight(day, zone) <= axis.end)


def _midnight(day: date, zone: str) -> datetime:
    return datetime.combine(day, time.min, ZoneInfo(zone))


def _label(day: date, unit: str, words: Catalog, *, new_year: bool) -> str:
    name = words.get("ticks.months")[day.month - 1]
    key = "day" if unit == "day" else "month"
    # the year is told once, and again where it changes
    if new_year:
        key = f"{key}_of_year"
    return words.text(f"ticks.{key}", year=day.year, month=day.month, month_name=name, day=day.day)
