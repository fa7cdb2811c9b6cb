"""What was so and is no more, in Chinese: 我不上瑜珈課了, 菸早就戒了, 野狼賣掉了.

The thing may stand before its end (鋼琴送給表妹了), after it (戒菸了) or behind 把. What only says that
something is gone is kept where it ends something that is known (:attr:`Draft.ends_known`).
"""

from __future__ import annotations

import re

from memory.extraction.draft import Draft
from memory.extraction.lexicon import folded_speech, found, pattern
from memory.extraction.tables import expression, word
from memory.extraction.view import View, third_person, trim_tone
from memory.grounding.types import Direction
from memory.model import Category

_SHAPES = {"parted": Category.OTHER, "given_up": Category.HABIT, "left_off": Category.HABIT}


def ended(view: View) -> list[Draft]:
    """Find what is given up, parted with or over; a habit is only left out once for a day that is named."""
    words = view.bare_folded
    if pattern(r"[你妳]").search(view.folded):
        return []
    if not view.times and found("ended", "stopped", words):
        return [
            Draft(f"{view.label}{third_person(view.bare)}", view.quote, Category.HABIT, subject=view.subject)
        ]
    if found("ended", "not_yet", view.folded) or any(t.direction is Direction.FUTURE for t in view.times):
        return []
    if found("ended", "able", folded_speech(view.quote)):
        text = f"{view.label}{third_person(view.bare)}"
        return [Draft(text, view.quote, Category.OTHER, subject=view.subject, ends_known=True)]
    for name, category in _SHAPES.items():
        if name == "left_off" and view.dated:
            continue
        match = _ending(name, words)
        if match is not None:
            return [_draft(view, match, category, name)]
    return []


_TONE = "[啦喔哦啊欸囉耶]*"


def _ending(name: str, words: str) -> re.Match[str] | None:
    """Match a clause as a thing and its end, whichever stands first."""
    end, thing, often = (expression("ended", key) for key in (name, "thing", "adverbs"))
    thing, end = f"(?P<thing>{thing})", f"(?P<end>{end})"
    for shape in (
        rf"^{often}把{thing}{often}{end}了?{_TONE}$",
        rf"^{thing}(?P<at>[那這][邊裡])?{often}我?{often}{end}了?{_TONE}$",
        rf"^{often}{end}{thing}了{_TONE}$",
    ):
        match = pattern(shape).match(words)
        if match is not None and not found("ended", "no_thing", match["thing"]):
            return match
    return None


def _shelf(usual: Category, match: re.Match[str]) -> Category:
    """Return where an end belongs: with what it ends."""
    if pattern(word("animals")).search(match["thing"]):
        return Category.IDENTITY
    return Category.PREFERENCE if found("ended", "of_taste", match["end"]) else usual


def _draft(view: View, match: re.Match[str], category: Category, name: str) -> Draft:
    thing = trim_tone(view.bare[slice(*match.span("thing"))])
    end = trim_tone(view.bare[slice(*match.span("end"))]).removesuffix("了")
    front = found("ended", "stands_behind", match["end"]) is not None
    if match.groupdict().get("at"):
        said = f"沒在{thing}{end[-1]}了"
    elif name == "parted":
        said = f"把{thing}{end}了"
    else:
        said = f"{thing}{end}了" if front else f"{end}{thing}了"
    return Draft(
        f"{view.label}{third_person(said)}",
        view.quote,
        _shelf(category, match),
        subject=view.subject,
        when_text=view.when_text,
        ends_known=found("ended", "worth_keeping", match["end"]) is None,
    )
