"""Home, work, school, age, family, pets, health: who somebody is, in Chinese."""

from __future__ import annotations

from memory.extraction.draft import Draft
from memory.extraction.lexicon import is_sensitive, pattern
from memory.extraction.tables import rules
from memory.extraction.view import View, third_person
from memory.model import USER_SUBJECT, Category
from memory.text import fold_same_length

_NO_PLACE = r"^(?:院|不|得|了|過|手|嘴|在一起|哪|這裡?$|那裡?$|一起)"
_DEATH = r"(?:過世|去世|離世|離開人世|往生|走|不在)了|去當小天使|過世|去世|離世"


def identity(view: View) -> list[Draft]:
    """Find who somebody is; at most one fact a clause."""
    grief = _grief(view)
    if grief:
        return grief
    for rule in rules("identity_zh"):
        words = view.folded if rule.attribute == "birthday" else view.bare_folded
        match = pattern(rule.source).search(words)
        if match is None or (rule.only_user and view.subject != USER_SUBJECT):
            continue
        if rule.unless and pattern(rule.unless).search(words):
            continue
        if rule.attribute == "home" and (pattern(_NO_PLACE).search(match["v"]) or _still_planned(words)):
            continue
        body = view.body if rule.attribute == "birthday" else view.bare
        return [
            Draft(
                _sentence(view.label, body, rule.attribute),
                view.quote,
                rule.category,
                subject=view.subject,
                attribute=rule.attribute,
                when_text=None if rule.attribute == "birthday" else view.when_text,
                painful=is_sensitive(words),
            )
        ]
    return []


def _still_planned(words: str) -> bool:
    return pattern(r"^(?:就|也)?(?:要|打算|準備|預計|想|即將|考慮|可能|快)").search(words) is not None


def _sentence(label: str, body: str, attribute: str | None) -> str:
    words = third_person(body)
    if attribute == "home":
        words = words.removesuffix("的")
    folded = fold_same_length(words)
    if attribute == "birthday" and pattern(r"^的?生日").match(folded) and not words.startswith("的"):
        return f"{label}的{words}"
    if pattern(r"^(?:老家|家鄉|故鄉|工作|職業|血型|主修|mbti|身高|體重|代名詞)").match(folded):
        return f"{label}的{words}"
    return f"{label}{words}"


def _grief(view: View) -> list[Draft]:
    """Somebody near has died."""
    if view.subject == USER_SUBJECT or not pattern(_DEATH).search(view.bare_folded):
        return []
    if pattern(r"^(?:先|就|就先)?走了$").match(view.bare_folded) and view.subject in {"室友", "同事", "朋友"}:
        return []
    return [
        Draft(
            f"{view.label}{third_person(view.bare)}",
            view.quote,
            Category.IDENTITY,
            subject=view.subject,
            when_text=view.when_text,
            painful=True,
        )
    ]
