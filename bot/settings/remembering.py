"""The ``memory`` section: how much is kept, how it ages, what distances mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from bot.settings.base import (
    Count,
    Days,
    DaysOrNever,
    Distance,
    Name,
    Number,
    RankOrNever,
    Section,
    Share,
    at,
    wrong,
)
from memory.model import Category
from memory.policy import DEFAULT_RULES, DEFAULT_THRESHOLDS, UNKNOWN_EMBEDDER, CategoryRule, MemoryPolicy
from memory.policy import Thresholds as PolicyThresholds

_DEFAULT = MemoryPolicy()
_SUM_TOLERANCE = 1e-6


class CategorySettings(Section):
    """How one category ages; ``never`` where it does not age, leave or get evicted."""

    half_life_days: DaysOrNever = None
    expires_after_days: DaysOrNever = None
    eviction: RankOrNever = None


def _category(rule: CategoryRule) -> CategorySettings:
    return CategorySettings(
        half_life_days=rule.half_life_days,
        expires_after_days=rule.expires_after_days,
        eviction=rule.eviction_rank,
    )


class CategoryTable(Section):
    """The table of categories; ranks of eviction differ, and ``name`` has none."""

    schedule: CategorySettings = _category(DEFAULT_RULES[Category.SCHEDULE])
    other: CategorySettings = _category(DEFAULT_RULES[Category.OTHER])
    habit: CategorySettings = _category(DEFAULT_RULES[Category.HABIT])
    hobby: CategorySettings = _category(DEFAULT_RULES[Category.HOBBY])
    preference: CategorySettings = _category(DEFAULT_RULES[Category.PREFERENCE])
    identity: CategorySettings = _category(DEFAULT_RULES[Category.IDENTITY])
    name: CategorySettings = _category(DEFAULT_RULES[Category.NAME])

    @model_validator(mode="after")
    def _order(self) -> Self:
        if self.name.eviction is not None:
            raise at("name.eviction", "name_is_never_evicted", value=self.name.eviction)
        taken: dict[int, str] = {}
        own_rank = sorted(
            Category, key=lambda each: self.of(each).eviction != DEFAULT_RULES[each].eviction_rank
        )
        for category in own_rank:
            rank = self.of(category).eviction
            if rank is not None and rank in taken:
                raise at(f"{category}.eviction", "rank_taken", value=rank, other=taken[rank])
            if rank is not None:
                taken[rank] = category.value
        return self

    def of(self, category: Category) -> CategorySettings:
        """Return the row of a category."""
        row: CategorySettings = getattr(self, category.value)
        return row


class ThresholdSettings(Section):
    """What distances mean in one embedder's space."""

    duplicate: Distance
    gray: Distance
    floor: Share
    source: Name = "config.yaml"

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.duplicate > self.gray:
            raise at("duplicate", "duplicate_above_gray", value=self.duplicate, gray=self.gray)
        return self


def _thresholds(figures: PolicyThresholds) -> ThresholdSettings:
    return ThresholdSettings(
        duplicate=figures.duplicate,
        gray=figures.gray,
        floor=figures.floor,
        source=figures.source,
    )


class WeightSettings(Section):
    """What a score is made of; each pair adds up to 1."""

    similarity: Share = _DEFAULT.similarity_weight
    decay: Share = _DEFAULT.decay_weight
    now_similarity: Share = _DEFAULT.now_similarity_weight
    now_decay: Share = _DEFAULT.now_decay_weight

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for first, second in (("similarity", "decay"), ("now_similarity", "now_decay")):
            total = getattr(self, first) + getattr(self, second)
            if abs(total - 1) > _SUM_TOLERANCE:
                raise at(
                    first, "weights_add_up", value=getattr(self, first), other=second, total=round(total, 6)
                )
        return self


class RecallSettings(Section):
    """How many memories are looked at and how many are used."""

    candidates: Count = Field(_DEFAULT.recall_candidates, ge=1, le=200)
    kept: Count = Field(_DEFAULT.recall_kept, ge=1, le=50)
    profile_per_category: Count = Field(_DEFAULT.profile_per_category, ge=0, le=20)

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if self.kept > self.candidates:
            raise at("kept", "kept_above_candidates", value=self.kept, candidates=self.candidates)
        return self


class MemorySettings(Section):
    """How she remembers."""

    cap_per_person: Count = Field(_DEFAULT.cap_per_person, ge=1, le=100_000)
    context_tokens: Count = Field(_DEFAULT.context_tokens, ge=100, le=20_000)
    judge_wait_hours: Number = Field(_DEFAULT.judge_wait.total_seconds() / 3600, ge=0, le=720)
    judge_candidates: Count = Field(_DEFAULT.judge_candidates, ge=1, le=3)
    event_boost: Number = Field(_DEFAULT.event_boost, ge=1, le=2)
    default_event_hours: Number = Field(_DEFAULT.default_event_length.total_seconds() / 3600, gt=0, le=48)
    undated_follow_up_days: Days = _DEFAULT.undated_follow_up.days
    recall: RecallSettings = RecallSettings()
    weights: WeightSettings = WeightSettings()
    categories: CategoryTable = CategoryTable()
    thresholds: Mapping[Name, ThresholdSettings] = Field(
        default={name: _thresholds(figures) for name, figures in DEFAULT_THRESHOLDS.items()},
    )

    @field_validator("thresholds", mode="before")
    @classmethod
    def _over_known(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            raise wrong("expected_section", value=given)
        merged: dict[Any, Any] = {name: _thresholds(figures) for name, figures in DEFAULT_THRESHOLDS.items()}
        for name, figures in given.items():
            known = DEFAULT_THRESHOLDS.get(str(name), UNKNOWN_EMBEDDER)
            default = _thresholds(known).model_dump(exclude={"source"})
            if isinstance(figures, ThresholdSettings):
                merged[name] = figures
            elif isinstance(figures, Mapping):
                merged[name] = {**default, **figures}
            else:
                merged[name] = figures
        return merged
