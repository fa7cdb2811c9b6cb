"""The parts of a fact sentence that decide how it stands to another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory.model import USER_SUBJECT


class Aspect(StrEnum):
    """How the thing told stands to its happening."""

    STATE = "state"
    PLANNED = "planned"
    DONE = "done"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    MOVED = "moved"
    HYPOTHETICAL = "hypothetical"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts (``unit`` empty where nothing follows)."""

    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """One sentence, taken apart. Every string is folded (see :func:`memory.text.fold`).

    ``subject`` is ``user``, a kinship word or a name. ``predicate`` is a class of verb
    (``like``, ``own``, ``live``...). ``terms`` are the concepts and loose content words;
    ``objects`` those of them that the verb acts on. ``polarity`` is the stance: 1 for, -1
    against, 0 none. ``negated`` is the parity of all negations. ``slot`` and ``value`` are
    the slot it fills and with what. ``scope`` is a closed time of life (大学时).
    """

    text: str
    subject: str = USER_SUBJECT
    predicate: str | None = None
    terms: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    polarity: int = 0
    negated: bool = False
    numbers: tuple[Quantity, ...] = ()
    dates: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    slot: str | None = None
    value: str | None = None
    aspect: Aspect = Aspect.STATE
    changed: bool = False
    additive: bool = False
    corrected: bool = False
    scope: str | None = None
