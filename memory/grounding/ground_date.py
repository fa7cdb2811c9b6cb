"""From the date slots of a frame to stretches of the calendar."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta
from math import inf

from memory.grounding.calendar import (
    Moment,
    Stretch,
    add_days,
    add_months,
    between,
    days,
    first_of_month,
    monday,
    month_length,
    nth_weekday,
    whole_month,
    whole_year,
)
from memory.grounding.choice import FEAST_LEAN, Choice, by_tense, clear_lead, only
from memory.grounding.festival_names import BY_ZONE
from memory.grounding.festivals import NEAR_NEW_YEAR, Days, bridge_days, festival_days, lunar_day
from memory.grounding.frame import Frame, Part
from memory.grounding.ground_piece import decade, quarter_away, quarter_from, week_of_year, weekend_around
from memory.grounding.types import Tense
from memory.model import Precision

_MAINLAND = {"Asia/Shanghai", "Asia/Urumqi", "Asia/Chongqing", "Asia/Harbin", "PRC"}
_NEW_YEAR_TALK = timedelta(days=45)
"""How far from New Year a bare 初二 is its second day (own judgement)."""
_NEW_YEAR = {"lunar_eve", "little_eve", "spring", "spring_holiday"}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_WEEK_PARTS = {
    Part.EARLY: (0, 2), Part.MIDDLE: (2, 2), Part.FIRST_HALF: (0, 3), Part.SECOND_HALF: (3, 4),
}  # fmt: skip
"""First day and how many: 週初, 週間, 上半週, 下半週; the rest of the week is its end."""
_YEAR_PARTS = {
    Part.EARLY: (1, 2), Part.MIDDLE: (6, 2), Part.LATE: (12, 1), Part.END: (12, 1),
    Part.FIRST_HALF: (1, 6), Part.SECOND_HALF: (7, 6),
}  # fmt: skip
"""First month and how many: what 年初, 年中, 年底, 上半年, 下半年 cover."""


def _year_of(frame: Frame, moment: Moment) -> int | None:
    if frame.year is not None:
        return frame.year
    return None if frame.year_rel is None else moment.today.year + frame.year_rel


def _each(years: Iterable[int], make: Callable[[int], Stretch | None]) -> list[Stretch]:
    found = [make(year) for year in years]
    return [item for item in found if item is not None]


def _around(moment: Moment, reach: int = 1) -> range:
    return range(moment.today.year - reach, moment.today.year + reach + 1)


def _month_part(first: date, part: Part) -> Stretch:
    last = month_length(first.year, first.month)
    low, high = {
        Part.EARLY: (1, 10), Part.MIDDLE: (11, 20), Part.LATE: (21, last), Part.END: (last, last),
        Part.FIRST_HALF: (1, 15), Part.SECOND_HALF: (16, last),
    }[part]  # fmt: skip
    if part is Part.END:
        return days(first.replace(day=last))
    return between(first.replace(day=low), add_days(first.replace(day=high), 1), Precision.MONTH_PART)


def _year_part(year: int, part: Part) -> Stretch:
    month, count = _YEAR_PARTS[part]
    first = date(year, month, 1)
    return between(first, add_months(first, count))


def ground_week(frame: Frame, moment: Moment) -> Choice | None:
    """Ground weeks, weekends and weekdays."""
    today = moment.today
    if frame.weekend:
        if frame.week_rel is not None:
            picked = days(add_days(monday(today, frame.week_rel), 5), 2, Precision.WEEKEND)
            if frame.loose_week and frame.week_rel == 1 and today.weekday() < 5:
                coming = days(add_days(monday(today), 5), 2, Precision.WEEKEND)
                return Choice((picked, coming), open_=True)
            return only(picked)
        ends = [days(add_days(monday(today, week), 5), 2, Precision.WEEKEND) for week in (-1, 0, 1)]
        return by_tense(ends, moment, sure=lambda near, _: near == 0.0, lean=inf)
    if frame.workdays:
        return only(days(monday(today, frame.week_rel or 0), 5, Precision.RANGE))
    if frame.weekday_last is not None:
        return _weekday_run(frame, moment)
    if frame.weekday is None:
        first = monday(today, frame.week_rel or 0)
        if frame.part is not None:
            start, count = _WEEK_PARTS.get(frame.part, (4, 3))
            return only(days(add_days(first, start), count, Precision.RANGE))
        return only(days(first, 7, Precision.WEEK))
    if frame.week_rel is not None:
        return _weekday_of_week(frame.weekday, frame.week_rel, moment, loose=bool(frame.loose_week))
    options = [
        days(add_days(today, shift))
        for shift in range(-7, 8)
        if (today + timedelta(shift)).weekday() == frame.weekday
    ]
    return by_tense(options, moment, include_current=False, lean=inf)


def _weekday_run(frame: Frame, moment: Moment) -> Choice | None:
    first = ground_week(replace(frame, weekday_last=None), moment)
    count = ((frame.weekday_last or 0) - (frame.weekday or 0)) % 7 + 1
    if first is None:
        return None
    runs = (days(item.start.date(), count, Precision.RANGE) for item in first.stretches)
    return Choice(tuple(runs), open_=first.open_)


def _weekday_of_week(weekday: int, week: int, moment: Moment, *, loose: bool) -> Choice:
    picked = add_days(monday(moment.today, week), weekday)
    if loose and week >= 1 and weekday > moment.today.weekday():
        return Choice((days(picked), days(add_days(picked, -7))), open_=True)
    if loose and week <= -1 and weekday < moment.today.weekday():
        return Choice((days(picked), days(add_days(picked, 7))), open_=True)
    return Choice((days(picked),))


def ground_month(frame: Frame, moment: Moment) -> Choice | None:
    """Ground days of months, months, parts of months and of years, quarters, seasons."""
    year = _year_of(frame, moment)
    if frame.lunar:
        return _lunar(frame, moment, year)
    if frame.season == "year":
        part = frame.part or Part.LATE
        if year is not None:
            return only(_year_part(year, part))
        return by_tense([_year_part(y, part) for y in _around(moment)], moment, sure=clear_lead)
    if frame.season == "month" and frame.part is not None:
        months = (first_of_month(moment.today, shift) for shift in (-1, 0, 1))
        parts = [_month_part(first, frame.part) for first in months]
        return only(parts[1]) if moment.tense is Tense.NONE else by_tense(parts, moment)
    if frame.season is not None:
        return _season(frame, moment, year)
    if frame.decade is not None:
        return decade(frame.decade, frame.part, moment)
    if frame.quarter_rel is not None:
        return only(quarter_away(frame.quarter_rel, frame.part, moment))
    if frame.quarter is not None:
        month = 3 * frame.quarter - 2
        options = [quarter_from(date(y, month, 1), frame.part) for y in _years(year, moment)]
        return by_tense(options, moment, sure=clear_lead) if year is None else only(options[0])
    if frame.nth is not None:
        return _nth(frame, moment, year)
    if frame.month_rel is not None:
        return only(_in_month(first_of_month(moment.today, frame.month_rel), frame))
    if frame.month is not None:
        month = frame.month
        if year is not None:
            return only(_in_month(date(year, month, 1), frame))
        reach = 8 if frame.mday == 29 and month == 2 else 1
        found = [_in_month(date(y, month, 1), frame) for y in _around(moment, reach)]
        return by_tense([item for item in found if item is not None], moment, sure=clear_lead)
    if frame.mday is not None:
        first = first_of_month(moment.today)
        found = [_in_month(add_months(first, shift), frame) for shift in range(-2, 3)]
        return by_tense([item for item in found if item is not None], moment)
    if year is None:
        return None
    if frame.year_last is not None:
        return only(between(date(year, 1, 1), date(frame.year_last + 1, 1, 1)))
    return only(whole_year(year) if frame.part is None else _year_part(year, frame.part))


def _years(year: int | None, moment: Moment) -> Iterable[int]:
    return _around(moment) if year is None else (year,)


def _in_month(first: date, frame: Frame) -> Stretch | None:
    if frame.mday is not None:
        if frame.mday > month_length(first.year, first.month):
            return None
        day = first.replace(day=frame.mday)
        if frame.mday_last is None:
            return days(day)
        if not frame.mday < frame.mday_last <= month_length(first.year, first.month):
            return None
        return between(day, add_days(first.replace(day=frame.mday_last), 1))
    if frame.part is not None:
        return _month_part(first, frame.part)
    return whole_month(first.year, first.month)


def _nth(frame: Frame, moment: Moment, year: int | None) -> Choice | None:
    nth, weekday = frame.nth or 1, 5 if frame.weekend else frame.weekday or 0
    if frame.weekend and not frame.has_month:
        return None
    if frame.whole_week and not frame.has_month:
        return None if year is None else week_of_year(year, nth)
    if frame.whole_week and nth < 0:
        return _last_week(frame, moment)

    def made(day: date) -> Stretch:
        if frame.weekend:
            return days(day, 2, Precision.WEEKEND)
        return days(day, 7, Precision.WEEK) if frame.whole_week else days(day)

    if frame.month_rel is not None or frame.month is None:
        first = first_of_month(moment.today, frame.month_rel or 0)
        found = nth_weekday(first.year, first.month, weekday, nth)
        return only(made(found)) if found else None
    options = [nth_weekday(y, frame.month, weekday, nth) for y in _years(year, moment)]
    stretches = [made(item) for item in options if item is not None]
    if year is not None:
        return only(stretches[0]) if stretches else None
    return by_tense(stretches, moment, sure=clear_lead)


def _last_week(frame: Frame, moment: Moment) -> Choice | None:
    """Read the last week of a month as its last seven days or as the week its last Monday begins."""
    months = ground_month(replace(frame, nth=None, weekday=None, whole_week=None), moment)
    if months is None:
        return None
    ends = [item.end.date() for item in months.stretches]
    found = [
        item
        for end in ends
        for item in (
            days(add_days(end, -7), 7, Precision.WEEK),
            days(monday(add_days(end, -1)), 7, Precision.WEEK),
        )
    ]
    unique = tuple(dict.fromkeys(found))
    return Choice(unique, open_=months.open_ or len(unique) > len(ends))


def _season(frame: Frame, moment: Moment, year: int | None) -> Choice | None:
    month = _SEASONS[frame.season or "spring"]

    def make(y: int) -> Stretch:
        first = date(y, month, 1)
        return between(first, add_months(first, 3))

    if year is not None:
        return only(make(year))
    options = [make(y) for y in _around(moment, 2)]
    now = moment.wall
    if frame.season_rel is None:
        return by_tense(options, moment, sure=clear_lead)
    if frame.season_rel < 0:
        over = [item for item in options if item.end <= now]
        recent = over[-1].start.year == moment.today.year
        return Choice(tuple(reversed(over[-2:])), open_=True) if recent else only(over[-1])
    if frame.season_rel == 0:
        held = [item for item in options if item.start <= now < item.end]
        held += [item for item in options if item.start.year == now.year]
        coming = [item for item in options if item.start > now]
        return only(coming[0] if held[0].end <= now and moment.tense is Tense.FUTURE else held[0])
    coming = [item for item in options if item.start > now]
    this_year = coming[0].start.year == moment.today.year
    return Choice(tuple(coming[:2]), open_=True) if this_year else only(coming[0])


def _lunar(frame: Frame, moment: Moment, year: int | None) -> Choice | None:
    month, mday = frame.month or 1, frame.mday

    def make(y: int) -> Stretch | None:
        first = lunar_day(y, month, mday or 1, bool(frame.leap))
        if first is None:
            return None
        if mday is not None:
            return days(first)
        length = 30 if lunar_day(y, month, 30, bool(frame.leap)) else 29
        return days(first, length, Precision.MONTH)

    if year is not None:
        return only(make(year))
    return by_tense(_each(_around(moment, 2), make), moment, sure=clear_lead)


def ground_festival(frame: Frame, moment: Moment) -> Choice | None:
    """Ground a named day, its eve or its long weekend."""
    name = frame.festival or ""
    if name in BY_ZONE:
        name = BY_ZONE[name][moment.zone.key in _MAINLAND]
    shift = frame.shift or 0

    def make(y: int) -> Stretch | None:
        found: Days | None = bridge_days(name, y) if frame.bridge else festival_days(name, y)
        if found is None:
            return None
        first, after = add_days(found[0], shift), add_days(found[1], shift)
        if frame.weekend:
            return weekend_around(first)
        return days(first) if (after - first).days == 1 else between(first, after)

    year = _year_of(frame, moment)
    if year is not None:
        in_year = only(make(year))
        over = in_year is not None and in_year.stretches[0].end <= moment.wall
        if over and name in _NEW_YEAR and frame.year_rel == 0 and moment.tense is Tense.FUTURE:
            return only(make(year + 1))  # 今年過年要… said in autumn means the one that is coming
        return in_year
    options = sorted(_each(_around(moment, 2), make), key=lambda item: item.start)
    if name.startswith(NEAR_NEW_YEAR):
        near = [item for item in options if abs(item.start - moment.wall) < _NEW_YEAR_TALK]
        return None if moment.zone.key in _MAINLAND or not near else by_tense(near, moment)
    return by_tense(options, moment, sure=clear_lead, lean=FEAST_LEAN)
