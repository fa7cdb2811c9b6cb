"""Times as one says them in a chat: 明天下午三點, 下週二（9/22）, 前天."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.catalog import Catalog, load_catalog
from memory.model import Memory, Precision

_CLOCKS = frozenset({Precision.MINUTE, Precision.HOUR})
# Too wide to count days to.
WIDE = frozenset({Precision.WEEK, Precision.MONTH_PART, Precision.MONTH, Precision.YEAR})


def spoken_when(memory: Memory, now: datetime, zone: str, language: str) -> str:
    """Return when an event is or was, as one says it on the day of ``now``; "" where undated."""
    if memory.valid_from is None:
        return ""
    words = load_catalog("persona", language)
    calendar = memory.zone if memory.zone and memory.precision not in _CLOCKS else zone
    start = memory.valid_from.astimezone(ZoneInfo(calendar))
    today = now.astimezone(ZoneInfo(zone)).date()
    last = _last_day(memory, start, calendar)
    if memory.precision in WIDE:
        return _wide(words, memory.precision, start.date(), today)
    day = spoken_day(start.date(), today, language)
    if memory.precision is Precision.DAYPART:  # a night runs on into the next day and is still one evening
        part = day_part(words, _middle_hour(memory, start))
        return words.text("when.part", day=day, part=part)
    if last > start.date():
        if memory.precision is Precision.WEEKEND:
            weeks = (_monday(start.date()) - _monday(today)).days // 7
            if abs(weeks) <= 1:
                return words.text(f"when.weekend.{('last', 'this', 'next')[weeks + 1]}")
        return words.text("when.range", start=_short(words, start.date()), end=_short(words, last))
    if memory.precision in _CLOCKS:
        return words.text("when.at", day=day, clock=spoken_clock(start, language))
    return day


def spoken_day(day: date, today: date, language: str) -> str:
    """Return a calendar day as one says it today."""
    words = load_catalog("persona", language)
    distance = (day - today).days
    near = {0: "today", 1: "tomorrow", 2: "in_two", -1: "yesterday", -2: "two_ago"}.get(distance)
    if near is not None:
        return words.text(f"when.{near}")
    weekday = words.get("when.weekdays")[day.weekday()]
    weeks = (_monday(day) - _monday(today)).days // 7
    shorts = {"weekday": weekday, "date": _short(words, day)}
    if abs(weeks) <= 1:
        return words.text(f"when.week.{('last', 'this', 'next')[weeks + 1]}", **shorts)
    return (
        words.text("when.day", **shorts)
        if day.year == today.year
        else words.text("when.day_year", year=day.year, **shorts)
    )


def spoken_clock(moment: datetime, language: str) -> str:
    """Return a clock time as one says it: 下午三點半."""
    words = load_catalog("persona", language)
    hour = moment.hour % 12 or 12
    minute = (
        words.text("when.half")
        if moment.minute == 30
        else (words.text("when.minute", minute=moment.minute) if moment.minute else words.text("when.sharp"))
    )
    return words.text(
        "when.clock",
        part=day_part(words, moment.hour),
        half="am" if moment.hour < 12 else "pm",
        hour=words.get("when.hours")[hour - 1],
        minute=minute,
    )


def distance_in_days(memory: Memory, now: datetime, zone: str) -> int | None:
    """Return how many calendar days away an event begins (negative: ago); None where undated."""
    if memory.valid_from is None:
        return None
    return (memory.valid_from.astimezone(ZoneInfo(zone)).date() - now.astimezone(ZoneInfo(zone)).date()).days


def _middle_hour(memory: Memory, start: datetime) -> int:
    """Return the hour in the middle of a part of a day, which names it: the afternoon begins at noon."""
    if memory.valid_from is None or memory.valid_to is None:
        return start.hour
    middle = start + (memory.valid_to - memory.valid_from) / 2
    return middle.hour if middle.date() == start.date() else 23


def day_part(words: Catalog, hour: int) -> str:
    """Return the part of the day an hour lies in."""
    name = next(name for name, until in (("small", 6), ("morning", 12), ("noon", 13), ("afternoon", 18),
                                         ("evening", 24)) if hour < until)  # fmt: skip
    return words.text(f"when.parts.{name}")


def _wide(words: Catalog, precision: Precision, start: date, today: date) -> str:
    if precision is Precision.WEEK:
        weeks = (_monday(start) - _monday(today)).days // 7
        if abs(weeks) <= 1:
            return words.text(f"when.weeks.{('last', 'this', 'next')[weeks + 1]}")
        return words.text("when.week_of", date=_short(words, start))
    if precision is Precision.YEAR:
        return words.text("when.year", year=start.year)
    month = str(words.get("when.months")[start.month - 1])
    if precision is Precision.MONTH:
        return words.text("when.month", month=month)
    return words.text(
        f"when.month_part.{('early', 'mid', 'late')[min((start.day - 1) // 10, 2)]}", month=month
    )


def _short(words: Catalog, day: date) -> str:
    return words.text("when.short", month=day.month, day=day.day)


def _last_day(memory: Memory, start: datetime, zone: str) -> date:
    if memory.valid_to is None or memory.valid_from is None or memory.valid_to <= memory.valid_from:
        return start.date()
    return (memory.valid_to - timedelta(microseconds=1)).astimezone(ZoneInfo(zone)).date()


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
