"""Text as matching sees it. What is shown or stored is never changed by this."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import opencc

_SPACE = re.compile(r"\s+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_CJK_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
# Half a character: clients send them, no encoding takes them. Each becomes the sign for what is unreadable.
_HALVES = re.compile("[\ud800-\udfff]")
_FENCES = str.maketrans({"`": "'", "\u201c": '"', "\u201d": '"'})


@lru_cache(maxsize=1)
def _to_simplified() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def readable(text: str) -> str:
    """Return a text as every store and encoder takes it: half characters and NUL become U+FFFD."""
    return _HALVES.sub("\ufffd", text).replace("\0", "\ufffd")


def fold(text: str) -> str:
    """Return the form two texts are compared in: NFKC, lower case, Simplified script, one space.

    The length may change, so offsets into the folded text are not offsets into ``text``;
    see :func:`fold_same_length` where they must be.
    """
    whole = _HALVES.sub("\ufffd", text)
    folded = _to_simplified().convert(unicodedata.normalize("NFKC", whole))
    return _SPACE.sub(" ", folded).strip().casefold()


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) != 1:
        return character
    if _HALVES.match(folded):
        return "\ufffd"
    folded = _to_simplified().convert(folded)
    lowered = folded.lower()
    return lowered if len(lowered) == 1 else character


def fold_same_length(text: str) -> str:
    """Fold character by character, so that offsets into the result are offsets into ``text``."""
    return "".join(map(_fold_character, text))


def has_cjk(text: str) -> bool:
    """Whether there is a Chinese or Japanese character."""
    return _CJK.search(text) is not None


def lexical_terms(text: str) -> list[str]:
    """Return the terms of a text, folded: CJK characters and character bigrams, other words whole."""
    folded = fold(text)
    terms: list[str] = _WORD.findall(folded)
    for run in _CJK_RUN.findall(folded):
        terms.extend(run)
        terms.extend(run[i : i + 2] for i in range(len(run) - 1))
    return terms


def single_line(text: str, limit: int) -> str:
    """Return ``text`` as harmless data for a prompt: one line, capped, nothing that steers.

    Line breaks, control and direction characters become spaces or go; backticks become quotes;
    longer texts end in ``…`` at ``limit`` characters.
    """
    cleaned = "".join(
        " " if unicodedata.category(character) in {"Zl", "Zp", "Cc"} else character
        for character in text
        if unicodedata.category(character) not in {"Cf", "Cs", "Co", "Cn"} or character == "\u200d"
    )
    cleaned = _SPACE.sub(" ", cleaned.translate(_FENCES)).strip()
    return cleaned if len(cleaned) <= limit else cleaned[: limit - 1].rstrip() + "…"
