"""Colours, chosen for a dark chat: every kind of text on them has a contrast of at least 4.5."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from memory.model import Category

Colour = tuple[int, int, int]

GROUND: Colour = (30, 31, 36)
BAND: Colour = (37, 39, 45)
GRID: Colour = (56, 58, 66)
TEXT: Colour = (242, 243, 245)
NOTE: Colour = (170, 174, 184)
FADED: Colour = (150, 154, 165)
NOW: Colour = (255, 255, 255)

OF_CATEGORY: Mapping[Category, Colour] = MappingProxyType(
    {
        Category.NAME: (255, 143, 184),
        Category.IDENTITY: (246, 196, 90),
        Category.PREFERENCE: (110, 207, 151),
        Category.HOBBY: (92, 178, 255),
        Category.HABIT: (183, 156, 255),
        Category.SCHEDULE: (255, 138, 92),
        Category.OTHER: (90, 209, 209),
    }
)


def mix(colour: Colour, with_: Colour, share: float) -> Colour:
    """Return a colour with a share (0..1) of another."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, with_, strict=True))
    return red, green, blue


_STEPS = 16
_INKS = (*OF_CATEGORY.values(), TEXT, NOTE, FADED, GRID)
SHADES: tuple[Colour, ...] = (
    GROUND,
    BAND,
    *(mix(ink, GROUND, step / _STEPS) for ink in _INKS for step in range(_STEPS)),
    *(mix(ink, BAND, step / 8) for ink in _INKS[-4:] for step in range(1, 8)),
    NOW,
)
"""At most 256: every colour of a picture, and what lies between a colour and the ground under it."""
