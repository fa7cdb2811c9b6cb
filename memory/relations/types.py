"""How a new fact stands to a known one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from memory.model import USER_SUBJECT, Category


class Relation(StrEnum):
    """The three verdicts."""

    CONTRADICT = "CONTRADICT"
    DUPLICATE = "DUPLICATE"
    DIFFERENT = "DIFFERENT"


@dataclass(frozen=True, slots=True)
class Statement:
    """One side of a comparison: a stored memory or a new fact.

    ``distance`` (cosine, 0..2) is that of a candidate to the new fact; None for the new fact
    itself or where there is no vector.
    """

    text: str
    quote: str = ""
    subject: str = USER_SUBJECT
    category: Category = Category.OTHER
    attribute: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    said_at: datetime | None = None
    language: str = "zh-TW"
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A relation, with the reason that was given before it."""

    relation: Relation
    reason: str


class RelationJudge(Protocol):
    """Tells how a new statement stands to each candidate, in one go.

    Returns exactly one verdict per candidate, in order; where an answer does not match the
    candidates one to one, all are DIFFERENT. Raises :class:`llm.errors.ModelError` (transient)
    where the model can't be reached.
    """

    @property
    def name(self) -> str:
        """Which judge this is."""
        ...

    async def judge(self, new: Statement, candidates: Sequence[Statement]) -> tuple[Verdict, ...]:
        """Judge at most three candidates."""
        ...
