"""States that exclude each other: living alone and a noisy roommate can't both be so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import yaml

from memory.model import USER_SUBJECT
from memory.relations.wording import says
from memory.statements import Aspect, ParsedStatement
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
_ABROAD = "外国"
_INTENSIVE = re.compile(
    r"\b(?:very|really|quite|so|pretty|extremely|fairly|tends to|always|usually|generally|still) "
)
_NEGATED = re.compile(
    r"(?:不|没|没有|不是|并不|不再|没在|讨厌|不喜欢|受不了|想|想要|打算|希望|考虑|准备|计划|梦想|要不要"
    r"|\b(?:not|never|no longer|not an?|hates|dislikes"
    r"|wants to|wants a|plans to|hopes to|would like to|going to))\s?$"
)


@dataclass(frozen=True, slots=True)
class Trait:
    """A state a sentence tells; ``outright`` where it says so, else it only shows it.

    ``share``: how much of the sentence the words take that say it (0..1).
    """

    value: str
    outright: bool
    share: float = 0.0


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


@lru_cache(maxsize=2048)
def traits_of(parsed: ParsedStatement, *, theirs: bool = False) -> Mapping[str, Trait]:
    """Return the states of the user that a sentence tells; ``theirs``: those of its own subject.

    A sentence about somebody else only shows that there is such a person (her roommate is noisy:
    she has a roommate).
    """
    found: dict[str, Trait] = {}
    text = _INTENSIVE.sub("", parsed.text)
    aside = parsed.subject != USER_SUBJECT and not theirs
    if aside:  # her mother wakes her, they live together: what follows is about the user again
        text = "".join(re.split(r"[,，]", text, maxsplit=1)[1:])
    if text:
        for rule in _rules():
            if rule.name in found:
                continue
            if said := max((_affirmed(p, text) for p in rule.says), default=0):
                found[rule.name] = Trait(rule.value, outright=True, share=said / len(text))
            elif any(_affirmed(p, text) for p in rule.shows):
                found[rule.name] = Trait(rule.value, outright=False)
    if not aside:
        happening = not parsed.negated and "stopped" not in parsed.markers
        if happening and parsed.polarity >= 0 and "吃" in parsed.terms and _eats_meat(parsed):
            found.setdefault("diet", Trait("meat", outright=False))
        if "喝" in parsed.terms and (parsed.habitual or parsed.negated) and _drinks(parsed):
            found.setdefault("alcohol", Trait("no" if parsed.negated else "yes", outright=True))
        if _went_abroad(parsed):
            found.setdefault("abroad", Trait("went", outright=False))
    if theirs:
        return found
    owned = parsed.subject != USER_SUBJECT and lexicon().concept(parsed.subject)
    if owned and owned[0] == "animal" and "stopped" not in parsed.markers:
        found.setdefault("pets", Trait("some", outright=False))
    people = {key for kind, key in parsed.concepts if kind == "kin"} | {parsed.subject}
    for person in people & _SHOWN_BY_KIN.keys():
        name, value = _SHOWN_BY_KIN[person]
        if not parsed.negated and "stopped" not in parsed.markers:
            found.setdefault(name, Trait(value, outright=False))
    return found


def _affirmed(pattern: re.Pattern[str], text: str) -> int:
    """Return how many characters affirm it, 0 where none do."""
    match = pattern.search(text)
    if match is None or _NEGATED.search(text[: match.start()]):
        return 0
    return match.end() - match.start()


def _drinks(parsed: ParsedStatement) -> bool:
    return any("酒" in {key, *wider_than(key)} for kind, key in parsed.concepts if kind == "drink")


def _went_abroad(parsed: ParsedStatement) -> bool:
    ahead = parsed.aspect in {Aspect.PLANNED, Aspect.HYPOTHETICAL} or parsed.negated
    abroad = any(_ABROAD in {key, *wider_than(key)} for kind, key in parsed.concepts if kind == "place")
    return abroad and not ahead and says("abroad", parsed.text)


def _eats_meat(parsed: ParsedStatement) -> bool:
    return any(_MEAT & {key, *wider_than(key)} for kind, key in parsed.concepts if kind == "food")
