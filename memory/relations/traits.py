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
from memory.statements.patterns import expression

# What the mere existence of a person around the user shows about the user.
_SHOWN_BY_OTHERS = frozenset({"living", "partner", "siblings", "kids", "employment"})


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
    others = parsed.subject != USER_SUBJECT
    for rule in _rules():
        if rule.name in found or (others and rule.name not in _SHOWN_BY_OTHERS):
            continue
        if not others and any(p.search(parsed.text) for p in rule.says):
            found[rule.name] = Trait(rule.value, outright=True)
        elif any(p.search(_shown_text(parsed)) for p in rule.shows):
            found[rule.name] = Trait(rule.value, outright=False)
    return found


def _shown_text(parsed: ParsedStatement) -> str:
    if parsed.subject == USER_SUBJECT:
        return parsed.text
    return "" if "/" in parsed.subject else parsed.text[:12]
