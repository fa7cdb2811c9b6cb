"""Which remembered things a question means: by slot, by stance, by the words they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources

from memory.model import USER_SUBJECT, Category, Kind, Memory
from memory.statements import attribute_of, parse_statement
from memory.text import fold, lexical_terms
from persona.patterns import folded, load_patterns

_SLOTS: dict[str, tuple[str, ...]] = {
    "birthday": ("birthday",),
    "home": ("home",),
    "job": ("job",),
    "school": ("school", "major", "grade"),
    "age": ("age",),
    "allergy": ("allergy",),
    "pet": ("pet", "pets"),
}
_CONSUMED = {"eat": ("food:", "favorite:food"), "drink": ("drink:", "favorite:drink")}


@lru_cache(maxsize=1)
def _idle() -> frozenset[str]:
    text = (resources.files("persona") / "grammar" / "idle.txt").read_text(encoding="utf-8")
    return frozenset(" ".join(line for line in text.splitlines() if not line.startswith("#")).split())


def by_slot(memories: Sequence[Memory], slot: str, language: str) -> list[Memory]:
    """Return the person's memories that fill a slot, newest first."""
    prefixes = _SLOTS[slot]
    wording = load_patterns("memory", language).get(slot, ())
    mine = [m for m in memories if m.subject == USER_SUBJECT or slot == "pet"]
    exact = [m for m in mine if any(_fills(m, prefix) for prefix in prefixes)]
    if exact:
        return newest(exact)
    return newest(
        m for m in mine if m.kind is not Kind.EVENT and any(p.search(folded(m.text)) for p in wording)
    )


def by_stance(memories: Sequence[Memory], polarity: int, verb: str, language: str) -> list[Memory]:
    """Return what the person likes (1) or dislikes (-1); ``verb`` (eat, drink, ...) narrows it down."""
    stance = [
        m
        for m in memories
        if m.subject == USER_SUBJECT
        and m.kind is not Kind.EVENT
        and polarity_of(m.text, language) == polarity
    ]
    if not verb:
        return newest(stance)
    wording = load_patterns("memory", language).get(verb, ())
    return newest(m for m in stance if _is_about(m, verb, wording))


def _is_about(memory: Memory, verb: str, wording: Iterable[re.Pattern[str]]) -> bool:
    """Whether a stance is about what one eats, drinks, ...: by its slot, where there is none by its words."""
    slot = attribute(memory) or ""
    if slot.startswith(tuple(prefix for prefixes in _CONSUMED.values() for prefix in prefixes)):
        return slot.startswith(_CONSUMED.get(verb, ()))
    return any(pattern.search(folded(memory.text)) for pattern in wording)


def polarity_of(text: str, language: str) -> int:
    """Return 1 for what is liked, -1 for what is disliked, 0 for neither."""
    parsed = parse_statement(text).polarity
    if parsed:
        return parsed
    wording = load_patterns("memory", language)
    if any(p.search(folded(text)) for p in wording["dislike"]):
        return -1
    return 1 if any(p.search(folded(text)) for p in wording["like"]) else 0


def attribute(memory: Memory) -> str | None:
    """Return the slot of a memory: the stored one, else the one its sentence fills."""
    return memory.attribute or attribute_of(memory.text, memory.category)


def by_words(memories: Iterable[Memory], topic: str, least: float = 0.34) -> list[Memory]:
    """Return the memories that share words with a topic, the closest first.

    ``least`` is the share of the topic's content terms that must be there.
    """
    asked = content_terms(topic)
    if not asked:
        return []
    scored = []
    for memory in memories:
        here = content_terms(f"{memory.text} {memory.quote} {memory.when_text or ''}")
        shared = asked & here
        weight = sum(map(_weight, shared))
        if shared and weight / sum(map(_weight, asked)) >= least:
            scored.append((weight, memory))
    scored.sort(key=lambda pair: -pair[0])
    return [memory for _, memory in scored]


def content_terms(text: str) -> frozenset[str]:
    """Return the folded terms of a text that say what it is about."""
    idle = _idle()
    terms = {term for term in lexical_terms(text) if term not in idle}
    loose = {t for t in terms if len(t) == 2 and not t.isascii() and t[0] in idle and t[1] in idle}
    return frozenset(terms - loose)


def newest(memories: Iterable[Memory]) -> list[Memory]:
    """Return memories by when they were last confirmed, newest first; an unknown time counts as oldest."""
    return sorted(
        memories,
        key=lambda m: (m.confirmed_at is None, -(m.confirmed_at.timestamp() if m.confirmed_at else 0)),
    )


def names_category(memory: Memory, *categories: Category) -> bool:
    """Whether a memory of the person's own is of one of the categories."""
    return memory.subject == USER_SUBJECT and memory.category in categories


def _fills(memory: Memory, prefix: str) -> bool:
    slot = attribute(memory) or ""
    return slot == prefix or slot.startswith(f"{prefix}:")


def _weight(term: str) -> float:
    return 1.0 if term.isascii() or len(term) > 1 else 0.4


def strip_question(topic: str) -> str:
    """Return a topic without the words that only ask."""
    return re.sub(
        r"(?:我的|我们的|那个|这个|那次|这次|我|你|最近|之前|上次|有|的事情?|要|会)+", "", fold(topic)
    ) or fold(topic)
