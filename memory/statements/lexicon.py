"""Words that name the same thing, in any of the languages people write in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import yaml

from memory.text import fold

_WORD = re.compile(r"[a-z0-9]+(?:['\-][a-z0-9]+)*|[^\x00-\x7f]|\S")
# One vowel, one consonant: before an ending the consonant would be doubled, so an e was dropped (hat-es).
_DROPPED_E = re.compile(r"(?:^|[^aeiou])[aeiou][^aeiouwxys]$")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of folded text: a known concept (``kind`` and ``key``) or a loose word or character."""

    surface: str
    start: int
    end: int
    kind: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Concepts by folded word; the longest word at a place wins."""

    words: Mapping[str, tuple[str, str]]
    longest: int
    longest_phrase: int

    def concept(self, word: str) -> tuple[str, str] | None:
        """Return (kind, key) of a folded word, trying English endings too."""
        found = self.words.get(word)
        if found is None and word.isascii():
            for stem in stems(word):
                found = self.words.get(stem)
                if found:
                    break
        return found

    def tokens(self, folded: str) -> list[Token]:
        """Cut a folded text into concepts and loose words (CJK: single characters)."""
        return list(self._scan(folded))

    def _scan(self, folded: str) -> Iterator[Token]:
        units = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(folded)]
        index = 0
        while index < len(units):
            surface, start, _ = units[index]
            ascii_here = surface[0].isascii()
            reach = self.longest_phrase if ascii_here else self.longest
            for size in range(min(reach, len(units) - index), 0, -1):
                last = units[index + size - 1]
                candidate = folded[start : last[2]]
                if size > 1 and not ascii_here and " " in candidate:
                    continue
                found = self.concept(candidate) if ascii_here else self.words.get(candidate)
                if found:
                    yield Token(candidate, start, last[2], *found)
                    index += size
                    break
            else:
                yield Token(surface, start, units[index][2])
                index += 1


def stems(word: str) -> list[str]:
    """Return the bare forms an English word may come from, the likeliest first."""
    found = []
    for ending, put_back in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)] + put_back
            forms = [stem]
            if ending in {"ing", "ed", "es"}:
                forms.insert(0 if _DROPPED_E.search(stem) else 1, stem + "e")
                if len(stem) > 3 and stem[-1] == stem[-2]:
                    forms.append(stem[:-1])
            found += forms
    return found


def bare(word: str) -> str:
    """Return an unknown English word without its ending."""
    return next(iter(stems(word)), word)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Load every file of ``memory/statements/lexicon``."""
    words: dict[str, tuple[str, str]] = {}
    folder = resources.files("memory.statements") / "lexicon"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".yaml"):
            continue
        for kind, lines in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            for line in lines:
                names = [fold(name) for name in str(line).split(",")]
                for name in names:
                    words.setdefault(name, (kind, names[0]))
    return Lexicon(
        words=words,
        longest=max(len(word) for word in words if not word[0].isascii()),
        longest_phrase=max(word.count(" ") + 1 for word in words),
    )


@lru_cache(maxsize=1)
def _is_a() -> Mapping[str, str]:
    text = (resources.files("memory.statements") / "is_a.yaml").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for line in yaml.safe_load(text):
        narrower, _, wider = fold(line).partition(" < ")
        found.update({word.strip(): wider for word in narrower.split(",")})
    return found


@lru_cache(maxsize=4096)
def wider_than(key: str) -> tuple[str, ...]:
    """Return the concepts a concept is a kind of, the nearest first."""
    found: list[str] = []
    while (key := _is_a().get(key, "")) and key not in found:
        found.append(key)
    return tuple(found)
