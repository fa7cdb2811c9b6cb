"""Answers that hold people's own words and still fit a message."""

from __future__ import annotations

from collections.abc import Callable

ROOM = 2000
"""What a message holds; counted in UTF-16 units, of which an emoji has two, to be on the safe side."""

_LENGTHS = (200, 160, 120, 80, 40, 20, 10)


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fitting(make: Callable[[int], str]) -> str:
    """Return what ``make`` gives with the most of each memory, in UTF-16 units, that fits a message.

    Memories may be long, and escaping their markup can double them: a page of short ones is shown
    whole, a page of long ones shortened evenly.
    """
    for most in _LENGTHS:
        text = make(most)
        if units(text) <= ROOM:
            return text
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * (ROOM - 1)]
    return kept.decode("utf-16-le", "ignore") + "…"
