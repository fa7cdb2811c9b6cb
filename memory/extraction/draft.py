"""A fact before its slot, kind and language are settled."""

from __future__ import annotations

from dataclasses import dataclass

from memory.extraction.lexicon import is_sensitive, pattern
from memory.extraction.types import Change, Fact
from memory.model import USER_SUBJECT, Category, Kind
from memory.policy import DEFAULT_RULES
from memory.statements import attribute_of
from memory.text import fold_same_length

_FIXED = frozenset({"birthday", "hometown", "blood_type", "zodiac", "chinese_zodiac"})


_DANGLING = (
    r"(?:(?<![報遲簽看收拿買搶抽遇見達接找周想辦做直感得領])到|(?<![有赴預合簽續節契租解失毀邀條紐大公違爽])約"
    r"|(?<![高腳])跟|(?<![還都不沒實存現自同潛所內外好正])在|(?<![溫平柔飽祥])和|[於從])$"
)


def dangles(sentence: str) -> bool:
    """Whether a sentence breaks off at its end, as one whose date was cut out: 使用者加班到."""
    return pattern(_DANGLING).search(fold_same_length(sentence)) is not None


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rule found: the sentence, the words it rests on, and its shelf.

    ``attribute`` is only what the rule takes the slot to be; :func:`finish` settles it.
    ``ends_known``: see :class:`Fact`.
    """

    text: str
    quote: str
    category: Category
    subject: str = USER_SUBJECT
    attribute: str | None = None
    when_text: str | None = None
    change: Change = Change.NEW
    outcome: str | None = None
    painful: bool = False
    ends_known: bool = False


def kind_of(category: Category, attribute: str | None) -> Kind:
    """Return how a fact stands to time: by its category, for ever where it can't change."""
    if category is Category.IDENTITY and attribute in _FIXED:
        return Kind.STATIC
    return DEFAULT_RULES[category].kind


# Slots only who somebody is may fill: a habit or a plan never settles a home or a name.
_IDENTITY_ONLY = frozenset({"name", "nickname", "home", "hometown", "birthday", "age", "job", "school"})


def slot_of(text: str, category: Category) -> str | None:
    """Return the slot a sentence fills, where its shelf may fill it."""
    attribute = attribute_of(text, category)
    if attribute in _IDENTITY_ONLY and category not in {Category.NAME, Category.IDENTITY}:
        return None
    return attribute


# What a Japanese rule takes the slot to be is believed: the sentences are read in Chinese and English.
_BELIEVED_JA = frozenset({"job", "nickname"})


def _slot(draft: Draft, language: str) -> str | None:
    """Return the slot the sentence fills; where none is found, an event's own topic, or what a rule knows."""
    hint = draft.attribute or ""
    believed = hint.startswith("event:") or (language == "ja" and hint in _BELIEVED_JA)
    return slot_of(draft.text, draft.category) or (hint if believed else None)


def finish(draft: Draft, language: str) -> Fact:
    """Settle slot, kind, language and sensitivity of a draft."""
    attribute = _slot(draft, language)
    return Fact(
        text=draft.text,
        language=language,
        quote=draft.quote,
        subject=draft.subject,
        category=draft.category,
        kind=kind_of(draft.category, attribute or draft.attribute),
        attribute=attribute,
        when_text=draft.when_text,
        change=draft.change,
        outcome=draft.outcome,
        sensitive=draft.painful or is_sensitive(fold_same_length(draft.quote)),
        ends_known=draft.ends_known,
    )
