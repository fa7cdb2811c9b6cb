"""Times in people's words: how long ago, when, how far away. In the person's zone and language."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from memory.catalog import Catalog, load_catalog
from memory.model import Kind, Memory, Precision

_CLOCK_PRECISIONS = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART})
_MINUTE = 60
_HOUR = 3600
# Up to here a night that crossed midnight is still told in hours.
_HOURS_OVER_MIDNIGHT = 6
# First hour of each part of the day; ``noon`` is only used for spans that are short.
_DAYPARTS = ((0, "small_hours"), (6, "morning"), (12, "afternoon"), (18, "evening"), (23, "night"))
_NOON_HOURS = range(11, 13)
_NOON_LENGTH = timedelta(hours=3)

texts = partial(load_catalog, "memory")


def said_ago(
    moment: datetime | None, now: datetime, zone: str, language: str, *, broken: bool = False
) -> str:
    """Return how long ago something was said: 剛剛說的, 3 天前說的.

    Days are counted on the person's calendar. An unknown moment is 過去, a ``broken`` one 不久前.
    """
    words = texts(language)
    if broken:
        return words.text("time.said.broken")
    if moment is None:
        return words.text("time.said.unknown")
    key, count = _ago(moment, now, zone)
    return words.text(f"time.said.{key}", n=count)


def _ago(moment: datetime, now: datetime, zone: str) -> tuple[str, int]:
    seconds = (now - moment).total_seconds()
    days = (local_day(now, zone) - local_day(moment, zone)).days
    if seconds < _MINUTE:
        return "just_now", 0
    if seconds < _HOUR:
        return "minutes", int(seconds // _MINUTE)
    if days <= 0 or seconds < _HOURS_OVER_MIDNIGHT * _HOUR:
        return "hours", int(seconds // _HOUR)
    return ("yesterday", 1) if days == 1 else ("days", days)


def relative_day(day: date, now: datetime, zone: str, language: str) -> str:
    """Return how far a calendar day is from today in the zone: 今天, 明天, 還有 4 天, 已過 2 天."""
    words = texts(language)
    days = (day - local_day(now, zone)).days
    named = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(days)
    if named is not None:
        return words.text(f"time.{named}")
    return words.text("time.days_left" if days > 0 else "time.days_past", n=abs(days))


def spoken_date(
    start: datetime, end: datetime | None, precision: Precision | None, zone: str, language: str
) -> str:
    """Return a date as exact as it was said: a day with its weekday, a clock time, a month, a range.

    ``end`` is exclusive, as everywhere; what is printed is the last day of a range.
    """
    words = texts(language)
    first = start.astimezone(ZoneInfo(zone))
    last = _last_moment(first, end, zone)
    match precision:
        case Precision.YEAR:
            return words.text("time.year", year=first.year)
        case Precision.MONTH:
            return _month(words, "time.month", first)
        case Precision.MONTH_PART:
            part = words.get("time.month_parts")[min((first.day - 1) // 10, 2)]
            return str(part).format(year=first.year, month=first.month, month_name=_month_name(words, first))
        case Precision.DAYPART:
            part = _daypart(words, first, end)
            return words.text("time.daypart", date=_date(words, first.date()), daypart=part)
        case Precision.MINUTE | Precision.HOUR:
            return _clock(words, first, end, zone)
        case Precision.RANGE if end is not None and not _whole_days(first, end, zone):
            return _clock_range(words, first, end.astimezone(ZoneInfo(zone)))
    if last.date() <= first.date():
        return _date(words, first.date())
    return words.text("time.range", start=_date(words, first.date()), end=_date(words, last.date()))


def event_when(memory: Memory, now: datetime, zone: str, language: str) -> str | None:
    """Return when a memory is or was, twice: absolute, and as a distance in days; None where undated.

    Days and coarser are printed by the calendar they were said in, clock times by ``zone``.
    """
    start = memory.valid_from or memory.valid_to
    if start is None:
        return None
    if memory.precision not in _CLOCK_PRECISIONS and memory.zone is not None:
        zone = memory.zone
    words = texts(language)
    spoken = spoken_date(start, memory.valid_to, memory.precision, zone, language)
    if memory.kind is not Kind.EVENT:
        return spoken
    first, today = local_day(start, zone), local_day(now, zone)
    last = _last_moment(start.astimezone(ZoneInfo(zone)), memory.valid_to, zone).date()
    if first <= today <= last and first != last:
        relative = words.text("time.within")
    else:
        relative = relative_day(first if today < first else last, now, zone, language)
    return words.text("time.when", date=spoken, relative=relative)


def clock_anchor(now: datetime, zone: str, language: str) -> str:
    """Return the present moment in full: date, weekday, clock, part of the day, zone."""
    words = texts(language)
    local = now.astimezone(ZoneInfo(zone))
    return words.text(
        "time.anchor",
        date=_date(words, local.date()),
        clock=f"{local:%H:%M}",
        daypart=_daypart(words, local, None),
        zone=zone,
    )


def plain_day(moment: datetime, zone: str, language: str) -> str:
    """Return the calendar day of a moment with its weekday: 2026-09-15 星期二."""
    return _date(texts(language), local_day(moment, zone))


def local_day(moment: datetime, zone: str) -> date:
    """Return the calendar day of a moment in a zone."""
    return moment.astimezone(ZoneInfo(zone)).date()


def _last_moment(first: datetime, end: datetime | None, zone: str) -> datetime:
    if end is None or end <= first:
        return first
    return (end - timedelta(microseconds=1)).astimezone(ZoneInfo(zone))


def _whole_days(first: datetime, end: datetime, zone: str) -> bool:
    return first.time() == end.astimezone(ZoneInfo(zone)).time() == time.min


def _date(words: Catalog, day: date) -> str:
    weekday = words.get("time.weekdays")[day.weekday()]
    return words.text("time.date", year=day.year, month=day.month, day=day.day, weekday=weekday)


def _month(words: Catalog, key: str, first: datetime) -> str:
    return words.text(key, year=first.year, month=first.month, month_name=_month_name(words, first))


def _month_name(words: Catalog, first: datetime) -> str:
    try:
        return str(words.get("time.months")[first.month - 1])
    except KeyError:
        return str(first.month)


def _daypart(words: Catalog, first: datetime, end: datetime | None) -> str:
    if first.hour in _NOON_HOURS and end is not None and end - first <= _NOON_LENGTH:
        return words.text("time.dayparts.noon")
    name = [name for hour, name in _DAYPARTS if hour <= first.hour][-1]
    return words.text(f"time.dayparts.{name}")


def _clock(words: Catalog, first: datetime, end: datetime | None, zone: str) -> str:
    last = end.astimezone(ZoneInfo(zone)) if end is not None else first
    if last - first > timedelta(hours=1):
        return _clock_range(words, first, last)
    return words.text("time.clock", date=_date(words, first.date()), clock=f"{first:%H:%M}")


def _clock_range(words: Catalog, first: datetime, last: datetime) -> str:
    if first.date() == last.date():
        return words.text(
            "time.clock_range",
            date=_date(words, first.date()),
            start=f"{first:%H:%M}",
            end=f"{last:%H:%M}",
        )
    ends = [words.text("time.clock", date=_date(words, m.date()), clock=f"{m:%H:%M}") for m in (first, last)]
    return words.text("time.range", start=ends[0], end=ends[1])
