"""From a frame and the moment of speaking to readings on the calendar."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from memory.grounding.calendar import (
    Moment,
    Stretch,
    add_days,
    add_months,
    between,
    days,
    monday,
    to_instant,
    whole_month,
    whole_year,
)
from memory.grounding.choice import Choice, only
from memory.grounding.compose import Node
from memory.grounding.frame import Distance, Frame, Shape, Unit
from memory.grounding.ground_date import ground_festival, ground_month, ground_week
from memory.grounding.ground_time import on_day, without_day
from memory.grounding.types import Tense
from memory.model import Precision

_SECONDS = {Unit.SECOND: 1, Unit.MINUTE: 60, Unit.HOUR: 3600}
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Grounded:
    """Readings as instants, best first."""

    readings: tuple[tuple[datetime, datetime], ...]
    precision: Precision
    ambiguous: bool


def ground(node: Node, moment: Moment) -> Grounded | None:
    """Return the readings of an expression, or None where it is no date."""
    try:
        if node.last is not None:
            return _ground_range(node.first, node.last, moment)
        distance = node.first.distance
        if distance is not None and distance.unit in _SECONDS:
            return _instants(distance, moment)
        return _settle(ground_frame(node.first, moment), moment)
    except (OverflowError, ValueError):  # beyond the years a calendar holds
        return None


def _settle(choice: Choice | None, moment: Moment) -> Grounded | None:
    if choice is None or not choice.stretches:
        return None
    readings = tuple(dict.fromkeys(_instant_pair(item, moment) for item in choice.stretches))
    first_days = {(item.start.date(), (item.end - _MINUTE).date()) for item in choice.stretches}
    starts = {pair[0] for pair in first_days}
    return Grounded(readings, choice.stretches[0].precision, choice.open_ and len(starts) > 1)


def _instant_pair(stretch: Stretch, moment: Moment) -> tuple[datetime, datetime]:
    after = moment.said_at if moment.tense is not Tense.PAST else None
    start = to_instant(stretch.start, moment.zone, after)
    if stretch.precision in {Precision.MINUTE, Precision.HOUR}:
        length = stretch.end - stretch.start
        return start, (start.astimezone(UTC) + length).astimezone(moment.zone)
    return start, to_instant(stretch.end, moment.zone)


def ground_frame(frame: Frame, moment: Moment) -> Choice | None:
    """Return the stretches of wall time a frame means."""
    if not frame.dated:
        return without_day(frame, moment) if frame.timed else ground_month(frame, moment)
    choice = _dates(frame, moment)
    if choice is None:
        return None
    choice = _agree_with_weekday(frame, choice)
    if choice is None or not frame.timed:
        return _felt_day(frame, choice, moment)
    stretches: list[Stretch] = []
    for stretch in choice.stretches:
        if (stretch.end - stretch.start) > timedelta(days=1):
            return None
        stretches.extend(on_day(frame, stretch.start.date()))
    if moment.tense is Tense.FUTURE and frame.weekday is not None and len(choice.stretches) > 1:
        stretches = [item for item in stretches if item.end > moment.wall]
    timed = Choice(tuple(dict.fromkeys(stretches)), choice.open_ or len(stretches) > len(choice.stretches))
    return _felt_day(frame, timed, moment)


def _felt_day(frame: Frame, choice: Choice | None, moment: Moment) -> Choice | None:
    """Add, in the small hours, the reading of someone for whom the night is not over (今晚, 明天 at 00:30)."""
    if choice is None or frame.day_rel is None or not moment.before_dawn or frame.weekday is not None:
        return choice
    earlier = tuple(
        Stretch(item.start - timedelta(days=1), item.end - timedelta(days=1), item.precision)
        for item in choice.stretches[:1]
    )
    if moment.tense is Tense.FUTURE and earlier[0].end <= moment.wall:
        return choice
    if moment.tense is Tense.PAST and earlier[0].start > moment.wall:
        return choice
    if moment.tense is Tense.PAST and choice.stretches[0].start > moment.wall:
        return Choice((*earlier, *choice.stretches), open_=True)
    return Choice((*choice.stretches, *earlier), open_=True)


def _agree_with_weekday(frame: Frame, choice: Choice) -> Choice | None:
    named = frame.weekday
    if named is None or not (frame.mday or frame.day_rel is not None or frame.festival):
        return choice
    agreeing = tuple(item for item in choice.stretches if item.start.weekday() == named)
    return Choice(agreeing, open_=choice.open_ and len(agreeing) > 1) if agreeing else None


def _dates(frame: Frame, moment: Moment) -> Choice | None:
    today = moment.today
    if frame.recur is not None:
        return None
    if frame.day_rel is not None:
        return only(days(add_days(today, frame.day_rel)))
    if frame.festival is not None:
        return ground_festival(frame, moment)
    if frame.distance is not None:
        return _far(frame, frame.distance, moment)
    if frame.mday is None and frame.nth is None and (frame.weekend or frame.workdays or frame.weekday is not None or frame.week_rel is not None):
        return ground_week(frame, moment)
    if frame.weekday is not None and frame.mday is not None and not frame.has_year:
        return _with_weekday(frame, moment)
    return ground_month(frame, moment)


def _with_weekday(frame: Frame, moment: Moment) -> Choice | None:
    """Let the weekday choose the year or month of a date that names none."""
    for tense in (moment.tense, Tense.FUTURE, Tense.PAST):
        choice = ground_month(frame, replace(moment, tense=tense))
        if choice and any(item.start.weekday() == frame.weekday for item in choice.stretches):
            return choice
    return None


def _far(frame: Frame, distance: Distance, moment: Moment) -> Choice | None:
    today, unit, sign = moment.today, distance.unit, distance.sign
    if distance.shape is not Shape.POINT:
        return _window(distance, moment)
    low, high = sign * distance.low, sign * distance.high
    if unit is Unit.WORKDAY:
        return only(days(_workday(today, int(low))))
    if unit is Unit.DAY:
        if distance.low < 1:
            return None
        first, last = sorted((int(low), int(high) + (sign if high % 1 else 0)))
        return only(days(add_days(today, first), last - first + 1, Precision.DAY if first == last else Precision.RANGE))
    if unit is Unit.WEEK:
        if frame.weekday is not None:
            return only(days(add_days(monday(today, int(low)), frame.weekday)))
        if frame.timed:
            return only(days(add_days(today, int(low * 7))))
        near, far = sorted((monday(today, int(low)), monday(today, int(high))))
        one = near == far
        return only(between(near, add_days(far, 7), Precision.WEEK if one else Precision.RANGE))
    months = 12 if unit is Unit.YEAR else 1
    if frame.timed:
        return only(days(add_months(today, int(low * months))))
    if unit is Unit.MONTH and distance.low == 0.5:
        return only(days(add_days(today, 15 * sign)))
    near_day, far_day = sorted((_months_away(today, low * months), _months_away(today, high * months)))
    if unit is Unit.YEAR and distance.low >= 2 and distance.low % 1 == 0:
        first, last = whole_year(near_day.year), whole_year(far_day.year)
    else:
        first, last = whole_month(near_day.year, near_day.month), whole_month(far_day.year, far_day.month)
    return only(Stretch(first.start, last.end, first.precision if first == last else Precision.RANGE))


def _months_away(today, months: float):  # noqa: ANN001, ANN202
    whole = int(months)
    return add_days(add_months(today, whole), round((months - whole) * 30))


def _workday(today, count: int):  # noqa: ANN001, ANN202
    day, step = today, 1 if count > 0 else -1
    while count:
        day = add_days(day, step)
        if day.weekday() < 5:
            count -= step
    return day


def _window(distance: Distance, moment: Moment) -> Choice | None:
    today, amount = moment.today, distance.low
    far = {
        Unit.DAY: lambda day, sign: add_days(day, sign * int(amount)),
        Unit.WORKDAY: lambda day, sign: _workday(day, sign * int(amount)),
        Unit.WEEK: lambda day, sign: add_days(day, sign * int(amount * 7)),
        Unit.MONTH: lambda day, sign: _months_away(day, sign * amount),
        Unit.YEAR: lambda day, sign: _months_away(day, sign * amount * 12),
    }[distance.unit]
    if distance.shape is Shape.LAST:
        return only(between(far(today, -1), today))
    tomorrow = add_days(today, 1)
    if distance.shape is Shape.NEXT:
        return only(between(tomorrow, far(tomorrow, 1)))
    return only(between(today, add_days(far(today, 1), 1)))


def _instants(distance: Distance, moment: Moment) -> Grounded:
    now = moment.said_at.astimezone(UTC).replace(second=0, microsecond=0)
    near = now + timedelta(seconds=distance.sign * distance.low * _SECONDS[distance.unit])
    far = now + timedelta(seconds=distance.sign * distance.high * _SECONDS[distance.unit])
    if distance.shape is not Shape.POINT:
        pair, precision = sorted((now, near)), Precision.RANGE
    elif near != far:
        pair, precision = sorted((near, far)), Precision.RANGE
    else:
        pair, precision = [near, near + _MINUTE], Precision.MINUTE
    start, end = (item.astimezone(moment.zone) for item in pair)
    return Grounded(((start, end),), precision, ambiguous=False)


def _floats(frame: Frame) -> bool:
    """Whether the frame names a date that comes again and again."""
    fixed = (frame.year, frame.year_rel, frame.month_rel, frame.week_rel, frame.day_rel, frame.distance)
    return frame.dated and all(slot is None for slot in fixed)


def _ground_range(first: Frame, last: Frame, moment: Moment) -> Grounded | None:
    head = ground_frame(first, moment)
    open_ = head is not None and head.open_
    if _floats(first) and _floats(last) and moment.tense is Tense.FUTURE and not first.timed:
        tail = ground_frame(last, moment)
        if tail is not None:
            pivot = to_instant(tail.stretches[0].end, moment.zone)
            head = ground_frame(first, replace(moment, said_at=pivot, tense=Tense.PAST))
            open_ = tail.open_
    if head is None:
        return None
    start = head.stretches[0]
    if _floats(last) or not last.dated:
        pivot = to_instant(start.start - _MINUTE, moment.zone)
        tail = ground_frame(last, replace(moment, said_at=pivot, tense=Tense.FUTURE))
    else:
        tail = ground_frame(last, moment)
    if tail is None:
        return None
    closing = tail.stretches[0]
    if first.clock is not None and last.clock is not None:
        later = [item for item in tail.stretches if item.start > start.start]
        closing = later[0] if later else replace(closing, start=closing.start + timedelta(days=1), end=closing.end + timedelta(days=1))
    end = closing.start if closing.precision in {Precision.MINUTE, Precision.HOUR} else closing.end
    if end <= start.start:
        return None
    whole = Stretch(start.start, end, Precision.RANGE)
    readings = ((to_instant(whole.start, moment.zone), to_instant(whole.end, moment.zone)),)
    others = tuple(
        (to_instant(item.start, moment.zone), to_instant(item.start + (end - start.start), moment.zone))
        for item in head.stretches[1:2]
    )
    return Grounded(readings + others, Precision.RANGE, ambiguous=open_ and bool(others))
