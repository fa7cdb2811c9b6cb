"""Where somebody lives or works now, told in two steps: 搬走了 現在在台中; 換工作了，現在在星巴克."""

from __future__ import annotations

from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.tables import expression
from memory.model import Category
from memory.statements.values import place_parts

_LIVES = {
    "zh": "使用者現在住在{place}",
    "en": "The user lives in {place}",
    "ja": "ユーザーは{place}に住んでいる",
}
_LEFT_THE_DORM = "使用者搬出宿舍，現在住在{place}"
_WORKS = {"zh": "使用者換工作，現在在{place}工作", "en": "The user changed jobs and works at {place} now"}


def where_to(text: str, previous: Clause, clause: Clause, speech: str) -> Draft | None:
    """Read a clause's place as a new home or workplace, where the one before says that the old was left."""
    if found("moved", "not_yet", previous.folded):
        return None
    if found("moved", f"left_{speech}", previous.folded):
        place = _named(clause, f"now_{speech}", "no_place")
        if place is None or not place_parts(place):
            return None
        dorm = speech == "zh" and found("moved", "dorm_zh", previous.folded) is not None
        says, attribute = _LEFT_THE_DORM if dorm else _LIVES[speech], "home"
    elif speech in _WORKS and found("moved", f"left_job_{speech}", previous.folded):
        place = _named(clause, f"now_job_{speech}", "no_workplace")
        if place is None:
            return None
        says, attribute = _WORKS[speech], "employer"
    else:
        return None
    return Draft(
        says.format(place=place),
        text[previous.start : clause.end],
        Category.IDENTITY,
        attribute=attribute,
    )


def _named(clause: Clause, now: str, but_not: str) -> str | None:
    """Return the place a clause says somebody is at now, as typed."""
    match = pattern(expression("moved", now)).match(clause.folded)
    if match is None or found("moved", but_not, match["place"]):
        return None
    return clause.text[slice(*match.span("place"))]
