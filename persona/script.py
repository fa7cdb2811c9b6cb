"""Text made fit to be read: halves of characters mended, drifted Chinese brought back to Taiwan's script."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

import opencc

# Two characters that only Simplified has: one alone may be a quoted word or a name.
MIN_SIMPLIFIED = 2

# Code, links and what is quoted are somebody's own signs: they stay as they are.
_OWN = r"```.*?```|`[^`\n]+`|https?://\S+|<[^<>\s]{1,64}>|「[^「」]*」|『[^『』]*』|《[^《》]*》|“[^“”]*”"
_QUOTES = ("「", "『", "“")


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


def to_taiwan(text: str, names: Collection[str] = ()) -> str:
    """Return ``text`` in Traditional script where it is in Simplified, unchanged otherwise.

    Code, links, quotations and ``names`` stay as they are. Quotation marks around the whole text
    quote nothing.
    """
    named = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name.strip())
    own = re.compile(f"({_OWN}{'|' + named if named else ''})", re.DOTALL)
    pieces = own.split(text)
    if not "".join(pieces[::2]).strip() and text.strip()[:1] in _QUOTES:
        pieces = [text]
    drifted = sum(map(_only_simplified, "".join(pieces[::2])))
    if drifted < MIN_SIMPLIFIED:
        return text
    pieces[::2] = [str(_converter().convert(piece)) for piece in pieces[::2]]
    return "".join(pieces)


def whole(text: str) -> str:
    """Return ``text`` without lone surrogates, which no encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
