"""What the neighbours of an expression change: a day carried over, something moved, an alternative."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from memory.grounding.compose import Node, date_of
from memory.grounding.frame import Frame, unite
from memory.grounding.types import TimeExpression

_LONELY = {"daypart_bare", "year_spelled_bare"}
"""A bare part of the day or year in words is a time only beside a date (a night out is none)."""
REACH = 30
"""How many characters a day, or the mark of a move, carries over (own judgement: a clause or two)."""


@lru_cache(maxsize=1)
def _moved() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(
            r"(?:改[成到为在]|延[到至]|延[后期]到|提[前早]到|[挪推调]到|推迟到|调整[到成])\s*$"
            r"|(?:moved|changed|pushed|postponed|rescheduled|delayed|brought)\s+"
            r"(?:(?:it|back|up|forward|(?:the|my|our|his|her|their)\s+\w+)\s+)*(?:to|until|till|for)\s*$"
        ),
        re.compile(
            r"(?:の[^、。に]{1,6})?[にへ](?:変更|延期|ずれ|移動|なりました|延び|前倒し|变更|移动|延び)"
        ),
    )


def is_lonely(node: Node) -> bool:
    """Whether an expression is nothing but words that need a date beside them."""
    return _LONELY.issuperset(node.rules)


def is_moved_to(folded: str, node: Node) -> bool:
    """Whether something is moved to this very time: it lies ahead in any tense (was moved to Friday)."""
    mark_before, mark_behind = _moved()
    before = folded[max(0, node.start - REACH) : node.start]
    return mark_before.search(before) is not None or mark_behind.match(folded, node.end) is not None


def keeps_its_day(folded: str, node: Node) -> bool:
    """Whether something is moved to a time of day alone: its day is the one it had, not today."""
    return not node.first.dated and node.first.timed and is_moved_to(folded, node)


@lru_cache(maxsize=1)
def _alternative() -> re.Pattern[str]:
    return re.compile(r"\s*[,，]?\s*(?:或是?|或者是?|还是|要不|or|か)\s*(?:on\s+)?\Z")


def open_alternatives(folded: str, found: tuple[TimeExpression, ...]) -> tuple[TimeExpression, ...]:
    """Let each of two dates joined by *or* be a reading of the other (星期六或星期日): neither is sure."""
    opened = list(found)
    for index, (one, other) in enumerate(pairwise(found)):
        between = folded[one.span[1] : other.span[0]]
        if one.start is None or other.start is None or not _alternative().match(between):
            continue
        for place, own, else_ in ((index, one, other), (index + 1, other, one)):
            readings = tuple(dict.fromkeys(own.readings + else_.readings))
            apart = len({start.date() for start, _ in readings}) > 1
            opened[place] = replace(own, readings=readings, ambiguous=own.ambiguous or apart)
    return tuple(opened)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(r"[。.!！?？;；\n]"),
        re.compile(r"[,，、]"),
        re.compile(r"[天日晚年时次周]|以前|后来|将来|day|night|when|then|week|time"),
    )


def carry_days(folded: str, nodes: list[Node]) -> list[Node]:
    """Return the nodes, times of day completed by the day, the vague day or the period said before them."""
    stop, comma, dayish = _patterns()
    carried: list[Node] = []
    holder: Node | None = None
    for node in nodes:
        frame = node.first
        if holder is not None and not is_lonely(node) and frame.timed and not frame.dated and not frame.vague:
            between = folded[holder.end : node.start]
            if len(between) <= REACH and not stop.search(between):
                carried.append(_carry(holder, node, crossing=comma.search(between) is not None))
                continue
        carried.append(node)
        if frame.vague:
            holder = node if dayish.search(folded[node.start : node.end]) else holder
        elif not frame.block:
            holder = node if frame.dated and frame.on_a_day and node.last is None else None
    return carried


def _carry(holder: Node, node: Node, *, crossing: bool) -> Node:
    if holder.first.vague:
        return replace(node, first=Frame(vague=True), last=None)
    day = replace(date_of(holder.first), anchored=holder.first.anchored)
    first = unite(day, node.first)
    if first is None:
        return node
    last = None if node.last is None else unite(day, node.last) if not node.last.dated else node.last
    return replace(node, first=first, last=last, carried=crossing, rules=(*node.rules, "carried"))
