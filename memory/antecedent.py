"""What a message without a name of its own speaks of: the event told just before; and its date beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.types import Change
from memory.extraction.unnamed import Unnamed
from memory.grounding import Direction, TimeExpression
from memory.model import Flag, Kind, Memory, Precision
from memory.statements import subject_key
from memory.text import fold_same_length

IN_THE_AIR = timedelta(minutes=15)
"""How long after it was told an event is still what is talked of; set by hand, a few turns of chat."""

THESE_HOURS = timedelta(hours=12)
"""How long before its hour, or after it, one is stood up; set by hand: an evening, told that night."""

_WEEKDAY = (
    r"^(?:on )?(?:(?:星期|禮拜|[週周])(?P<zh>[一二三四五六日天])|(?P<en>mon|tue|wed|thu|fri|sat|sun)[a-z]*\b"
    r"|(?P<ja>[月火水木金土日])曜)"
)
_DAY = r"^(?:on )?(?:the )?(?P<day>[0-9]{1,2})(?:號|日|st|nd|rd|th)(?!.*[月年])"
_DAYS = {"mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6}
_ZH_DAYS = "一二三四五六日"
_JA_DAYS = "月火水木金土日"
_ONE_DAY = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART, Precision.DAY})


def just_told(memories: Iterable[Memory], now: datetime) -> Memory | None:
    """Return the one event that was told or told again just now; None where it isn't clear which.

    It is not clear where two came with the same message, or where something else that has a day
    was told since: that may be what is meant.
    """
    dated = [
        (m.confirmed_at, m)
        for m in memories
        if not m.archived
        and m.confirmed_at is not None
        and timedelta() <= now - m.confirmed_at <= IN_THE_AIR
        and (m.kind is Kind.EVENT or m.valid_from is not None or "birthday" in (m.attribute or ""))
    ]
    if not dated:
        return None
    newest = max(at for at, _ in dated)
    last = [m for at, m in dated if at == newest]
    if len(last) != 1:
        return None
    (event,) = last
    over = event.outcome is not None or Flag.CANCELLED in event.flags
    return event if event.kind is Kind.EVENT and not over else None


def only_one(told: Unnamed, subject: str, memories: Iterable[Memory], now: datetime) -> Memory | None:
    """Return the one event that words without its name can mean; None where there are two, or none.

    What is over has begun, and ended no longer ago than people still speak of it; what is off lies
    ahead. Where the words don't tell that a plan is meant (不看了), it must have been told just now.
    """
    memories = list(memories)
    theirs = [
        m
        for m in memories
        if m.kind is Kind.EVENT
        and not m.archived
        and Flag.CANCELLED not in m.flags
        and subject_key(m.subject) == subject_key(subject)
        and _of_family(m, told)
    ]
    if told.change is Change.CANCELLED:
        open_ = [m for m in theirs if m.outcome is None and _still_ahead(m, now, near=told.near)]
        last = just_told(memories, now)
        if last is not None and any(m.id == last.id for m in open_):
            return last
        return open_[0] if len(open_) == 1 and told.sure else None
    behind = [m for m in theirs if _behind(m, now, told.within)]
    waiting = [m for m in behind if m.outcome is None]
    if not waiting and told.verdict:
        waiting = behind
    return waiting[0] if len(waiting) == 1 else None


def _of_family(memory: Memory, told: Unnamed) -> bool:
    words = fold_same_length(f"{memory.text}\n{memory.quote}")
    if told.word not in words:
        return False
    families = told.families
    return any(topic.key.replace(" ", "_") in families for topic in topics_in(words))


def _behind(memory: Memory, now: datetime, within: timedelta) -> bool:
    if memory.valid_from is None:
        return False
    return memory.valid_from <= now and now - (memory.valid_to or memory.valid_from) <= within


def _still_ahead(memory: Memory, now: datetime, *, near: bool) -> bool:
    if memory.valid_from is None:
        return not near
    end = memory.valid_to or memory.valid_from
    if near:
        return memory.valid_from - now <= THESE_HOURS and now - end <= THESE_HOURS
    return end > now


def on_the_day(time: TimeExpression, memory: Memory) -> bool:
    """Whether a date that was named as the wrong one is the day of the event; true where either has none."""
    if memory.valid_from is None or time.start is None:
        return True
    zone = ZoneInfo(memory.zone or "UTC")
    known = memory.valid_from.astimezone(zone).date()
    weekday = _weekday(time.phrase)
    if weekday is not None:
        return known.weekday() == weekday
    day = pattern(_DAY).match(fold_same_length(time.phrase))
    return known.day == int(day["day"]) if day else known == time.start.astimezone(zone).date()


def beside(time: TimeExpression, memory: Memory, now: datetime) -> TimeExpression:
    """Read a bare day that puts right the day of an event as one near it: 下週六 put right as 星期五.

    A weekday lies in the week the event was told for, where its words named one; a day of the
    month in the same month. What would lie behind now is read as the next to come.
    """
    if time.start is None or time.end is None:
        return time
    zone = ZoneInfo(memory.zone or "UTC")
    today, plain = now.astimezone(zone).date(), time.start.astimezone(zone).date()
    weekday = _weekday(time.phrase)
    day = pattern(_DAY).match(fold_same_length(time.phrase))
    if weekday is None and day is None:
        return time
    known = memory.valid_from.astimezone(zone).date() if memory.valid_from is not None else None
    if known is None or memory.precision not in _ONE_DAY:
        return time
    if weekday is not None:
        meant = known - timedelta(days=known.weekday() - weekday)
        if meant < today or _weekday(memory.when_text or "") is not None:
            meant = today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
    else:
        found = _day_of(known, int(day["day"])) if day else None
        if found is None or found < today:
            return time
        meant = found
    shift = meant - plain
    return replace(
        time,
        start=time.start + shift,
        end=time.end + shift,
        readings=(),
        ambiguous=False,
        direction=Direction.FUTURE if meant > today else Direction.PRESENT,
    )


def _weekday(phrase: str) -> int | None:
    """Return the weekday a phrase begins with that names no week (下週六 does)."""
    match = pattern(_WEEKDAY).match(fold_same_length(phrase))
    if match is None:
        return None
    if match["en"]:
        return _DAYS[match["en"]]
    if match["ja"]:
        return _JA_DAYS.find(match["ja"])
    return _ZH_DAYS.find(match["zh"].replace("天", "日"))


def _day_of(month: date, day: int) -> date | None:
    try:
        return month.replace(day=day)
    except ValueError:
        return None
