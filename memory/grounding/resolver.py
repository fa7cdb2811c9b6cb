"""Text and the moment it was said -> the time expressions in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from memory.grounding.calendar import Moment
from memory.grounding.compose import Node, compose
from memory.grounding.context import carry_days, is_lonely, is_moved_to, keeps_its_day, open_alternatives
from memory.grounding.frame import DATE_SLOTS, Frame
from memory.grounding.ground import Grounded, ground, ground_abroad
from memory.grounding.lexer import atoms, languages_of
from memory.grounding.tense import is_called_off, night_of, tense_around
from memory.grounding.types import Direction, Tense, TimeExpression
from memory.grounding.zones import Clockwork, clock_beside, clocks_named, without_clocks, zone_of
from memory.text import fold_same_length

_HABIT = (
    r"都(?!可以|行)|常常?(?!识)|总是|平常|习惯|通常|一向|往往|每次|\b(?:always|usually|"
    r"often|normally|every)\b|いつも|普段|たいてい"
)

FAR_TO_CALL_OFF = timedelta(days=200)
"""What was called off is rarely farther ahead: 8/3的比賽取消了 said in September is open (own judgement)."""


@lru_cache(maxsize=1)
def _habit() -> re.Pattern[str]:
    return re.compile(_HABIT)


def resolve(
    text: str, said_at: datetime, zone: str, *, language: str | None = None
) -> tuple[TimeExpression, ...]:
    """Return the time expressions of ``text``, in order, without overlaps, the longest match first.

    ``said_at`` must be aware (``ValueError`` otherwise); ``zone`` is an IANA name. Spans are offsets
    into ``text``. ``language`` (``zh``, ``en``, ``ja``) settles what the script leaves open.
    """
    if said_at.tzinfo is None:
        raise ValueError("said_at is naive: give it a zone")
    folded = fold_same_length(text)
    clocks = clocks_named(folded, zone)
    folded = without_clocks(folded, clocks)
    nodes = carry_days(folded, compose(folded, atoms(folded, languages_of(folded, language))))
    place = zone_of(zone)
    found = (
        _express(text, folded, node, Moment(said_at, place, Tense.NONE, night_of(folded)), clocks)
        for node in nodes
        if not node.first.block and not is_lonely(node)
    )
    return open_alternatives(folded, tuple(item for item in found if item is not None))


def _express(
    text: str, folded: str, node: Node, untold: Moment, clocks: Sequence[Clockwork]
) -> TimeExpression | None:
    said_at = untold.said_at
    abroad = clock_beside(folded, clocks, node.start, node.end) if _has_clock(node) else None
    span = (node.start, node.end)
    if abroad is not None:
        span = (min(node.start, abroad.start), max(node.end, abroad.end))
    phrase = text[span[0] : span[1]].strip()
    rule = "+".join(dict.fromkeys(node.rules))
    recurrence = _recurrence(node)
    if recurrence is None and _is_habit(folded, node):
        recurrence = _recurrence(node, habit=True)
    if node.first.vague or recurrence is not None:
        return TimeExpression(phrase, span, None, None, None, None, rule, recurrence=recurrence)
    moved = keeps_its_day(folded, node)
    called_off = is_called_off(folded, node.start, node.end)
    ahead = called_off or is_moved_to(folded, node)
    tense = Tense.FUTURE if ahead else tense_around(folded, node.start, node.end)
    moment = replace(untold, tense=tense)
    grounded = ground(node, moment) if abroad is None else ground_abroad(node, moment, abroad.zones)
    if called_off and grounded is not None and grounded.readings[0][0] - said_at > FAR_TO_CALL_OFF:
        grounded = _over_or_ahead(grounded, ground(node, replace(moment, tense=Tense.PAST)))
    if grounded is None:
        return TimeExpression(phrase, span, None, None, None, None, rule)
    if moved:
        grounded = _on_some_day(grounded)
    if node.carried and grounded.readings[0][1] <= said_at and tense is not Tense.PAST:
        grounded = _doubt_carried(node, grounded, moment)
    start, end = grounded.readings[0]
    return TimeExpression(
        phrase, span, start, end, grounded.precision, _direction(grounded, said_at), rule,
        ambiguous=grounded.ambiguous,
        names_day=node.first.dated, readings=grounded.readings,
    )  # fmt: skip


def _has_clock(node: Node) -> bool:
    return node.first.clock is not None or (node.last is not None and node.last.clock is not None)


def _over_or_ahead(ahead: Grounded, over: Grounded | None) -> Grounded:
    """Read what is over first and keep what is far ahead as the other reading: neither is sure."""
    if over is None:
        return ahead
    return replace(over, readings=(*over.readings, *ahead.readings), ambiguous=True)


def _doubt_carried(node: Node, carried: Grounded, moment: Moment) -> Grounded:
    """Add the reading without the carried day: 昨天買了票，晚上七點的場 needn't be yesterday's."""
    bare = replace(node.first, **dict.fromkeys(DATE_SLOTS))
    own = ground(Node(bare, node.start, node.end, node.rules), moment)
    if own is None:
        return carried
    readings = tuple(dict.fromkeys(carried.readings + own.readings))
    return replace(carried, readings=readings, ambiguous=len({start.date() for start, _ in readings}) > 1)


def _on_some_day(grounded: Grounded) -> Grounded:
    """Open a time of day to the day after too, so that it dates nothing by itself."""
    start, end = grounded.readings[0]
    later = (start + timedelta(days=1), end + timedelta(days=1))
    return replace(grounded, readings=(*grounded.readings, later), ambiguous=True)


def _direction(grounded: Grounded, said_at: datetime) -> Direction:
    start, end = grounded.readings[0]
    now = said_at.astimezone(UTC)
    if end.astimezone(UTC) <= now:
        return Direction.PAST
    return Direction.FUTURE if start.astimezone(UTC) > now else Direction.PRESENT


def _is_habit(folded: str, node: Node) -> bool:
    frame = node.first
    bare = Frame(weekday=frame.weekday, weekend=frame.weekend, daypart=frame.daypart, clock=frame.clock)
    if frame != bare or node.last is not None:
        return False
    tail = re.split(r"[,，。.!！?？;；\n]", folded[node.end :], maxsplit=1)[0]
    head = re.split(r"[,，。.!！?？;；\n]", folded[: node.start])[-1]
    return _habit().search(head + " " + tail) is not None


def _recurrence(node: Node, *, habit: bool = False) -> str | None:
    """Return ``daily``, ``weekly:2``, ``weekly:0,2,4``, ``monthly:15``, ``yearly:10-10`` or None."""
    frame = node.first
    period = frame.recur or (
        None if not habit else "daily" if frame.weekday is None and not frame.weekend else "weekly"
    )
    if period is None:
        return None
    if period == "weekly":
        named: tuple[int, ...] = ()
        if node.last is not None and frame.weekday is not None and node.last.weekday is not None:
            named = tuple(range(frame.weekday, node.last.weekday + 1))
        elif frame.weekday is not None:
            named = (frame.weekday,)
        elif frame.weekdays is not None:
            named = frame.weekdays
        elif frame.weekend:
            named = (5, 6)
        elif frame.workdays:
            named = (0, 1, 2, 3, 4)
        return f"weekly:{','.join(map(str, named))}" if named else "weekly"
    if period == "monthly" and frame.mday is not None:
        return f"monthly:{frame.mday}"
    if period == "yearly" and frame.month is not None:
        return f"yearly:{frame.month:02d}-{frame.mday:02d}" if frame.mday else f"yearly:{frame.month:02d}"
    return period


def ground_phrase(text: str, phrase: str, said_at: datetime, zone: str) -> TimeExpression | None:
    """Return the expression of ``text`` that ``phrase`` points at, else what the phrase says by itself.

    The full text comes first because the words around a date settle its year and direction.
    """
    phrase = phrase.strip()
    if not phrase:
        return None
    start = text.find(phrase)
    if start < 0:
        start = fold_same_length(text).find(fold_same_length(phrase))
    end = start + len(phrase)
    if start >= 0:
        overlapping = [
            item for item in resolve(text, said_at, zone) if item.span[0] < end and start < item.span[1]
        ]
        if overlapping:
            return max(overlapping, key=lambda item: (_overlap(item, start, end), item.resolved))
    found = resolve(phrase, said_at, zone)
    return max(found, key=lambda item: item.span[1] - item.span[0]) if found else None


def _overlap(item: TimeExpression, start: int, end: int) -> int:
    return min(item.span[1], end) - max(item.span[0], start)


def dates_memory(expression: TimeExpression) -> bool:
    """Whether the expression may date a memory: resolved, not ambiguous across days, no recurrence."""
    return expression.resolved and not expression.ambiguous and expression.recurrence is None
