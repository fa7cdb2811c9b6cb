"""Whether words of hers ask how an event went: watched, so that a question counts as asked only if it was."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memory.catalog import LANGUAGES, closest_language, load_catalog
from memory.model import Memory
from persona.offline.clauses import hear
from persona.offline.scene import GRAMMAR_OF
from persona.offline.search import content_terms
from persona.patterns import compile_folded, folded

CATALOG = "persona.follow_up"
_SENTENCE = re.compile(r"[^\n]+?(?:[。！？!?]+|[.](?=\s|$)|(?=\n)|$)")


def asks_about(text: str, memory: Memory, language: str) -> bool:
    """Whether a text asks about an event: a question that names it, or follows on the words that do.

    Of something painful, asking how the person has been since is asking.
    """
    before = ""
    for sentence in sentences(text):
        if is_question(sentence, language):
            if names(sentence, memory, language):
                return True
            around = f"{before} {sentence}"
            if _says("went", sentence, language) and names(around, memory, language):
                return True
            if memory.sensitive and _says("since", around, language):
                return True
        before = sentence
    return False


def asked_in(text: str, due: Iterable[Memory], language: str) -> tuple[str, ...]:
    """Return the ids of the events a text asks about, in the order given."""
    return tuple(memory.id for memory in due if asks_about(text, memory, language))


def sentences(text: str) -> list[str]:
    """Return the sentences of a chat message, each with its mark."""
    return [match[0].strip() for match in _SENTENCE.finditer(text) if match[0].strip()]


def is_question(sentence: str, language: str) -> bool:
    """Whether a sentence asks, by its mark or by its words."""
    return _says("asking", sentence, language)


def names(text: str, memory: Memory, language: str) -> bool:
    """Whether a text speaks of an event: a content word of its sentence, or what it is about."""
    told = content_terms(f"{memory.text} {memory.quote}")
    said = content_terms(text)
    if any(len(term) > 1 for term in told & said):
        return True
    topics = _topics(memory.text, memory.language) | _topics(memory.text, language)
    return bool(topics & (_topics(text, language) | _topics(text, memory.language)))


def _topics(text: str, language: str) -> set[str]:
    found = hear("topics", GRAMMAR_OF[closest_language(language)], [folded(text)])
    return {heard.key for heard in found[:1]}


def _says(key: str, text: str, language: str) -> bool:
    return any(_pattern(key, tag).search(folded(text)) for tag in _tongues(language))


def _tongues(language: str) -> list[str]:
    """Return the languages whose words may show a question: hers first, then the others."""
    return list(dict.fromkeys((closest_language(language), *LANGUAGES)))


@lru_cache(maxsize=32)
def _pattern(key: str, language: str) -> re.Pattern[str]:
    return compile_folded(str(load_catalog(CATALOG, language).get(key)))
