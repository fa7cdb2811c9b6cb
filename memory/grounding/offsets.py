"""A model's own reading of a date, compared with the code's: where they differ nothing is dated."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.extraction.types import Offset
from memory.grounding.calendar import add_days, add_months, monday
from memory.grounding.types import TimeExpression
from memory.model import Precision

_SECONDS = {"second": 1, "minute": 60, "hour": 3600}


def offset_agrees(expression: TimeExpression, offset: Offset, said_at: datetime, zone: str) -> bool:
    """Whether a model's own distance lands where the code does, at the grain of the distance's unit.

    Weeks, months and years are the calendar's: 1 week is the week after this one. An unresolved
    expression or an unknown unit agrees with nothing.
    """
    if expression.start is None or expression.end is None:
        return False
    unit = offset.unit.strip().lower().removesuffix("s")
    try:
        if unit in _SECONDS:
            claimed = said_at.astimezone(UTC) + timedelta(seconds=_SECONDS[unit] * offset.amount)
            return _near(expression, claimed, timedelta(seconds=max(60, _SECONDS[unit])))
        low, high = _claimed_days(said_at.astimezone(ZoneInfo(zone)).date(), offset.amount, unit)
    except (OverflowError, ValueError):
        return False
    first = expression.start.date()
    if unit == "day":
        return first <= low <= (expression.end - timedelta(microseconds=1)).date()
    return low <= first < high


def _near(expression: TimeExpression, claimed: datetime, slack: timedelta) -> bool:
    if expression.start is None or expression.end is None:
        return False
    start, end = expression.start.astimezone(UTC), expression.end.astimezone(UTC)
    if expression.precision in {Precision.MINUTE, Precision.HOUR}:
        return abs(claimed - start) < slack
    return start - slack < claimed < end + slack


def _claimed_days(today: date, amount: int, unit: str) -> tuple[date, date]:
    """Return the first day and the day after the last; ``ValueError`` for an unknown unit."""
    if unit == "day":
        return add_days(today, amount), add_days(today, amount + 1)
    if unit == "week":
        return monday(today, amount), monday(today, amount + 1)
    if unit == "month":
        return add_months(today.replace(day=1), amount), add_months(today.replace(day=1), amount + 1)
    if unit == "year":
        return date(today.year + amount, 1, 1), date(today.year + amount + 1, 1, 1)
    raise ValueError(f"no such unit: {unit}")
