"""An event that is moved by an amount: 面試延後一週, pushed back two days. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from memory.clock import as_utc
from memory.extraction.lexicon import pattern
from memory.grounding.calendar import add_days, add_months
from memory.grounding.numerals import CJK_NUMBER, NUMBER_EN, cjk_number, cjk_pair, english_number
from memory.model import Memory, Precision
from memory.text import fold_same_length


@dataclass(frozen=True, slots=True)
class Amount:
    """Calendar months and days, minutes of the clock; negative is earlier."""

    months: int = 0
    days: int = 0
    minutes: int = 0

    def times(self, factor: int) -> Amount:
        """Return this amount so many times over."""
        return Amount(self.months * factor, self.days * factor, self.minutes * factor)


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much an event is moved, and where the text says so; ``again`` where it was moved before."""

    amount: Amount
    span: tuple[int, int]
    again: bool = False


_AMOUNT_ZH = (
    rf"(?:[了個有快]|大概|大約|約|整整|再|又)*(?P<count>半|{CJK_NUMBER})(?P<half>個半|点半|個)?"
    r"(?P<unit>分鐘|小時|鐘頭|天|週|周|星期|禮拜|(?<=個)月|(?<=個半)月|年)(?![一二三四五六日天末幾半0-9])"
)
_AMOUNT_EN = rf"(?P<count>half an|{NUMBER_EN}) (?P<unit>minute|min|hour|day|week|fortnight|month|year)s?\b"
_AMOUNT_JA = (
    # 12月3日延期 names a day, and without kana it is Chinese
    rf"(?=.*[ぁ-ゟ])(?<![月0-9])(?P<count>半|{CJK_NUMBER})(?:[ヶかカケ]|個)?(?P<unit>分|時間|日|週|月|年)(?P<half>半)?間?"
    r"(?:ほど|[くぐ]らい)?"
)
_BY = r"(?: it| this| that)?(?: (?:by|for|about|another|a whole|exactly))*"
BY_AN_AMOUNT = rf"{_BY} {_AMOUNT_EN}(?: later| earlier| back)?"
"""By how much, in folded English text: by a week, another two days."""
_SHAPES: tuple[tuple[int, str], ...] = (
    (1, rf"(?:延後|延期了?|延遲|推遲|順延|往後(?:延|挪|移|推|調)?|挪後|延|展延){_AMOUNT_ZH}"),
    (-1, rf"(?:提前|提早|往前(?:挪|移|拉|調)?){_AMOUNT_ZH}"),
    (1, rf"\b(?:pushed|moved|bumped|put|set)(?: it)? (?:back|out|off){_BY} {_AMOUNT_EN}"),
    (1, rf"\b(?:delayed|postponed|pushed){_BY} {_AMOUNT_EN}"),
    (-1, rf"\b(?:(?:brought|pulled)(?: it)? forward|(?:moved|bumped|pulled)(?: it)? up){_BY} {_AMOUNT_EN}"),
    (1, rf"\b(?:moved|pushed|rescheduled|postponed|delayed)\b.{{0,12}}?\b{_AMOUNT_EN} (?:later|back)\b"),
    (-1, rf"\b(?:moved|rescheduled)\b.{{0,12}}?\b{_AMOUNT_EN} earlier\b"),
    (1, rf"{_AMOUNT_JA}(?:延期|延び|遅れ|後ろ倒し|後ろにずれ|後にずれ)"),
    (-1, rf"{_AMOUNT_JA}(?:前倒し|早ま|早く|繰り上)"),
)
_AGAIN = r"又|再|還要|\b(?:again|another)\b|また|さらに"


def _folded(units: dict[str, int]) -> dict[str, int]:
    return {fold_same_length(unit): size for unit, size in units.items()}


_MINUTES = _folded(
    {"分鐘": 1, "分": 1, "minute": 1, "min": 1, "小時": 60, "鐘頭": 60, "時間": 60, "hour": 60}
)
_DAYS = _folded(
    {"天": 1, "日": 1, "day": 1, "週": 7, "周": 7, "星期": 7, "禮拜": 7, "week": 7, "fortnight": 14}
)
_MONTHS = _folded({"月": 1, "month": 1, "年": 12, "year": 12})
_HALVES = {"月": Amount(days=15), "年": Amount(months=6), "month": Amount(days=15), "year": Amount(months=6)}
_LONGEST = 1200
"""Months, or days, beyond which nobody means it (延後九千年); the calendar ends somewhere too."""
_CLOCK = frozenset({Precision.MINUTE, Precision.HOUR})
_DAY = frozenset({Precision.DAYPART, Precision.DAY})
_WEEKS = frozenset({Precision.WEEK, Precision.WEEKEND, Precision.RANGE})


def shift_in(folded: str) -> Shift | None:
    """Return what a folded text moves an event by; None where it names no amount or no direction."""
    for sign, shape in _SHAPES:
        match = pattern(shape).search(folded)
        amount = _amount(match) if match is not None else None
        if match is not None and amount is not None and amount.months <= _LONGEST and amount.days <= _LONGEST:
            return Shift(amount.times(sign), match.span(), pattern(_AGAIN).search(folded) is not None)
    return None


def shifted(memory: Memory, shift: Shift) -> dict[str, Any] | None:
    """Return the dates of an event moved by an amount, as fields; None where they are not sure.

    Days and months keep the hour on the clock of the event's zone. Minutes move what has an hour;
    what has a day alone keeps it. What was moved by that amount already is not moved twice, unless
    the words say that it was moved again.
    """
    if memory.valid_from is None or memory.valid_to is None or memory.precision is None:
        return None
    before = shift_in(fold_same_length(memory.quote))
    ends = (memory.valid_from, memory.valid_to)
    if shift.again or before is None or before.amount != shift.amount:
        moved = _moved(ends, shift.amount, memory.precision, ZoneInfo(memory.zone or "UTC"))
        if moved is None:
            return None
        ends = moved
    return {"valid_from": ends[0], "valid_to": ends[1], "precision": memory.precision, "when_text": None}


def _moved(
    ends: tuple[datetime, datetime], amount: Amount, precision: Precision, zone: ZoneInfo
) -> tuple[datetime, datetime] | None:
    if amount.minutes:
        if precision in _DAY:
            return ends
        by = timedelta(minutes=amount.minutes)
        return (ends[0] + by, ends[1] + by) if precision in _CLOCK else None
    whole = {
        **dict.fromkeys(_CLOCK | _DAY, True),
        **dict.fromkeys(_WEEKS, not amount.months and amount.days % 7 == 0),
        Precision.MONTH: not amount.days,
        Precision.YEAR: not amount.days and amount.months % 12 == 0,
    }
    if not whole.get(precision, False):
        return None
    start, end = (moment.astimezone(zone) for moment in ends)
    day = add_days(add_months(start.date(), amount.months), amount.days)
    first = datetime.combine(day, start.time(), zone)
    if precision in {Precision.MONTH, Precision.YEAR}:
        last = datetime.combine(add_months(end.date(), amount.months), start.time(), zone)
    else:
        last = first + (end - start)  # within one zone Python reckons by the clock on the wall
    return as_utc(first), as_utc(last)


def _amount(match: re.Match[str]) -> Amount | None:
    said, unit, half = match["count"], match["unit"], match.groupdict().get("half") or ""
    if said == fold_same_length("半") or said.startswith("half"):
        if unit in _MINUTES and _MINUTES[unit] == 60:
            return Amount(minutes=30)
        return _HALVES.get(unit)
    if cjk_pair(said) is not None:  # 兩三天 is no day one can count to
        return None
    count = cjk_number(said)
    if count is None:
        count = english_number(said)
    if not count:
        return None
    if "半" in half:  # 一個半小時, 2時間半
        return Amount(minutes=60 * count + 30) if _MINUTES.get(unit) == 60 else None
    if unit in _MINUTES:
        return Amount(minutes=count * _MINUTES[unit])
    if unit in _DAYS:
        return Amount(days=count * _DAYS[unit])
    return Amount(months=count * _MONTHS[unit])
