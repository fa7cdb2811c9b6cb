"""Joins atoms into expressions, and two expressions into a range."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from memory.grounding.frame import NOW, Frame, unite
from memory.grounding.lexer import Atom

_GAP_CJK = r"\s*(?:的|の|、|,|，|[(])?\s*(?:时候的?)?(?:(?:大?约|大概)(?=[\d一二三四五六七八九十两]))?"
_GAP_EN = (
    r"\s*[,(]?\s*(?:(?:at|on|in|of|the|around|about|by|for|from|this)\s+){0,3}(?:"
    r"(?:approximately|exactly)\s+)?|\s*@\s*|\s*-\s*(?=\d)"
)
_TO = (
    r"\s*(?:起|开始)?(?:一直)?(?:到|至|~|〜|～|--?|–|—{1,2}|to|untill?|till|til|thru|through|から)\s*"
    r"(?:the\s+)?"
)
_AND = r"\s*(?:and|和|跟|与)\s*(?:the\s+)?"
_NOW = (
    r"(?:起|开始)?(?:一直)?[到至](?:现在|目前|如今|今(?![天日年晚早]))(?:为止)?|(?:起|开始)?迄今(?:为止)?"
    r"|\s*(?:to|until|till|through|up to|and)\s+(?:now|the present)\b"
)
_NOW_ON = (
    r"(?:从|由|自)?(?:现在|目前|即日|如今)(?:起|开始)?(?:一直)?[到至]\s*$"
    r"|(?<![a-z])(?:(?:from|between)\s+)?now\s+(?:to|until|till|through|and)\s+(?:the\s+)?$"
)
_FROM = r"(?:从|由|自|from(?: the)?|since|between(?: the)?|介于)\s*$"
_LONGEST_GAP = 20


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: one frame, or two with everything between them.

    ``carried`` is set where its day was said in a clause before.
    """

    first: Frame
    start: int
    end: int
    rules: tuple[str, ...]
    last: Frame | None = None
    carried: bool = False


@lru_cache(maxsize=1)
def _joints() -> dict[str, re.Pattern[str]]:
    return {
        "gap": re.compile(rf"(?:{_GAP_CJK}|{_GAP_EN})\Z"),
        "to": re.compile(rf"(?:{_TO})\Z"),
        "and": re.compile(rf"(?:{_AND})\Z"),
        "from": re.compile(_FROM),
        "now": re.compile(_NOW),
        "now_on": re.compile(_NOW_ON),
        "between": re.compile(r"(?:between(?: the)?|介于)\s*$"),
    }


def compose(folded: str, found: list[Atom]) -> list[Node]:
    """Return the expressions of a text in order."""
    gap = _joints()["gap"]
    nodes: list[Node] = []
    for atom in found:
        if nodes:
            last = nodes[-1]
            between = folded[last.end : atom.start]
            if len(between) <= _LONGEST_GAP and gap.match(between):
                united = _glue_vague(last.first, atom.frame) or unite(last.first, atom.frame)
                if united is not None:
                    end = _closed(folded, last.start, atom.end)
                    nodes[-1] = Node(united, last.start, end, last.rules + atom.rules)
                    continue
        nodes.append(Node(atom.frame, atom.start, atom.end, atom.rules))
    told = [node for node in nodes if node.first.lasting is None or node.first.dated or node.first.timed]
    return _ranges(folded, [_from_now(folded, _to_now(folded, _split_hours(node))) for node in told])


def _closed(folded: str, start: int, end: int) -> int:
    """Return the end of an expression with the bracket that closes one opened in it (12/5(晚上))."""
    opened = folded.count("(", start, end) > folded.count(")", start, end)
    return end + 1 if opened and folded.startswith(")", end) else end


def _runs_on(frame: Frame) -> bool:
    """Whether a frame is a plain date or a clock that can run to or from now."""
    plain = not (frame.vague or frame.recur or frame.lasting or frame.block)
    return plain and (frame.clock is not None or (frame.dated and not frame.timed))


def _now(frame: Frame) -> Frame:
    """Return the other end of what runs to or from now: the day of a date, the minute of a clock."""
    return Frame(day_rel=0) if frame.clock is None else Frame(distance=NOW)


def _from_now(folded: str, node: Node) -> Node:
    """Let what runs from now on up to a date begin today (從現在到週五, between now and Friday)."""
    frame = node.first
    before = folded[max(0, node.start - 20) : node.start]
    opening = _joints()["now_on"].search(before)
    if opening is None or node.last is not None or not _runs_on(frame):
        return node
    start = node.start - (len(before) - opening.start())
    last = replace(frame, look=1) if frame.dated else frame
    return Node(_now(frame), start, node.end, (*node.rules, "range"), last)


def _to_now(folded: str, node: Node) -> Node:
    """Let a date run on to today where the words say so (從三月到現在, from March until now)."""
    tail = _joints()["now"].match(folded, node.end)
    frame = node.first
    if tail is None or node.last is not None or not _runs_on(frame):
        return node
    before = folded[max(0, node.start - 14) : node.start]
    opening = _joints()["from"].search(before)
    start = node.start - (len(before) - opening.start() if opening else 0)
    return Node(replace(frame, look=-1), start, tail.end(), (*node.rules, "range"), _now(frame))


def _split_hours(node: Node) -> Node:
    """Turn a run of hours said in one breath into both its ends."""
    last = node.first.clock_last
    if last is None:
        return node
    first = replace(node.first, clock_last=None)
    return replace(node, first=first, last=replace(first, clock=last), rules=(*node.rules, "range"))


def _glue_vague(left: Frame, right: Frame) -> Frame | None:
    """Keep a time of day with the vague day before it (那天晚上, 隔天九點): it is no time of today.

    A season or a feast of a vague year (那年夏天) is none of ours either.
    """
    if not left.vague or right.vague or right.block:
        return None
    if right.timed and not right.dated:
        return (
            replace(left, clock=right.clock, daypart=right.daypart or left.daypart) if left.morrow else left
        )
    yearly = right.month or right.season or right.festival
    return left if left.year_untold and yearly and not right.has_year else None


def _ranges(folded: str, nodes: list[Node]) -> list[Node]:
    joints = _joints()
    joined: list[Node] = []
    for node in nodes:
        if joined and joined[-1].last is None:
            first = joined[-1]
            between = folded[first.end : node.start]
            before = folded[max(0, first.start - 14) : first.start]
            fits = len(between) <= _LONGEST_GAP and (
                joints["to"].match(between)
                or (
                    joints["and"].match(between)
                    and (
                        joints["between"].search(before)
                        or folded.startswith("between ", first.start)
                        or folded.startswith(("之间", "间"), node.end)
                    )
                )
            )
            if fits and node.first.morrow and first.first.timed and not first.first.vague:
                overnight = replace(node.first, vague=None)
                joined[-1] = Node(first.first, first.start, node.end, (*first.rules, "range"), overnight)
                continue
            opened = _week_said_last(first.first, node) if fits else first.first
            pair = _complete(opened, node.first, day_last=_day_last(node)) if fits else None
            if pair is not None:
                opening = joints["from"].search(before)
                start = first.start - (len(before) - opening.start() if opening else 0)
                tail = re.match(r"为止|之间|间(?![隔接])|止|まで", folded[node.end :])
                end = node.end + (tail.end() if tail else 0)
                joined[-1] = Node(pair[0], start, end, (*first.rules, "range"), pair[1])
                continue
        joined.append(node)
    return joined


def _week_said_last(first: Frame, last: Node) -> Frame:
    """Let both days of a run lie in the week named at its end (Tuesday to Thursday next week)."""
    if last.rules[0] != "weekday_of_week" or first.week_rel is not None or first.weekday is None:
        return first
    return (
        replace(first, week_rel=last.first.week_rel) if first.weekday < (last.first.weekday or 0) else first
    )


def _day_last(node: Node) -> bool:
    """Whether the day is said after the time of day (9 to 5 tomorrow)."""
    return node.rules[0].startswith(("clock", "daypart", "one_", "oclock", "noon"))


def _complete(first: Frame, last: Frame, *, day_last: bool) -> tuple[Frame, Frame] | None:
    """Let each end of a range take what only the other says."""
    if any(frame.vague or frame.block or (frame.recur and frame.weekday is None) for frame in (first, last)):
        return None
    head, tail = first.clock, last.clock
    if tail is not None and not last.dated and head is not None:
        same_half = first.daypart != "morning" or tail.hour > head.hour or head.hour == 12
        if last.daypart is None and first.daypart is not None and not tail.fixed and same_half:
            last = replace(last, daypart=first.daypart)
        elif first.daypart is None and not head.fixed and (last.daypart is not None or tail.fixed):
            last_part = last.daypart or ("morning" if tail.hour < 12 else "afternoon")
            across_noon = head.hour > (tail.hour % 12 or 12) and head.hour != 12 and last_part != "morning"
            first = replace(first, daypart="morning" if across_noon else last_part)
        return first, replace(date_of(first), clock=last.clock, daypart=last.daypart)
    if head is not None and not first.dated and tail is not None and last.dated and day_last:
        return replace(date_of(last), clock=first.clock, daypart=first.daypart or last.daypart), last
    if head is not None and tail is not None and last.dated and not first.dated:
        return first, last
    if (first.clock is None) != (last.clock is None) and not (first.dated and last.dated):
        return None
    if last.mday is not None and not last.has_month:
        last = replace(
            last, month=first.month, month_rel=first.month_rel, year=first.year, year_rel=first.year_rel
        )
    elif first.mday is not None and not first.has_month:
        first = replace(
            first, month=last.month, month_rel=last.month_rel, year=last.year, year_rel=last.year_rel
        )
    elif last.has_month and not last.has_year and last.month is not None and first.has_year:
        later = last.month >= (first.month or 1)
        last = replace(
            last, year=first.year if later or first.year is None else first.year + 1, year_rel=first.year_rel
        )
    elif first.has_month and not first.has_year and last.has_year and last.has_month:
        back = 1 if (first.month or 0) > (last.month or 12) else 0
        year = None if last.year is None else last.year - back
        year_rel = None if last.year_rel is None else last.year_rel - back
        first = replace(first, year=year, year_rel=year_rel)
    if (
        last.weekday is not None
        and last.week_rel is None
        and first.week_rel is not None
        and last.mday is None
    ):
        last = replace(
            last, week_rel=first.week_rel if last.weekday >= (first.weekday or 0) else first.week_rel + 1
        )
    return first, last


def date_of(frame: Frame) -> Frame:
    """Return the frame without its time of day."""
    return replace(frame, clock=None, daypart=None)
