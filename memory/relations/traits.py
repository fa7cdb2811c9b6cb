"""States that exclude each other: living alone and a noisy roommate can't both be so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import yaml

from memory.model import USER_SUBJECT
from memory.statements import ParsedStatement
from memory.statements.lexicon import lexicon, wider_than
from memory.statements.patterns import expression

# What the mere presence of somebody in a sentence shows about the user.
_SHOWN_BY_KIN: Mapping[str, tuple[str, str]] = {
    "室友": ("living", "shared"),
    "老公": ("partner", "has"),
    "老婆": ("partner", "has"),
    "男友": ("partner", "has"),
    "女友": ("partner", "has"),
    "伴侣": ("partner", "has"),
    "未婚夫": ("partner", "has"),
    "未婚妻": ("partner", "has"),
    "哥哥": ("siblings", "some"),
    "弟弟": ("siblings", "some"),
    "姊姊": ("siblings", "some"),
    "妹妹": ("siblings", "some"),
    "兄弟": ("siblings", "some"),
    "姊妹": ("siblings", "some"),
    "儿子": ("kids", "some"),
    "女儿": ("kids", "some"),
    "主管": ("employment", "works"),
    "同事": ("employment", "works"),
}
_MEAT = frozenset({"肉"})
_NEGATED = re.compile(
    r"(?:不|没|没有|不是|并不|不再|没在|讨厌|不喜欢|受不了|想|想要|打算|希望|考虑|准备|计划|梦想|要不要"
    r"|\b(?:not|never|no longer|not an?|hates|dislikes"
    r"|wants to|wants a|plans to|hopes to|would like to|going to))\s?$"
)


@dataclass(frozen=True, slots=True)
class Trait:
    """A state a sentence tells; ``outright`` where it says so, else it only shows it."""

    value: str
    outright: bool


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    value: str
    says: tuple[re.Pattern[str], ...]
    shows: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    text = (resources.files("memory.relations") / "traits.yaml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, dict[str, list[str]]]] = yaml.safe_load(text)
    return tuple(
        _Rule(
            name,
            value,
            tuple(map(expression, found.get("is", ()))),
            tuple(map(expression, found.get("shows", ()))),
        )
        for name, values in loaded.items()
        for value, found in values.items()
    )


def traits_of(parsed: ParsedStatement) -> Mapping[str, Trait]:
    """Return the states of the user that a sentence tells.

    A sentence about somebody else only shows that there is such a person (her roommate is noisy:
    she has a roommate).
    """
    found: dict[str, Trait] = {}
    if parsed.subject == USER_SUBJECT:
        for rule in _rules():
            if rule.name in found:
                continue
            if any(_affirmed(p, parsed.text) for p in rule.says):
                found[rule.name] = Trait(rule.value, outright=True)
            elif any(_affirmed(p, parsed.text) for p in rule.shows):
                found[rule.name] = Trait(rule.value, outright=False)
        happening = not parsed.negated and "stopped" not in parsed.markers
        if happening and parsed.polarity >= 0 and "吃" in parsed.terms and _eats_meat(parsed):
            found.setdefault("diet", Trait("meat", outright=False))
        if "喝" in parsed.terms and (parsed.habitual or parsed.negated) and _drinks(parsed):
            found.setdefault("alcohol", Trait("no" if parsed.negated else "yes", outright=True))
    owned = parsed.subject != USER_SUBJECT and lexicon().concept(parsed.subject)
    if owned and owned[0] == "animal" and "stopped" not in parsed.markers:
        found.setdefault("pets", Trait("some", outright=False))
    people = {key for kind, key in parsed.concepts if kind == "kin"} | {parsed.subject}
    for person in people & _SHOWN_BY_KIN.keys():
        name, value = _SHOWN_BY_KIN[person]
        if not parsed.negated and "stopped" not in parsed.markers:
            found.setdefault(name, Trait(value, outright=False))
    return found


def _affirmed(pattern: re.Pattern[str], text: str) -> bool:
    match = pattern.search(text)
    return match is not None and not _NEGATED.search(text[: match.start()])


def _drinks(parsed: ParsedStatement) -> bool:
    return any("酒" in {key, *wider_than(key)} for kind, key in parsed.concepts if kind == "drink")


def _eats_meat(parsed: ParsedStatement) -> bool:
    return any(_MEAT & {key, *wider_than(key)} for kind, key in parsed.concepts if kind == "food")
