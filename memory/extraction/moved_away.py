"""Where somebody lives now, told in two steps: 搬走了 現在在台中; moved out, I'm in Bristol now."""

from __future__ import annotations

from memory.extraction.clauses import Clause
from memory.extraction.draft import Draft
from memory.extraction.lexicon import found, pattern
from memory.extraction.tables import expression
from memory.model import Category
from memory.statements.values import place_parts

_SAYS = {
    "zh": "使用者現在住在{place}",
    "en": "The user lives in {place}",
    "ja": "ユーザーは{place}に住んでいる",
}


def where_to(text: str, previous: Clause, clause: Clause, speech: str) -> Draft | None:
    """Read the place of a clause as the new home, where the clause before says that the old one was left."""
    if not found("moved", f"left_{speech}", previous.folded) or found("moved", "not_yet", previous.folded):
        return None
    match = pattern(expression("moved", f"now_{speech}")).match(clause.folded)
    if match is None or found("moved", "no_place", match["place"]):
        return None
    place = clause.text[slice(*match.span("place"))]
    if not place_parts(place):
        return None
    return Draft(
        _SAYS[speech].format(place=place),
        text[previous.start : clause.end],
        Category.IDENTITY,
        attribute="home",
    )
