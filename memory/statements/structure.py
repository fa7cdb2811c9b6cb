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

    ``subject`` is ``user``, a kinship word or a name. ``predicate`` is ``like`` for a
    stance, else the first verb's key. ``concepts`` are the known words as (kind, key), ``loose``
    the content words and CJK stretches the lexicon does not know. ``polarity`` is the stance:
    1 for, -1 against, 0 none. ``negated`` is the parity of all negations. ``slot`` and ``value`` are
    the slot it fills and with what. ``scope`` is a closed time of life (大学时).
    """

    text: str
    subject: str = USER_SUBJECT
    predicate: str | None = None
    concepts: frozenset[tuple[str, str]] = frozenset()
    loose: frozenset[str] = frozenset()
    markers: frozenset[str] = frozenset()
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

    @property
    def terms(self) -> frozenset[str]:
        """Everything with content: keys of concepts and loose words."""
        return frozenset(key for _, key in self.concepts) | self.loose

    @property
    def things(self) -> frozenset[tuple[str, str]]:
        """The concepts that are no verbs and no people."""
        return frozenset(c for c in self.concepts if c[0] not in {"verb", "kin"})

    @property
    def habitual(self) -> bool:
        """Whether it tells what is done again and again."""
        return "habitual" in self.markers
