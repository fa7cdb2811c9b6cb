"""How often an answer would rest on what is no longer so: three memories over the same timelines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.evaluation.shown import Verdict, judge_shown
from memory.evaluation.stale_arms import (
    Answer,
    answer_by_dated_store,
    answer_by_memory,
    answer_by_similarity,
)
from memory.evaluation.timeline import Timeline, read_timeline
from memory.policy import MemoryPolicy
from memory.service import Models

MEMORY, DATED, SIMILARITY = "memory", "dated", "similarity"


@dataclass(frozen=True, slots=True)
class ArmScore:
    """Shares of the rows in 0..1; a row may be counted in more than one.

    ``stale``: something that is no longer so stands there as if it were, or is shown where it must not be
    used. ``missing``: something that must be there is not. ``wrong_phase``: an event is not marked as
    upcoming, running, over, called off or undated, or on another day. ``failed``: any of the three.
    """

    stale: float
    missing: float
    wrong_phase: float
    failed: float


@dataclass(frozen=True, slots=True)
class StalePrediction:
    """What one arm showed for one row, and what is wrong with it."""

    id: str
    arm: str
    stale: tuple[str, ...]
    missing: tuple[str, ...]
    wrong_phase: tuple[str, ...]
    context: str


@dataclass(frozen=True, slots=True)
class StaleReport:
    """The figures of this memory (as in :class:`ArmScore`) with the other two beside them, over all rows.

    ``by``: for each kind of timeline its rows and how many fail in each arm. ``failures``: how many rows
    this memory fails.
    """

    rows: int
    stale: float
    missing: float
    wrong_phase: float
    failures: int
    baselines: Mapping[str, ArmScore]
    by: Mapping[str, Mapping[str, int]]
    predictions: tuple[StalePrediction, ...] = field(repr=False)


async def evaluate_stale(
    rows: Iterable[Mapping[str, Any]], models: Models, policy: MemoryPolicy | None = None
) -> StaleReport:
    """Run every timeline through the three memories and hold what they show against its demands.

    All three show at most ``policy.recall_kept`` memories, found with the same embedder. Raises
    ``ValueError`` naming the row and the field where one is missing or wrong, or an id comes twice.
    """
    timelines = [read_timeline(row, number) for number, row in enumerate(rows, start=1)]
    twice = [name for name, count in Counter(t.id for t in timelines).items() if count > 1]
    if twice:
        raise ValueError(f"row {twice[0]}: this id is there twice")
    policy = policy or MemoryPolicy()
    kept = policy.recall_kept
    arms: dict[str, Mapping[str, Answer]] = {
        MEMORY: await answer_by_memory(timelines, models, policy),
        DATED: await answer_by_dated_store(timelines, models, kept),
        SIMILARITY: await answer_by_similarity(timelines, models.embedder, kept),
    }
    verdicts = {
        arm: {t.id: judge_shown(t, answers[t.id].shown) for t in timelines} for arm, answers in arms.items()
    }
    scores = {arm: _score(list(judged.values())) for arm, judged in verdicts.items()}
    mine = scores.pop(MEMORY)
    return StaleReport(
        rows=len(timelines),
        stale=mine.stale,
        missing=mine.missing,
        wrong_phase=mine.wrong_phase,
        failures=sum(not verdict.holds for verdict in verdicts[MEMORY].values()),
        baselines=scores,
        by=_by_kind(timelines, verdicts),
        predictions=tuple(
            _prediction(timeline, arm, verdicts[arm][timeline.id], answers[timeline.id])
            for timeline in timelines
            for arm, answers in arms.items()
        ),
    )


def _score(verdicts: Sequence[Verdict]) -> ArmScore:
    count = max(len(verdicts), 1)
    return ArmScore(
        stale=sum(bool(v.stale) for v in verdicts) / count,
        missing=sum(bool(v.missing) for v in verdicts) / count,
        wrong_phase=sum(bool(v.wrong_phase) for v in verdicts) / count,
        failed=sum(not v.holds for v in verdicts) / count,
    )


def _by_kind(
    timelines: Sequence[Timeline], verdicts: Mapping[str, Mapping[str, Verdict]]
) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {}
    for kind in sorted({timeline.kind for timeline in timelines}):
        ids = [timeline.id for timeline in timelines if timeline.kind == kind]
        kinds[kind] = {"rows": len(ids)} | {
            arm: sum(not judged[name].holds for name in ids) for arm, judged in verdicts.items()
        }
    return kinds


def _prediction(timeline: Timeline, arm: str, verdict: Verdict, answer: Answer) -> StalePrediction:
    return StalePrediction(
        id=timeline.id,
        arm=arm,
        stale=verdict.stale,
        missing=verdict.missing,
        wrong_phase=verdict.wrong_phase,
        context=answer.context,
    )
