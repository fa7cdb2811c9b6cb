"""Which remembered things a question means: by slot, by stance, by the words they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

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
_FOOD = ("food", "drink", "favorite:food", "favorite:drink")
# Shared by most questions and memories alike: they tell nothing about which one is meant.
_IDLE = frozenset(
    [
        "我",
        "你",
        "的",
        "了",
        "吗",
        "呢",
        "吧",
        "是",
        "有",
        "在",
        "不",
        "没",
        "什",
        "么",
        "什么",
        "哪",
        "谁",
        "会",
        "要",
        "想",
        "说",
        "过",
        "说过",
        "记",
        "得",
        "记得",
        "还",
        "还记",
        "忘",
        "知",
        "道",
        "知道",
        "之",
        "前",
        "之前",
        "上",
        "次",
        "那",
        "个",
        "这",
        "件",
        "事",
        "和",
        "跟",
        "对",
        "把",
        "被",
        "很",
        "都",
        "也",
        "就",
        "来",
        "去",
        "到",
        "使",
        "用",
        "者",
        "使用",
        "用者",
        "喜",
        "欢",
        "喜欢",
        "讨",
        "厌",
        "讨厌",
        "天",
        "月",
        "年",
        "日",
        "周",
        "星",
        "期",
        "the",
        "a",
        "an",
        "i",
        "you",
        "my",
        "me",
        "your",
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "of",
        "to",
        "in",
        "on",
        "at",
        "and",
        "what",
        "when",
        "where",
        "who",
        "which",
        "how",
        "that",
        "this",
        "it",
        "about",
        "remember",
        "know",
        "still",
        "user",
        "user's",
        "have",
        "has",
        "had",
        "for",
        "with",
        "は",
        "が",
        "を",
        "に",
        "の",
        "で",
        "と",
        "も",
        "か",
        "て",
        "た",
        "し",
        "い",
        "る",
        "な",
        "ん",
        "す",
        "ま",
        "せ",
    ]
)


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
    return newest(
        m
        for m in stance
        if any(p.search(folded(m.text)) for p in wording)
        or (verb in {"eat", "drink"} and (attribute(m) or "").startswith(_FOOD))
    )


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
    terms = {term for term in lexical_terms(text) if term not in _IDLE}
    loose = {t for t in terms if len(t) == 2 and not t.isascii() and t[0] in _IDLE and t[1] in _IDLE}
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
