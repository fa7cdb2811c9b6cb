"""Expressions on folded text: both Chinese scripts are understood, what is stored stays as typed."""

from __future__ import annotations

import re
from functools import lru_cache

from memory.extraction.tables import expression, table
from memory.text import fold_same_length, has_cjk


def folded_source(source: str) -> str:
    """Fold the CJK characters of a regular expression, leaving its syntax alone."""
    return "".join(fold_same_length(c) if has_cjk(c) else c for c in source)


@lru_cache(maxsize=1024)
def pattern(source: str) -> re.Pattern[str]:
    """Compile a regular expression to be used on folded text (lower case, Simplified, ASCII marks)."""
    return re.compile(folded_source(source))


@lru_cache(maxsize=1)
def _signs() -> dict[int, str]:
    return {ord(sign): fold_same_length(meant) for sign, meant in table("slang")["signs"].items()}


@lru_cache(maxsize=1)
def _spellings() -> tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], str], ...]]:
    """Return what finds any spelling for fun, and each of them with what it means."""
    words = table("slang")["words"]
    each = tuple((pattern(source), fold_same_length(meant)) for source, meant in words)
    return pattern("|".join(f"(?:{source})" for source, _ in words)), each


def folded_speech(text: str) -> str:
    """Fold a text character by character and read what is spelled for fun (偶ㄉ貓) as what it means."""
    folded = fold_same_length(text)
    anyhow, each = _spellings()
    if anyhow.search(folded):
        for spelled, meant in each:
            folded = spelled.sub(meant, folded)
    return folded.translate(_signs())


def found(name: str, key: str, folded: str) -> re.Match[str] | None:
    """Search a folded text for an entry of a table."""
    return pattern(expression(name, key)).search(folded)


def is_sensitive(folded: str) -> bool:
    """Whether the words touch something painful (folded text of any of the three languages)."""
    return any(found("words", key, folded) for key in ("sensitive_zh", "sensitive_en", "sensitive_ja"))
