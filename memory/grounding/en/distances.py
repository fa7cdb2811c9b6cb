"""Distances and stretches from now in English."""

from __future__ import annotations

from memory.grounding.en.words import UNIT, B, M, N, unit_of
from memory.grounding.frame import Distance, Frame, Piece, Shape, Unit
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
    rf"(?<!\b{unit} )(?<!\b{unit}s )(?<!\b{unit} and )(?<!\b{unit}s and )"
    for unit in ("year", "month", "week", "day", "hour")
)
"""21 days ago is not 1 month 21 days ago."""


def _piece(g: Groups) -> Frame | None:
    count = 1 if g["n"] is None else english_number(g["n"])
    if count is None or not 0 < count < 32:
        return None
    return Frame(piece=Piece(count, unit_of(g["u"]), last=g["w"] in {"last", "final"}))


def _lasting(g: Groups) -> Frame | None:
    frame = _distance(1)(g)
    return None if frame is None or frame.distance is None else Frame(lasting=frame.distance)


def _hours_minutes(g: Groups) -> Frame | None:
    hours, minutes = english_number(g["h"] or ""), english_number(g["m"] or "")
    if hours is None or minutes is None:
        return None
    amount, sign = float(hours * 60 + minutes), 1 if g["in"] or (g["way"] or "") != "ago" else -1
    if not g["in"] and not g["way"]:
        return None
    return Frame(distance=Distance(amount, amount, Unit.MINUTE, sign))


RULES: tuple[Rule, ...] = (
    Rule(
        "piece",
        rf"{B}(?:(?:in|for|over|during)\s+)?(?:the\s+)?(?P<w>first|last|final)\s+(?:(?P<n>(?!an?\b){N})\s+)?"
        r"(?P<u>days|weeks|months|quarters?)\s+(?:of|in)"
        rf"(?=\s+(?:the |this |next |last )?(?:{M}|month|year|quarter|(?:19|20)\d\d))",
        lambda g: _piece(g) if (g["u"] or "")[0] != "q" else None,
    ),
    Rule(
        "lasting",
        rf"{B}for\s+(?P<n>half an|{N})\s*(?P<half>and a half\s+)?(?P<u>{UNIT})(?P<half2>\s+and a half)?"
        r"(?!\s+(?:ago|from|before|after))",
        _lasting,
    ),
    Rule(
        "lasting_from",
        rf"{B}(?:for\s+)?(?P<n>{N})\s*(?P<half>)(?P<u>{UNIT})(?P<half2>)\s+(?:starting|beginning)(?:\s+(?:from|on|at))?"
        r"(?=\s)",
        _lasting,
    ),
    Rule(
        "distance_hours_minutes",
        rf"{B}{_NOT_COMPOUND}(?P<in>in\s+)?(?P<h>{N})\s*(?:hours?|hrs?)\s*(?:and\s+)?(?P<m>{N})\s*(?:minutes?|mins?)\b"
        r"(?:\s+(?P<way>ago|from now|later))?",
        _hours_minutes,
    ),
    Rule(
        "distance_part_of_hour",
        rf"{B}(?P<in>in\s+)?(?:(?P<q>(?:a )?quarter|(?P<t>three[ -]quarters)) of an hour|"
        r"(?P<o>half hour|1/2 (?:an )?hour))"
        r"(?:\s+(?P<way>ago|from now|later))?\b",
        lambda g: (
            Frame(
                distance=Distance(
                    n := 45.0 if g["t"] else 15.0 if g["q"] else 30.0,
                    n,
                    Unit.MINUTE,
                    -1 if g["way"] == "ago" else 1,
                )
            )
            if g["in"] or g["way"]
            else None
        ),
    ),
    Rule(
        "anchored",
        rf"{B}(?P<n>{N})\s*(?P<half>)(?P<u>{UNIT})\s+(?P<way>after|before|from|prior to|"
        r"following)(?=\s+(?!now\b))",
        _anchored,
    ),
    Rule(
        "distance_ahead",
        rf"{B}(?:with)?in\s+(?:(?:about|around|exactly|another|like|maybe)\s+)?(?P<n>half an?|{N}"
        rf"|\d+\.\d)\s*(?:more\s+)?(?P<half>and a half\s+)?(?P<u>{UNIT})(?P<half2>\s+and a half)?"
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
        rf"(?P<n>(?!an?\b){N}|half an?|couple(?: of)?)\s+(?P<u>{UNIT})",
        _distance(-1, Shape.LAST),
    ),
    Rule(
        "window_hour",
        rf"{B}(?:in|over|within|during)\s+the\s+(?P<w>past|last|next|coming)\s+(?P<n>)(?P<u>hour|"
        r"half hour)\b",
        lambda g: Frame(
            distance=Distance(
                n := 30.0 if g["u"] == "half hour" else 60.0,
                n,
                Unit.MINUTE,
                -1 if g["w"] in {"past", "last"} else 1,
                Shape.LAST if g["w"] in {"past", "last"} else Shape.NEXT,
            )
        ),
    ),
    Rule(
        "window_next",
        rf"{B}(?:(?:in|over|for|during|within)\s+)?(?:the\s+)?(?:next|coming|following|"
        rf"upcoming)\s+(?P<n>(?!an?\b){N}|half an?|couple(?: of)?)\s+(?P<u>{UNIT})",
        _distance(1, Shape.NEXT),
    ),
)
