"""Distances and stretches from now in English."""

from __future__ import annotations

from memory.grounding.en.words import UNIT, B, N, unit_of
from memory.grounding.frame import Distance, Frame, Shape, Unit
from memory.grounding.lexicon import Build, Groups, Rule
from memory.grounding.numerals import english_number


def _distance(sign: int, shape: Shape = Shape.POINT) -> Build:
    def build(g: Groups) -> Frame | None:
        unit = unit_of(g["u"])
        text = g["n"]
        if text is None:
            amount: float | None = 1.0
        elif text.startswith("half"):
            amount = 0.5
        elif "." in text:
            amount = float(text)
        else:
            amount = english_number(text)
        if amount is None:
            return None
        if g.get("half") or g.get("half2"):
            amount += 0.5
        if "fortnight" in (g["u"] or ""):
            amount *= 2
        if amount == 0.5 and unit is Unit.DAY:
            return None
        return Frame(distance=Distance(amount, amount, unit, sign, shape))

    return build


def _anchored(g: Groups) -> Frame | None:
    frame = _distance(-1 if g["way"] in {"before", "prior to"} else 1)(g)
    return None if frame is None or frame.distance is None else Frame(anchored=frame.distance)


_NOT_COMPOUND = "".join(
    f"(?<!{unit} )(?<!{unit}s )(?<!{unit} and )(?<!{unit}s and )"
    for unit in ("year", "month", "week", "day", "hour")
)
"""21 days ago is not 1 month 21 days ago."""

RULES: tuple[Rule, ...] = (
    Rule(
        "anchored",
        rf"{B}(?P<n>{N})\s*(?P<half>)(?P<u>{UNIT})\s+(?P<way>after|before|from|prior to|"
        r"following)(?=\s+(?!now\b))",
        _anchored,
    ),
    Rule(
        "distance_ahead",
        rf"{B}(?:with)?in\s+(?:about\s+|around\s+|exactly\s+|another\s+)?(?P<n>half an?|{N}"
        rf"|\d+\.\d)\s*(?P<half>and a half\s+)?(?P<u>{UNIT})(?P<half2>\s+and a half)?"
        r"(?!\s+ago|\s*(?:in a row|straight|or|of))(?:'s? time)?(?:\s+(?:time|from now))?",
        lambda g: _distance(1, Shape.WITHIN)(g) if (g["0"] or "").startswith("within") else _distance(1)(g),
    ),
    Rule(
        "distance_from_now",
        rf"{B}{_NOT_COMPOUND}(?P<n>half an?|{N}|\d+\.\d)\s*(?P<half>and a half\s+)?(?P<u>{UNIT})\s+"
        r"(?P<half2>and a half\s+)?(?:from now|later|hence|from this moment)\b",
        _distance(1),
    ),
    Rule(
        "distance_ago",
        rf"{B}{_NOT_COMPOUND}(?:about\s+|around\s+)?(?P<n>half an?|{N}|\d+\.\d)\s*(?P<half>and a half\s+)?"
        rf"(?P<u>{UNIT})\s+(?P<half2>and a half\s+)?(?:ago|back(?=\s*(?:[,.!?]|$)))\b",
        _distance(-1),
    ),
    Rule(
        "window_last",
        rf"{B}(?:(?:in|over|for|during|within)\s+)?(?:the\s+)?(?:past|last|previous)\s+"
        rf"(?P<n>(?!an?\b){N}|half an?)\s+(?P<u>{UNIT})",
        _distance(-1, Shape.LAST),
    ),
    Rule(
        "window_next",
        rf"{B}(?:(?:in|over|for|during|within)\s+)?(?:the\s+)?(?:next|coming|following|"
        rf"upcoming)\s+(?P<n>(?!an?\b){N}|half an?)\s+(?P<u>{UNIT})",
        _distance(1, Shape.NEXT),
    ),
)
