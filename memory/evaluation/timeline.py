"""A timeline: dated things said, a question at a later moment, and what its context must hold then."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory.clock import as_utc
from memory.messages import Message
from memory.places import Place

PHASES = frozenset({"upcoming", "ongoing", "past", "cancelled", "undated"})
PERSONA = "stale-answers"
DEFAULT_ZONE = "Asia/Taipei"
DEFAULT_LANGUAGE = "zh-TW"

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Standing:
    """How an event must stand: lines that match ``about`` carry ``phase`` and, where given, ``date``.

    ``date`` is how its time begins as printed: the first day, ISO, or a coarser one (2026 年 2 月). ``says``
    matches sentences that tell the phase in their own words (考完了): such a line needs no mark. More than
    one phase: each of them is right.
    """

    about: Pattern
    phases: frozenset[str]
    date: str | None = None
    says: Pattern | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """One row. Patterns are regular expressions over the lines of a context.

    ``must``: each is in some line. ``must_not``: in no line that stands as a live statement (one marked
    as over or called off may stay). ``never``: in no line at all.
    """

    id: str
    kind: str
    said: tuple[Message, ...]
    ask: Message
    must: tuple[Pattern, ...] = ()
    must_not: tuple[Pattern, ...] = ()
    never: tuple[Pattern, ...] = ()
    standings: tuple[Standing, ...] = ()


def read_timeline(row: Mapping[str, Any], number: int = 1) -> Timeline:
    """Read a row; ``ValueError`` names the row and the field that is missing or wrong.

    Times without an offset are local to the row's ``zone``. Every timeline is a person of their own.
    """
    name = row.get("id")
    if not isinstance(name, str) or not name:
        raise ValueError(f"row {number}: id must be a text")
    try:
        zone = ZoneInfo(str(row.get("zone", DEFAULT_ZONE)))
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"row {name}: zone {row.get('zone')!r} is no IANA zone") from None
    language = str(row.get("language", DEFAULT_LANGUAGE))
    lines = row.get("said")
    if not isinstance(lines, list):
        raise ValueError(f"row {name}: said must be a list of lines with at and say")
    said = [_message(line, name, place, zone, language) for place, line in enumerate(lines)]
    ask = _message(row.get("ask"), name, len(said), zone, language)
    order = [message.said_at for message in (*said, ask)]
    if order != sorted(order):
        raise ValueError(f"row {name}: the lines are not in the order of their times")
    timeline = Timeline(
        id=name,
        kind=str(row.get("kind", "")),
        said=tuple(said),
        ask=ask,
        must=_patterns(row, "must", name),
        must_not=_patterns(row, "must_not", name),
        never=_patterns(row, "never", name),
        standings=tuple(_standing(item, name) for item in row.get("phases") or ()),
    )
    if not (timeline.must or timeline.must_not or timeline.never or timeline.standings):
        raise ValueError(f"row {name}: it asks for nothing: give must, must_not, never or phases")
    return timeline


def as_person(timeline: Timeline, user_id: str) -> Timeline:
    """Return the timeline with all of it said by one person."""
    return replace(
        timeline,
        said=tuple(replace(message, user_id=user_id) for message in timeline.said),
        ask=replace(timeline.ask, user_id=user_id),
    )


def _message(line: object, name: str, place: int, zone: ZoneInfo, language: str) -> Message:
    if not isinstance(line, Mapping) or not isinstance(line.get("say"), str):
        raise ValueError(f"row {name}: every line of said, and ask, needs at and say")
    try:
        at = datetime.fromisoformat(str(line.get("at")))
        where = Place.parse(str(line.get("place", "dm")))
    except ValueError as error:
        raise ValueError(f"row {name}: {error}") from None
    return Message(
        id=f"stale:{name}:{place}",
        user_id=name,
        persona_id=PERSONA,
        text=line["say"],
        said_at=as_utc(at if at.tzinfo else at.replace(tzinfo=zone)),
        place=where,
        zone=zone.key,
        language=language,
    )


def _patterns(row: Mapping[str, Any], key: str, name: str) -> tuple[Pattern, ...]:
    given = row.get(key) or []
    if not isinstance(given, list):
        raise ValueError(f"row {name}: {key} must be a list of patterns")
    return tuple(_pattern(value, key, name) for value in given)


def _pattern(value: object, key: str, name: str) -> Pattern:
    if not isinstance(value, str) or not value:
        raise ValueError(f"row {name}: {key} holds {value!r}, which is no pattern")
    try:
        return re.compile(value, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"row {name}: {key} holds {value!r}, which is no pattern ({error})") from None


def _standing(item: object, name: str) -> Standing:
    if not isinstance(item, Mapping):
        raise ValueError(f"row {name}: every one of phases needs about and phase")
    given = item.get("phase")
    phases = frozenset(given if isinstance(given, list) else [given])
    if not phases or not phases <= PHASES:
        raise ValueError(f"row {name}: phase {given!r} is none of {', '.join(sorted(PHASES))}")
    date, says = item.get("date"), item.get("says")
    if date is not None and not (isinstance(date, str) and date):
        raise ValueError(f"row {name}: date {date!r} is no text")
    return Standing(
        about=_pattern(item.get("about"), "about", name),
        phases=phases,
        date=date,
        says=_pattern(says, "says", name) if says is not None else None,
    )
