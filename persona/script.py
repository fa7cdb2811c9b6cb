"""Text made fit to be read: halves of characters mended, drifted Chinese brought back to Taiwan's script."""

from __future__ import annotations

from functools import lru_cache

import opencc

# Two characters that only Simplified has: one alone may be a quoted word or a name.
MIN_SIMPLIFIED = 2


@lru_cache(maxsize=1)
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("s2twp")


@lru_cache(maxsize=4096)
def _only_simplified(character: str) -> bool:
    """Whether a character is written so in Simplified alone: it changes, and Big5 never had it."""
    if not "\u3400" <= character <= "\u9fff":
        return False
    try:
        character.encode("big5")
    except UnicodeEncodeError:
        return bool(_converter().convert(character) != character)
    return False


def to_taiwan(text: str) -> str:
    """Return ``text`` in Traditional script where it is in Simplified, unchanged otherwise."""
    drifted = sum(map(_only_simplified, text))
    return str(_converter().convert(text)) if drifted >= MIN_SIMPLIFIED else text


def whole(text: str) -> str:
    """Return ``text`` without lone surrogates, which no encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
