"""What the resolver finds in a text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.model import Precision


class Direction(StrEnum):
    """Where a resolved time lies, seen from the moment of speaking."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


class Night(StrEnum):
    """Whether, to somebody who speaks before dawn, the night of the day before is still on."""

    UNTOLD = "untold"
    ON = "on"
    OVER = "over"


class Tense(StrEnum):
    """Which way the words around a date look."""

    PAST = "past"
    FUTURE = "future"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One time expression of a text, grounded.

    ``start``/``end`` are aware, in the person's zone, half-open. Both are None where the phrase
    speaks of time but is not surely a date (``recurrence`` then holds e.g. ``weekly:2`` where it
    is one, Monday 0). ``readings`` holds every plausible reading, the best first; ``ambiguous``
    is set where they fall on more than one day, and such an expression dates no memory.
    ``names_day`` is False where the words give a time of day alone: 改成三點 keeps the day it had.
    """

    phrase: str
    span: tuple[int, int]
    start: datetime | None
    end: datetime | None
    precision: Precision | None
    direction: Direction | None
    rule: str
    ambiguous: bool = False
    recurrence: str | None = None
    readings: tuple[tuple[datetime, datetime], ...] = ()
    names_day: bool = True

    @property
    def resolved(self) -> bool:
        """Whether there is a best reading."""
        return self.start is not None
