"""Likes and dislikes, hobbies, habits, skills, wishes and other lasting things, in Chinese."""

from __future__ import annotations

import re

from memory.extraction.draft import Draft
from memory.extraction.lexicon import folded_speech, found, pattern
from memory.extraction.tables import word
from memory.extraction.view import View, third_person, trim_tone
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

# A habit's own words stand for it without anything behind them from this many characters on (改搭捷運).
_WHOLE = 4


def tastes(view: View) -> list[Draft]:
    """Find what somebody likes, dislikes, does often, can do, wishes for."""
    for find in (_habit, _hobby, _dares, _taste, _lukewarm, _verdict, _skill, _wish, _other):
        drafts = find(view)
        if drafts:
            return drafts
    return []


def _draft(view: View, category: Category, body: str) -> list[Draft]:
    words = third_person(body)
    if category in {Category.PREFERENCE, Category.HOBBY} and pattern(r"[^膩戒上掉再過]了$").search(
        fold_same_length(words)
    ):
        words = trim_tone(words[:-1])
    if not words:
        return []
    return [
        Draft(
            f"{view.label}{words}",
            view.quote,
            category,
            subject=view.subject,
            when_text=view.when_text,
        )
    ]


def _taste(view: View) -> list[Draft]:
    match = found("tastes", "favourite", view.folded)
    if match and not found("tastes", "not_taste", match["obj"]):
        return _draft(view, Category.PREFERENCE, view.body)
    for shape in ("rather", "turned", "tired_of", "fronted", "only"):
        match = found("tastes", shape, view.bare_folded)
        if match and len(match["obj"]) > 1 and not found("tastes", "not_taste", match["obj"]):
            body = _put_behind(view.bare, match) if shape in {"fronted", "tired_of"} else view.bare
            return _draft(view, Category.PREFERENCE, body)
    fan = found("tastes", "fan", view.folded)
    if fan and view.subject == USER_SUBJECT and not found("tastes", "not_taste", fan["obj"]):
        return _draft(view, Category.PREFERENCE, view.body)
    words, typed = view.bare_folded, view.bare
    match = found("tastes", "taste", words)
    if view.times and (match is None or not object_of(match["obj"])):
        # 喜歡秋天: what is liked is a time itself
        words, typed = view.folded, view.body
        match = found("tastes", "taste", words)
    if match is None:
        return []
    thing = object_of(match["obj"])
    if (
        not thing
        or found("tastes", "not_taste", match["obj"].lstrip())
        or pattern(r"[你妳您]").search(match["obj"])
    ):
        return []
    liked = pattern(word("like")).match(match["verb"]) is not None
    active = liked and found("words", "activities", match["obj"]) is not None
    return _draft(view, Category.HOBBY if active else Category.PREFERENCE, typed)


def _lukewarm(view: View) -> list[Draft]:
    """Find what is neither liked nor disliked any more: 麻辣鍋現在覺得還好."""
    match = found("tastes", "lukewarm", view.bare_folded)
    if match is None or view.dated or found("tastes", "not_verdict_on", match["obj"]):
        return []
    thing = trim_tone(view.bare[slice(*match.span("obj"))])
    how = pattern("還好|普通|普普|沒.*感覺|不怎麼樣|還可以|還行").search(match["how"])
    if not thing or how is None:
        return []
    return _draft(view, Category.PREFERENCE, f"現在覺得{thing}{_as_typed(how.group(), view.bare)}")


def _verdict(view: View) -> list[Draft]:
    """Find what a thing turned out to be like: 其實茄子蠻好吃的; a verdict without a turn is chat."""
    match = found("tastes", "verdict_on", view.bare_folded)
    if match is None or view.dated or found("tastes", "not_verdict_on", match["obj"]):
        return []
    if not found("tastes", "turning", folded_speech(view.quote)) or pattern(r"[你妳]").search(view.folded):
        return []
    thing = trim_tone(view.bare[slice(*match.span("obj"))])
    how = trim_tone(view.bare[match.start("how") :])
    return _draft(view, Category.PREFERENCE, f"覺得{thing}{how}") if thing else []


def _dares(view: View) -> list[Draft]:
    """Find what somebody now dares to eat or do and did not before; the thing stands behind the verb."""
    fronted = found("tastes", "dares_fronted", view.bare_folded) or found(
        "tastes", "able_fronted", view.bare_folded
    )
    if fronted and not found("tastes", "not_taste", fronted["obj"]):
        thing = view.bare[slice(*fronted.span("obj"))]
        body = f"現在{fronted['can']}{fronted['verb']}{thing}"
        return _draft(view, Category.PREFERENCE, _as_typed(body, view.bare))
    if view.dated or not found("tastes", "dares", view.bare_folded):
        return []
    return _draft(view, Category.PREFERENCE, view.bare)


def _as_typed(words: str, typed: str) -> str:
    """Return folded words with the characters as the person typed them, where they did."""
    by_folded = {fold_same_length(character): character for character in typed}
    return "".join(by_folded.get(character, character) for character in words)


def _put_behind(words: str, match: re.Match[str]) -> str:
    """Return 香菜我一點都不喜歡 in the usual order, where the verb takes an object: 一點都不喜歡香菜."""
    thing, rest = words[: match.end("obj")], words[match.end("obj") :]
    rest = re.sub("^(?:才?是)?我", "", trim_tone(rest))
    verb = pattern("(?:喜歡|愛|討厭|受不了|怕|不敢吃|不吃|不喝)(?:了|的)?$").search(fold_same_length(rest))
    if verb is None:
        return f"{thing}{rest}"
    ending = len(rest) - (1 if rest.endswith(("了", "的")) and not rest.endswith("受不了") else 0)
    return f"{rest[:ending]}{thing}"


def object_of(words: str) -> str:
    """Return the bare thing liked or disliked: 吃香菜了啦 -> 香菜 (folded)."""
    thing = trim_tone(words)
    while thing.endswith(fold_same_length("了")):
        thing = trim_tone(thing[:-1])
    return pattern(r"^(?:吃|喝|看|聽|玩|到|去|了)(?=.)").sub("", thing)


def _hobby(view: View) -> list[Draft]:
    fronted = found("tastes", "hobby_fronted", view.bare_folded)
    if fronted is not None and not found("tastes", "not_taste", fronted["obj"]):
        thing = view.bare[slice(*fronted.span("obj"))]
        return _draft(view, Category.HOBBY, f"{view.bare[slice(*fronted.span('act'))]}{thing}")
    if found("tastes", "hobby_now", folded_speech(view.quote)) and view.subject == USER_SUBJECT:
        return _draft(view, Category.HOBBY, view.body)
    match = found("tastes", "hobby", view.bare_folded)
    if match is None or pattern(r"[你妳]").search(view.bare_folded):
        return []
    body = (
        view.bare
        if view.bare_folded.startswith("的") or not pattern("^(?:興趣|嗜好|愛好)").match(view.bare_folded)
        else f"的{view.bare}"
    )
    return _draft(view, Category.HOBBY, body)


def _habit(view: View) -> list[Draft]:
    if view.subject != USER_SUBJECT and not view.explicit:
        return []
    match = found("tastes", "habit", view.folded)
    if match is None or found("tastes", "not_habit", view.folded) or len(trim_tone(view.folded)) < 2:
        return []
    if pattern(r"[你妳]").search(view.folded) or found("tastes", "bare_amount", view.folded):
        return []
    alone = pattern(r"^.{0,4}(?:戒|減肥|抽|吃素|吃全素|素食|晨跑|夜跑|熬夜|失眠|早睡|開葷|滴酒)").search(
        view.folded
    )
    bare = len(match.group()) < _WHOLE and len(trim_tone(view.folded[match.end() :])) < 2
    if alone is None and bare:
        return []
    return _draft(
        view, Category.HABIT, re.sub("^([^我，,]{1,6})我(?=都|每天|天天|一天|自己)", r"\1", view.body)
    )


def _skill(view: View) -> list[Draft]:
    if view.dated or not found("tastes", "skill", view.bare_folded) or pattern(r"[你妳]").search(view.folded):
        return []
    return _draft(view, Category.HOBBY, view.bare)


def _wish(view: View) -> list[Draft]:
    if (
        view.dated
        or found("tastes", "not_wish", view.folded)
        or not found("tastes", "wish", view.bare_folded)
    ):
        return []
    return _draft(view, Category.OTHER, view.bare)


def _other(view: View) -> list[Draft]:
    if not found("tastes", "other", view.bare_folded) or pattern(r"[你妳]").search(view.folded):
        return []
    return _draft(view, Category.OTHER, view.bare)
