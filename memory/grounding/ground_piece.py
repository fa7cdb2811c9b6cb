"""Pieces of a stretch: what is left of it, its first or last few days, what begins with it and lasts."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from memory.grounding.calendar import Moment, Stretch, add_days, add_months, between, days, monday
from memory.grounding.choice import Choice, only
from memory.grounding.frame import Distance, Frame, Part, Piece, Unit
from memory.model import Precision

_TAIPEI = {"Asia/Taipei"}
_MINGUO = 1911
_DECADE_PARTS = {Part.EARLY: (0, 3), Part.MIDDLE: (3, 7), Part.LATE: (7, 10)}
_QUARTER_PARTS = {Part.EARLY: 0, Part.MIDDLE: 1, Part.LATE: 2}
_HOURS = {Unit.MINUTE: timedelta(minutes=1), Unit.HOUR: timedelta(hours=1)}


def _moved(day: date, unit: Unit, count: int) -> date:
    if unit is Unit.DAY:
        return add_days(day, count)
    if unit is Unit.WEEK:
        return add_days(day, 7 * count)
    return add_months(day, count * (12 if unit is Unit.YEAR else 1))


def cut(stretch: Stretch, frame: Frame, moment: Moment) -> Stretch | None:
    """Return the part of a stretch that ``remainder`` or ``piece`` asks for; None where there is none."""
    if frame.remainder is not None:
        today = datetime.combine(moment.today, time())
        if not stretch.start <= today < stretch.end:
            return None
        if stretch.is_day:
            return Stretch(moment.wall, stretch.end, Precision.RANGE) if frame.remainder > 0 else None
        if frame.remainder > 0:
            return Stretch(today, stretch.end, Precision.RANGE)
        return Stretch(stretch.start, today, Precision.RANGE) if stretch.start < today else None
    return stretch if frame.piece is None else _piece(stretch, frame.piece)


def _piece(stretch: Stretch, piece: Piece) -> Stretch | None:
    first, after = stretch.start.date(), stretch.end.date()
    if piece.last:
        first = max(first, _moved(after, piece.unit, -piece.count))
    else:
        after = min(after, _moved(first, piece.unit, piece.count))
    found = between(first, after)
    return days(first) if found.end - found.start == timedelta(days=1) else found


def lasting_from(choice: Choice, lasting: Distance) -> Choice | None:
    """Return the stretches that begin with those of a choice and last so long; None where units don't fit."""
    found: list[Stretch] = []
    for item in choice.stretches:
        length = _HOURS.get(lasting.unit)
        if length is not None and item.precision in {Precision.MINUTE, Precision.HOUR}:
            found.append(Stretch(item.start, item.start + length * lasting.low, Precision.RANGE))
        elif length is None and item.is_day and lasting.low % 1 == 0 and lasting.unit is not Unit.SECOND:
            first = item.start.date()
            found.append(between(first, _moved(first, lasting.unit, int(lasting.low))))
        else:
            return None
    return Choice(tuple(found), open_=choice.open_)


def decade(number: int, part: Part | None, moment: Moment) -> Choice:
    """Return a decade; of two figures it is the last that has begun, in Taiwan maybe of the Minguo era."""
    if abs(number) <= 1:  # this decade, the next, the last
        return Choice((_ten_years(moment.today.year // 10 * 10 + 10 * number, part),))
    if number >= 100:
        return Choice((_ten_years(number, part),))
    century = moment.today.year // 100 * 100
    begun = century + number
    western = _ten_years(begun if begun <= moment.today.year else begun - 100, part)
    if moment.zone.key not in _TAIPEI or _MINGUO + number > moment.today.year:
        return Choice((western,))
    return Choice((western, _ten_years(_MINGUO + number, part)), open_=True)


def _ten_years(year: int, part: Part | None) -> Stretch:
    low, high = (0, 10) if part is None else _DECADE_PARTS.get(part, (0, 10))
    return between(date(year + low, 1, 1), date(year + high, 1, 1))


def quarter_from(first: date, part: Part | None) -> Stretch:
    """Return the quarter that begins with a month, or that part's month of it (季初, 季末)."""
    if part is None or part not in _QUARTER_PARTS:
        return between(first, add_months(first, 3))
    month = add_months(first, _QUARTER_PARTS[part])
    return between(month, add_months(month, 1), Precision.MONTH)


def quarter_away(count: int, part: Part | None, moment: Moment) -> Stretch:
    """Return the quarter some quarters away, or a part of it."""
    this = date(moment.today.year, (moment.today.month - 1) // 3 * 3 + 1, 1)
    return quarter_from(add_months(this, 3 * count), part)


def week_of_year(year: int, nth: int) -> Choice | None:
    """Return the ISO week of a year (negative counts from its end)."""
    first = monday(date(year, 1, 4))
    weeks = (monday(date(year + 1, 1, 4)) - first).days // 7
    number = nth if nth > 0 else weeks + 1 + nth
    return only(days(add_days(first, 7 * (number - 1)), 7, Precision.WEEK)) if 1 <= number <= weeks else None


def weekend_around(day: date) -> Stretch | None:
    """Return the weekend of a feast, with the feast if it adjoins; None midway between two."""
    if day.weekday() == 2:
        return None
    saturday = add_days(monday(day), 5) if day.weekday() >= 3 else add_days(monday(day), -2)
    if day.weekday() == 4:
        return days(day, 3, Precision.RANGE)
    if day.weekday() == 0:
        return days(saturday, 3, Precision.RANGE)
    return days(saturday, 2, Precision.WEEKEND)
