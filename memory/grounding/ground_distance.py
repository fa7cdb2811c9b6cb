"""Distances from the moment of speaking: three days on, the last two weeks, two hours ago."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from memory.grounding.calendar import (
    Moment,
    Stretch,
    add_days,
    add_months,
    between,
    days,
    monday,
    whole_month,
    whole_year,
)
from memory.grounding.choice import Choice, only
from memory.grounding.frame import Distance, Frame, Shape, Unit
from memory.model import Precision

SECONDS = {Unit.SECOND: 1, Unit.MINUTE: 60, Unit.HOUR: 3600}
"""The units that are lengths of time, not of the calendar."""
_MINUTE = timedelta(minutes=1)
_HALF_MONTH = 15


def instants(distance: Distance, moment: Moment) -> tuple[datetime, datetime, Precision]:
    """Return where a distance in hours or less leads, as instants in the zone."""
    now = moment.said_at.astimezone(UTC).replace(second=0, microsecond=0)
    near = now + timedelta(seconds=distance.sign * distance.low * SECONDS[distance.unit])
    far = now + timedelta(seconds=distance.sign * distance.high * SECONDS[distance.unit])
    precision = Precision.RANGE
    if distance.shape is not Shape.POINT:
        start, end = sorted((now, near))
    elif near != far:
        start, end = sorted((near, far))
    else:
        start, end, precision = near, near + _MINUTE, Precision.MINUTE
    return start.astimezone(moment.zone), end.astimezone(moment.zone), precision


def ground_distance(frame: Frame, distance: Distance, moment: Moment) -> Choice | None:
    """Ground a distance in days or more.

    Weeks, months and years away are as exact as their unit: 兩週後 is a week, 一個月後 a month. A time
    of day beside them asks for the very day.
    """
    if distance.unit in SECONDS:
        return None
    if distance.shape is not Shape.POINT:
        return _window(distance, moment.today)
    today, unit, sign = moment.today, distance.unit, distance.sign
    low, high = sign * distance.low, sign * distance.high
    if unit is Unit.WORKDAY:
        return only(days(_workday(today, int(low))))
    if unit is Unit.DAY:
        return _some_days(distance, today)
    if unit is Unit.WEEK:
        if frame.weekday is not None:
            return only(days(add_days(monday(today, int(low)), frame.weekday)))
        if frame.weekend:
            return only(days(add_days(monday(today, int(low)), 5), 2, Precision.WEEKEND))
        if frame.timed:
            return only(days(add_days(today, int(low * 7))))
        near, far = sorted((monday(today, int(low)), monday(today, int(high))))
        precision = Precision.WEEK if near == far else Precision.RANGE
        return only(between(near, add_days(far, 7), precision))
    months = 12 if unit is Unit.YEAR else 1
    if frame.timed:
        return only(days(add_months(today, int(low * months))))
    if unit is Unit.MONTH and distance.high == 0.5:
        return only(days(add_days(today, _HALF_MONTH * sign)))
    return only(_months(distance, sorted((_shift(today, low * months), _shift(today, high * months)))))


def _some_days(distance: Distance, today: date) -> Choice | None:
    if distance.low < 1:
        return None
    more = 1 if distance.high % 1 else 0
    ends = (int(distance.low) * distance.sign, (int(distance.high) + more) * distance.sign)
    first, last = min(ends), max(ends)
    precision = Precision.DAY if first == last else Precision.RANGE
    return only(days(add_days(today, first), last - first + 1, precision))


def _months(distance: Distance, ends: list[date]) -> Stretch:
    near, far = ends
    if distance.unit is Unit.YEAR and distance.low >= 2 and distance.low % 1 == 0:
        first, last = whole_year(near.year), whole_year(far.year)
    else:
        first, last = whole_month(near.year, near.month), whole_month(far.year, far.month)
    return Stretch(first.start, last.end, first.precision if first == last else Precision.RANGE)


def days_from(anchor: Stretch, distance: Distance) -> Stretch | None:
    """Return the day a whole distance away from a day; None where that isn't one."""
    if distance.low % 1 or distance.low != distance.high or not anchor.is_day:
        return None
    day, amount = anchor.start.date(), int(distance.low) * distance.sign
    if distance.unit in SECONDS:
        return None
    return days(_step(distance.unit)(day, amount))


def _step(unit: Unit) -> Callable[[date, float], date]:
    return {
        Unit.DAY: lambda day, amount: add_days(day, int(amount)),
        Unit.WORKDAY: lambda day, amount: _workday(day, int(amount)),
        Unit.WEEK: lambda day, amount: add_days(day, int(amount * 7)),
        Unit.MONTH: _shift,
        Unit.YEAR: lambda day, amount: _shift(day, amount * 12),
    }[unit]


def _shift(day: date, months: float) -> date:
    """Return the day some months away; half a month is fifteen days."""
    whole = int(months)
    return add_days(add_months(day, whole), round((months - whole) * 2 * _HALF_MONTH))


def _workday(day: date, count: int) -> date:
    step = 1 if count > 0 else -1
    while count:
        day = add_days(day, step)
        if day.weekday() < 5:
            count -= step
    return day


def _window(distance: Distance, today: date) -> Choice | None:
    far = _step(distance.unit)
    if distance.low <= 0:
        return None
    if distance.shape is Shape.LAST:
        return only(between(far(today, -distance.low), today))
    tomorrow = add_days(today, 1)
    if distance.shape is Shape.NEXT:
        return only(between(tomorrow, far(tomorrow, distance.low)))
    return only(between(today, add_days(far(today, distance.low), 1)))
