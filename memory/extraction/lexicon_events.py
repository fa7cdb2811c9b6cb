"""What people plan: families of event words, generic and specific, and how an event turned out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from memory.extraction.lexicon import folded_source, pattern
from memory.extraction.tables import expression, table


@dataclass(frozen=True)
class Topic:
    """A family of events.

    ``name`` is the word an offline sentence uses where the person gave none. ``words`` name any
    event of the family and stand for each other, ``shapes`` are expressions that mean it too;
    ``specific`` ones tell two events of the family apart (期中考, 多益). All on folded text.
    """

    key: str
    name: str
    words: tuple[str, ...]
    shapes: tuple[str, ...] = ()
    specific: tuple[str, ...] = ()

    @cached_property
    def source(self) -> str:
        """One expression for the whole family, the specific words first, then the longest."""
        plain = sorted(self.words, key=len, reverse=True)
        bounded = [rf"\b{word}\b" if word.isascii() else word for word in plain]
        return "|".join((*self.specific, *self.shapes, *bounded))

    @cached_property
    def folded_words(self) -> tuple[str, ...]:
        """The words that name any event of the family, folded."""
        return tuple(map(folded_source, self.words))


@lru_cache(maxsize=1)
def topics() -> tuple[Topic, ...]:
    """Return the families, in the order of their table."""
    return tuple(
        Topic(
            key.replace("_", " "),
            row["name"],
            tuple(dict.fromkeys(row["words"])),
            tuple(row.get("shapes", ())),
            tuple(row.get("specific", ())),
        )
        for key, row in table("events").items()
    )


def topics_in(folded: str) -> tuple[Topic, ...]:
    """Return the families a folded text speaks of, the first named first."""
    found = [
        (match.start(), place, topic)
        for place, topic in enumerate(topics())
        if (match := pattern(topic.source).search(folded)) is not None
    ]
    return tuple(topic for _, _, topic in sorted(found, key=lambda item: item[:2]))


def specifics_in(topic: Topic, folded: str) -> frozenset[int]:
    """Return which specific members of a family are named (indexes into ``topic.specific``)."""
    return frozenset(i for i, words in enumerate(topic.specific) if pattern(words).search(folded))


def outcome_span(folded: str) -> tuple[int, int] | None:
    """Return where a folded text tells how something went; None where it is only wondered (不知道過了沒)."""
    if pattern(expression("outcomes", "wondered")).search(folded):
        return None
    for language in ("zh", "en", "ja"):
        match = pattern(expression("outcomes", language)).search(folded)
        if match is not None and match.end() > match.start():
            return match.span()
    return None
