"""From a frame and the moment of speaking to readings on the calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from memory.grounding.calendar import (
    Moment,
    Stretch,
    add_days,
    add_months,
    days,
    first_of_month,
    monday,
    month_length,
    to_instant,
)
from memory.grounding.choice import Choice, by_tense, clear_lead, only
from memory.grounding.compose import Node, date_of
from memory.grounding.frame import NOW, Distance, Frame
from memory.grounding.ground_date import ground_festival, ground_month, ground_week
from memory.grounding.ground_distance import SECONDS, days_from, ground_distance, instants
from memory.grounding.ground_piece import cut, lasting_from
from memory.grounding.ground_time import WAKING_HOUR, on_day, without_day
from memory.grounding.types import Night, Tense
from memory.grounding.zones import zone_of
from memory.model import Precision

_MINUTE = timedelta(minutes=1)
_MONTHS_AROUND = 6
_HALF_YEAR = timedelta(days=200)
"""How far a weekday may confirm a date without a year; beyond, it is more likely a slip (own judgement)."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """Readings as instants, best first."""

    readings: tuple[tuple[datetime, datetime], ...]
    precision: Precision
    ambiguous: bool


def ground(node: Node, moment: Moment) -> Grounded | None:
    """Return the readings of an expression, or None where it is no date."""
    try:
        grounded = _ground(node, moment)
    except (OverflowError, ValueError):  # beyond the years a calendar holds
        return None
    if grounded is None or any(start >= end for start, end in grounded.readings):
        return None
    return grounded


def ground_abroad(node: Node, moment: Moment, zones: Sequence[str]) -> Grounded | None:
    """Return the readings of a time told by another place's clock, in the person's own zone.

    Where the date there is another than here, 明天 may be either place's: both are readings.
    """
    readings: list[tuple[datetime, datetime]] = []
    ambiguous, precision = False, Precision.MINUTE
    for name in zones:
        there = replace(moment, zone=zone_of(name))
        apart = moment.today - there.today
        for said_at in dict.fromkeys((moment.said_at, moment.said_at + apart)):
            if said_at != moment.said_at and node.first.day_rel is None:
                continue
            found = ground(node, replace(there, said_at=said_at))
            if found is None:
                return None
            ambiguous, precision = ambiguous or found.ambiguous, found.precision
            readings += (
                (start.astimezone(moment.zone), end.astimezone(moment.zone)) for start, end in found.readings
            )
    unique = tuple(dict.fromkeys(readings))
    return Grounded(unique, precision, ambiguous or len(unique) > 1)


def _ground(node: Node, moment: Moment) -> Grounded | None:
    if node.first.lasting is not None and node.last is not None:
        return None
    if node.last is not None:
        return _ground_range(node.first, node.last, moment)
    distance = node.first.distance
    if distance is not None and distance.unit in SECONDS:
        start, end, precision = instants(distance, moment)
        return Grounded(((start, end),), precision, ambiguous=False)
    return _settle(ground_frame(node.first, moment), moment)


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
    if frame.anchored is not None:
        return _count_from(frame, frame.anchored, moment)
    if frame.lasting is not None:
        opening = ground_frame(replace(frame, lasting=None), moment)
        return None if opening is None else lasting_from(opening, frame.lasting)
    if frame.look is not None and frame.nth is not None and frame.weekday is not None:
        return only(_weekdays_away(frame.nth * frame.look, frame.weekday, moment))
    if frame.look is not None:
        turned = Tense.FUTURE if frame.look > 0 else Tense.PAST
        return ground_frame(replace(frame, look=None), replace(moment, tense=turned))
    if not frame.dated:
        return without_day(frame, moment) if frame.timed else ground_month(frame, moment)
    choice = _dates(frame, moment)
    if choice is None:
        return None
    if frame.remainder is not None or frame.piece is not None:
        pieces = [cut(item, frame, moment) for item in choice.stretches]
        found = tuple(item for item in pieces if item is not None)
        if not found or not frame.timed:
            return Choice(found, open_=choice.open_) if found else None
        choice = Choice(found, open_=choice.open_)
    choice = _agree_with_weekday(frame, choice)
    if choice is not None and frame.whole_week and frame.nth is None:
        weeks = (days(monday(item.start.date()), 7, Precision.WEEK) for item in choice.stretches)
        return Choice(tuple(dict.fromkeys(weeks)), open_=choice.open_)
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


def _weekdays_away(count: int, weekday: int, moment: Moment) -> Stretch:
    """Return the day some weekdays ahead or back (two Sundays from now: not this coming one, the next)."""
    step = (weekday - moment.today.weekday()) % 7 or 7
    first = add_days(moment.today, step if count > 0 else step - 7 * (2 if step == 7 else 1))
    return days(add_days(first, 7 * (count - 1 if count > 0 else count + 1)))


def _count_from(frame: Frame, distance: Distance, moment: Moment) -> Choice | None:
    """Count from the date named beside the distance; without one it counts from something untold."""
    bare = replace(frame, anchored=None, clock=None, daypart=None)
    anchor = ground_frame(bare, moment) if bare.dated else None
    if anchor is None:
        return None
    found = [days_from(item, distance) for item in anchor.stretches]
    far = [item for item in found if item is not None]
    if len(far) != len(found):
        return None
    if frame.timed:
        far = [timed for item in far for timed in on_day(frame, item.start.date())]
    return Choice(tuple(dict.fromkeys(far)), open_=anchor.open_ or len(far) > len(anchor.stretches))


def _day_of_some_month(frame: Frame, moment: Moment) -> Choice | None:
    """Find the month whose day falls on the weekday named beside it (Friday the 13th)."""
    first = first_of_month(moment.today)
    found: list[Stretch] = []
    for shift in range(-_MONTHS_AROUND, _MONTHS_AROUND + 1):
        month = add_months(first, shift)
        if (frame.mday or 32) <= month_length(month.year, month.month):
            day = month.replace(day=frame.mday or 1)
            if day.weekday() == frame.weekday:
                found.append(days(day))
    return by_tense(found, moment, sure=clear_lead) if found else None


def _felt_day(frame: Frame, choice: Choice | None, moment: Moment) -> Choice | None:
    """Add, in the small hours, the reading of someone for whom the night is not over (明天 at 00:30).

    What lies ahead is late at night, to most, in the coming daylight: that reading comes first. Only words
    that tell whether they have slept (還沒睡, 剛起床) make one of the two sure.
    """
    if choice is None or frame.day_rel is None or not moment.before_dawn or frame.weekday is not None:
        return choice
    if moment.night is Night.OVER:
        return choice
    earlier = tuple(
        Stretch(item.start - timedelta(days=1), item.end - timedelta(days=1), item.precision)
        for item in choice.stretches[:1]
    )
    if moment.tense is Tense.FUTURE and earlier[0].end <= moment.wall:
        return choice
    if moment.tense is Tense.PAST and earlier[0].start > moment.wall:
        return choice
    if moment.night is Night.ON and (frame.day_rel or moment.tense is not Tense.NONE):
        return Choice(earlier, open_=choice.open_)
    if (moment.tense is Tense.FUTURE and moment.late_night) or (
        moment.tense is Tense.PAST and choice.stretches[0].start > moment.wall
    ):
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
    if frame.distance == NOW:
        return only(Stretch(moment.wall, moment.wall + _MINUTE, Precision.MINUTE))
    if frame.distance is not None:
        return ground_distance(frame, frame.distance, moment)
    if (
        frame.mday is None
        and frame.nth is None
        and (frame.weekend or frame.workdays or frame.weekday is not None or frame.week_rel is not None)
    ):
        return ground_week(frame, moment)
    if frame.weekday is not None and frame.mday is not None and not frame.has_year:
        return _with_weekday(frame, moment)
    return ground_month(frame, moment)


def _with_weekday(frame: Frame, moment: Moment) -> Choice | None:
    """Let the weekday choose the year or month of a date that names none."""
    tenses = (Tense.FUTURE, Tense.PAST) if moment.tense is Tense.NONE else (moment.tense,)
    if not frame.has_month:
        return _day_of_some_month(frame, moment)
    for tense in tenses:
        choice = ground_month(frame, replace(moment, tense=tense))
        if choice is None:
            continue
        day = choice.stretches[0].start
        if day.weekday() == frame.weekday and abs(day - moment.wall) < _HALF_YEAR:
            return choice
    return None


def _floats(frame: Frame) -> bool:
    """Whether the frame names a date that comes again and again."""
    fixed = (frame.year, frame.year_rel, frame.month_rel, frame.week_rel, frame.day_rel, frame.distance)
    return frame.dated and all(slot is None for slot in fixed)


def _next_day(stretch: Stretch) -> Stretch:
    day = timedelta(days=1)
    return replace(stretch, start=stretch.start + day, end=stretch.end + day)


def _bare(frame: Frame) -> bool:
    clock = frame.clock
    return clock is not None and not clock.fixed and frame.daypart is None and not frame.dated


def _waking_hours(first: Frame, last: Frame, moment: Moment) -> Choice | None:
    """Return where a run of bare hours (三點到五點) lies within one day's waking hours, by tense."""
    runs: list[Stretch] = []
    for shift in (-1, 0, 1):
        day = add_days(moment.today, shift)
        for opening in on_day(first, day):
            closings = [item.start for item in on_day(last, day) if item.start > opening.start]
            if closings and opening.start.hour >= WAKING_HOUR:
                runs.append(Stretch(opening.start, min(closings), Precision.RANGE))
    runs.sort(key=lambda item: item.start)
    ahead = [item for item in runs if item.end > moment.wall]
    back = [item for item in reversed(runs) if item.start <= moment.wall]
    if moment.tense is Tense.PAST:
        return Choice(tuple(back[:1]))
    if moment.tense is Tense.FUTURE or (ahead and ahead[0].start.date() == moment.today):
        return Choice(tuple(ahead[:1]))
    return Choice((*back[:1], *ahead[:1]), open_=True)


def _ground_range(first: Frame, last: Frame, moment: Moment) -> Grounded | None:
    if _bare(first) and _bare(last):
        hours = _waking_hours(first, last, moment)
        if hours is not None and hours.stretches:
            return _settle(hours, moment)
    head = ground_frame(first, moment)
    open_ = head is not None and head.open_
    if _floats(first) and _floats(last) and moment.tense is Tense.FUTURE and not first.timed:
        closing_first = ground_frame(last, moment)
        if closing_first is not None:
            pivot = to_instant(closing_first.stretches[0].end, moment.zone)
            head = ground_frame(first, replace(moment, said_at=pivot, tense=Tense.PAST))
            open_ = closing_first.open_
    if head is None:
        return None
    start = head.stretches[0]
    tail: Choice | None
    if last.morrow:
        tail = Choice(on_day(last, add_days(start.start.date(), 1)))
    elif first.clock is not None and last.clock is not None and date_of(first) == date_of(last):
        tail = Choice(on_day(last, start.start.date()))
    elif _floats(last) or not last.dated:
        pivot = to_instant(start.start - _MINUTE, moment.zone)
        tail = ground_frame(last, replace(moment, said_at=pivot, tense=Tense.FUTURE))
    else:
        tail = ground_frame(last, moment)
    if tail is None:
        return None
    closing = tail.stretches[0]
    if first.clock is not None and last.clock is not None:
        later = [
            item for item in (*tail.stretches, *map(_next_day, tail.stretches)) if item.start > start.start
        ]
        closing = min(later, key=lambda item: item.start, default=closing)
    end = closing.start if closing.precision in {Precision.MINUTE, Precision.HOUR} else closing.end
    if end <= start.start:
        return None
    whole = Stretch(start.start, end, Precision.RANGE)
    readings = ((to_instant(whole.start, moment.zone), to_instant(whole.end, moment.zone)),)
    others = tuple(
        (to_instant(item.start, moment.zone), to_instant(item.start + (end - start.start), moment.zone))
        for item in head.stretches[1:2]
    )
    starts = {item[0].date() for item in readings + others}
    return Grounded(readings + others, Precision.RANGE, ambiguous=open_ and len(starts) > 1)
