"""The judge that needs no model: structure first, a small classifier where structure doesn't tell."""

from __future__ import annotations

from collections.abc import Sequence

from memory.relations.classifier import by_likeness
from memory.relations.compare import Pair
from memory.relations.structure import by_structure
from memory.relations.types import Statement, Verdict


class OfflineJudge:
    """Rules over parsed sentences; when unsure, DIFFERENT: archiving the wrong one is damage."""

    @property
    def name(self) -> str:
        """Which judge this is."""
        return "rules"

    async def judge(self, new: Statement, candidates: Sequence[Statement]) -> tuple[Verdict, ...]:
        """Return a verdict per candidate, in order. Never fails, asks nobody."""
        return tuple(decide(candidate, new) for candidate in candidates)


def decide(old: Statement, new: Statement) -> Verdict:
    """Tell how ``new`` stands to the known ``old``."""
    pair = Pair(old, new)
    return by_structure(pair) or by_likeness(pair)
