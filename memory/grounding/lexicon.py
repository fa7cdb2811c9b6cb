"""One row of a language's table: a named pattern and the frame it fills."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from memory.grounding.frame import Clock, Frame

Groups = dict[str, str | None]
Build = Callable[[Groups], Frame | None]


@dataclass(frozen=True)
class Rule:
    """A named pattern over folded text; ``build`` may still refuse a match."""

    name: str
    pattern: str
    build: Build

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled when first needed."""
        return re.compile(self.pattern)


@dataclass(frozen=True)
class Lexicon:
    """A language's rules and a pattern for the places where an expression can begin."""

    language: str
    trigger: str
    rules: tuple[Rule, ...]


def blocked(_: Groups) -> Frame:
    """Return the frame of words that look like time and are none."""
    return Frame(block=True)


def vague(_: Groups) -> Frame:
    """Return the frame of words that speak of time and are no date."""
    return Frame(vague=True)


def clock(hour: int, minute: int = 0, *, fixed: bool = False, loose: bool = False) -> Frame | None:
    """Return a clock frame, or None where there is no such time (``25`` counts on into the night)."""
    if not (0 <= hour <= 29 and 0 <= minute < 60):
        return None
    return Frame(clock=Clock(hour, minute, fixed=fixed or hour > 12 or hour == 0, loose=loose))


def date_frame(month: int | None, mday: int | None, year: int | None = None) -> Frame | None:
    """Return a date frame, or None where no such day exists in any year."""
    longest = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if month is not None and not 1 <= month <= 12:
        return None
    if mday is not None and not 1 <= mday <= (longest[month - 1] if month else 31):
        return None
    if year is not None and not 1 <= year <= 9998:
        return None
    return Frame(year=year, month=month, mday=mday)
