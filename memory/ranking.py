"""Which memories enter a reply, in which order, and why: the temporal layer over a set of candidates.

Pure: candidates, a clock's moment and the thresholds go in; kept memories and an audit line for
every candidate come out. The order of the candidates never matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from memory.fusion import asks_only_for_a_time, named_spans, relevance, subject_matches, time_match
from memory.model import Memory, Phase, TemporalState
from memory.plans import asks_for_plans, plan_match
from memory.policy import MemoryPolicy, Thresholds
from memory.recollection import AuditLine, Reading, Recalled
from memory.telling import apply_reading
from memory.temporal import classify, decay, event_window, phase
from memory.why import Tie, explain_choice

__all__ = ["Candidate", "Ranking", "SourceRule", "apply_reading", "rank", "superseded_ids"]

# Under this share of the best live candidate's relevance nothing enters. Set on the four scenarios of the
# temporal-layer guide: the live event of the fourth (0.38) enters, the one of the third (0.28) stays out.
RELATIVE_FLOOR = 1 / 3
# Shared words are weaker evidence that a message is about a memory at all than that it is about this
# one: at the floor they count less than in the order.
FLOOR_LEXICAL_SHARE = 0.1
# Without a vector a memory needs this much of the best lexical score.
LEXICAL_ALONE = 0.5

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SourceRule:
    """How what comes from one source ages, where it differs from its category (lore, documents)."""

    half_life_days: float | None = None
    expires_after_days: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be used.

    ``similarity`` is the cosine to the message, None without a vector; ``lexical`` lies in 0..1.
    ``superseded_by`` names a newer version (it is removed then), ``overturned_by`` a newer finding
    that proves it wrong (it may be shown beside that one, never lead). ``meant`` is set where the
    message surely speaks of it: no floor then.
    """

    memory: Memory
    similarity: float | None = None
    lexical: float = 0.0
    source_rule: SourceRule | None = None
    superseded_by: str | None = None
    overturned_by: str | None = None
    meant: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """What is used, best first, and what became of every candidate: the kept ones first."""

    kept: tuple[Recalled, ...]
    audit: tuple[AuditLine, ...]


@dataclass(slots=True)
class _Scored:
    """A candidate on its way through :func:`rank`, which alone changes it: it learns its cause last."""

    candidate: Candidate
    state: TemporalState
    phase: Phase | None
    similarity: float
    time_match: float
    subject_match: float
    relevance: float
    decay: float
    boost: float
    score: float
    cause: str

    @property
    def order(self) -> tuple[bool, float, float, timedelta, str]:
        memory = self.candidate.memory
        age = (memory.confirmed_at or _LONG_AGO) - _LONG_AGO
        overturned = self.candidate.overturned_by is not None
        return overturned, -self.score, -self.relevance, -age, memory.id


@dataclass(frozen=True, slots=True)
class _Asked:
    """The times a message names; else, where it asks for whatever is coming, how far ahead."""

    spans: Sequence[tuple[datetime, datetime]]
    plans: timedelta | None
    now: datetime

    def match(self, memory: Memory, policy: MemoryPolicy) -> float:
        if self.spans:
            said = (memory.created_at, memory.updated_at)
            return time_match(self.spans, said, event_window(memory, policy))
        if self.plans is None:
            return 0.0
        stands = phase(memory, self.now, policy)
        return plan_match(memory, event_window(memory, policy), stands, self.now, self.plans)


def rank(
    query_text: str,
    reading: Reading,
    candidates: Iterable[Candidate],
    now: datetime,
    policy: MemoryPolicy,
    thresholds: Thresholds,
    *,
    kept: int | None = None,
    language: str = "zh-TW",
    zone: str = "Asia/Taipei",
) -> Ranking:
    """Choose and order the memories for one message.

    Expired, archived and superseded ones are removed first, so that they bend nothing; then the
    relevance floor, absolute and relative to the best live candidate; then the score of relevance and
    freshness, an event inside its window boosted. ``kept`` defaults to ``policy.recall_kept``.
    """
    spans = named_spans(reading.times, now)
    time_alone = asks_only_for_a_time(query_text, reading.times)
    plans = None if spans else asks_for_plans(query_text)
    asked = _Asked(spans, plans, now)
    weights = (
        (policy.now_similarity_weight, policy.now_decay_weight)
        if reading.about_now
        else (policy.similarity_weight, policy.decay_weight)
    )
    unique = {candidate.memory.id: candidate for candidate in sorted(candidates, key=_strength)}
    gone = superseded_ids(unique.values(), now, policy)
    named = subject_matches(query_text, (candidate.memory.subject for candidate in unique.values()))
    scored = [
        _score(candidate, named, candidate.memory.id in gone, asked, weights, policy)
        for candidate in unique.values()
    ]
    live = [one for one in scored if not one.cause]
    best = max((one.relevance for one in live), default=0.0)
    by_time = time_alone or plans is not None
    for one in live:
        one.cause = _floor_cause(one, best, thresholds, by_time)
    judged = sorted(live, key=lambda one: one.order)
    chosen = _choose(judged, policy.recall_kept if kept is None else kept, policy.recall_candidates)
    used = [one for one in chosen if one.cause.startswith("kept")]
    dropped = [one for one in scored if not one.cause.startswith("kept")]
    dropped.sort(key=lambda one: one.order)
    return Ranking(
        kept=tuple(_recalled(one, thresholds.floor, language, now, zone) for one in used),
        audit=tuple(_audit(one) for one in [*used, *dropped]),
    )


def superseded_ids(candidates: Iterable[Candidate], now: datetime, policy: MemoryPolicy) -> frozenset[str]:
    """Return the ids that a newer version replaces; an archived or expired one replaces nothing."""
    gone: set[str] = set()
    for candidate in candidates:
        memory = candidate.memory
        if candidate.superseded_by is not None:
            gone.add(memory.id)
        if memory.supersedes_id is not None and (
            classify(memory, now, False, policy) is not TemporalState.EXPIRED
        ):
            gone.add(memory.supersedes_id)
    return frozenset(gone)


def _strength(candidate: Candidate) -> tuple[float, float, bool]:
    """Of two candidates with one id the stronger comes last, and stays."""
    return candidate.similarity or 0.0, candidate.lexical, candidate.meant


def _score(
    candidate: Candidate,
    subjects: Mapping[str, float],
    superseded: bool,
    asked: _Asked,
    weights: tuple[float, float],
    policy: MemoryPolicy,
) -> _Scored:
    memory, rule, now = candidate.memory, candidate.source_rule, asked.now
    # Vectors may differ in the last bits with their place in a matrix; the ranking must not.
    similarity = round(candidate.similarity or 0.0, 6)
    matched = asked.match(memory, policy)
    named = subjects[memory.subject]
    relevant = relevance(similarity, candidate.lexical, matched, named)
    fresh = decay(memory, now, policy, rule.half_life_days if rule else None)
    state = classify(memory, now, superseded, policy)
    cause = _removal(memory, state, superseded, now)
    if not cause and _too_old_for(rule, memory, now):
        state, cause = TemporalState.EXPIRED, "source_expired"
    boost = policy.event_boost if state is TemporalState.TEMPORAL else 1.0
    score = round((weights[0] * relevant + weights[1] * fresh) * boost, 9)
    return _Scored(
        candidate,
        state,
        phase(memory, now, policy),
        similarity,
        matched,
        named,
        relevant,
        fresh,
        boost,
        0.0 if cause else score,
        cause,
    )


def _removal(memory: Memory, state: TemporalState, superseded: bool, now: datetime) -> str:
    if state is not TemporalState.EXPIRED:
        return ""
    if memory.archived:
        return "archived"
    return "superseded" if superseded else "expired"


def _too_old_for(rule: SourceRule | None, memory: Memory, now: datetime) -> bool:
    if rule is None or rule.expires_after_days is None or memory.confirmed_at is None:
        return False
    return memory.confirmed_at + timedelta(days=rule.expires_after_days) <= now


def _floor_cause(one: _Scored, best: float, thresholds: Thresholds, time_alone: bool) -> str:
    if one.candidate.meant or (time_alone and one.time_match > 0):
        return ""
    if one.candidate.similarity is None:
        return "" if one.candidate.lexical >= LEXICAL_ALONE else "below_floor"
    if _evidence(one) < thresholds.floor:
        return "below_floor"
    return "below_best" if one.relevance < RELATIVE_FLOOR * best or one.relevance <= 0 else ""


def _evidence(one: _Scored) -> float:
    return one.similarity + FLOOR_LEXICAL_SHARE * one.candidate.lexical


def _choose(judged: list[_Scored], kept: int, considered: int) -> list[_Scored]:
    """Give every candidate that has no cause yet its own; ``judged`` is best first, the overturned last."""
    over = [one for one in judged if not one.cause]
    top = {
        one.candidate.memory.id
        for one in sorted(over, key=lambda one: (-one.relevance, one.order))[:considered]
    }
    used = 0
    for one in judged:
        one.cause = one.cause or _rank_cause(one, top, used, kept)
        used += one.cause.startswith("kept")
    return judged


def _rank_cause(one: _Scored, top: Collection[str], used: int, kept: int) -> str:
    overturned = one.candidate.overturned_by is not None
    if one.candidate.memory.id not in top:
        return "outside_top"
    if used >= kept:
        return "not_needed"
    if overturned:
        return "kept_overturned" if used else "overturned"
    return "kept"


def _recalled(one: _Scored, floor: float, language: str, now: datetime, zone: str) -> Recalled:
    recalled = Recalled(
        memory=one.candidate.memory,
        state=one.state,
        phase=one.phase,
        similarity=min(max(one.similarity, 0.0), 1.0),
        decay=one.decay,
        score=one.score,
        why="",
    )
    return replace(recalled, why=explain_choice(recalled, _ties(one, floor), language, now, zone))


def _ties(one: _Scored, floor: float) -> list[Tie]:
    lexical, similarity = one.candidate.lexical, one.candidate.similarity
    ties = [Tie.OVERTURNED] if one.candidate.overturned_by is not None else []
    if one.time_match > 0:
        ties.append(Tie.IN_TIME)
    if lexical >= LEXICAL_ALONE:
        ties.append(Tie.WORDS)
    elif similarity is not None and _evidence(one) >= floor:
        ties.append(Tie.CLOSE)
    return ties or [Tie.MEANT]


def _audit(one: _Scored) -> AuditLine:
    return AuditLine(
        memory_id=one.candidate.memory.id,
        text=one.candidate.memory.text,
        kept=one.cause.startswith("kept"),
        cause=one.cause,
        similarity=one.similarity,
        lexical=one.candidate.lexical,
        time_match=one.time_match,
        decay=one.decay,
        boost=one.boost,
        score=one.score,
        subject_match=one.subject_match,
    )
