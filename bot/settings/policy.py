"""From settings to what the memory and the scheduler are told, and to who answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from bot.settings.sections import Provider, Settings
from llm.usage import Price
from memory.model import Category
from memory.policy import DEFAULT_RULES, CategoryRule, MemoryPolicy, Thresholds
from scheduler.manners import Customs

Role = Literal["chat", "extractor", "judge"]

ROLES: tuple[Role, ...] = ("chat", "extractor", "judge")
"""Everybody who may be a model, but for the embedder."""


def memory_policy(settings: Settings) -> MemoryPolicy:
    """Return the memory's policy as the settings have it."""
    memory = settings.memory
    return MemoryPolicy(
        cap_per_person=memory.cap_per_person,
        rules=MappingProxyType({category: _rule(settings, category) for category in Category}),
        thresholds=MappingProxyType(
            {
                name: Thresholds(row.duplicate, row.gray, row.floor, row.source)
                for name, row in memory.thresholds.items()
            },
        ),
        judge_candidates=memory.judge_candidates,
        judge_wait=timedelta(hours=memory.judge_wait_hours),
        recall_candidates=memory.recall.candidates,
        recall_kept=memory.recall.kept,
        profile_per_category=memory.recall.profile_per_category,
        similarity_weight=memory.weights.similarity,
        decay_weight=memory.weights.decay,
        now_similarity_weight=memory.weights.now_similarity,
        now_decay_weight=memory.weights.now_decay,
        event_boost=memory.event_boost,
        default_event_length=timedelta(hours=memory.default_event_hours),
        undated_follow_up=timedelta(days=memory.undated_follow_up_days),
        stale_follow_up=timedelta(days=settings.schedule.dropped_after_days),
        context_tokens=memory.context_tokens,
    )


def customs(settings: Settings) -> Customs:
    """Return when she may ask by herself, as the settings have it."""
    schedule = settings.schedule
    return Customs(
        waking_from=schedule.waking_from,
        waking_until=schedule.waking_until,
        per_day=schedule.follow_ups_per_day,
        unanswered_limit=schedule.unanswered_limit,
        chat_gap=timedelta(minutes=schedule.not_within_minutes_of_chat),
        dropped_after=timedelta(days=schedule.dropped_after_days),
        spread=timedelta(minutes=schedule.spread_minutes),
        default_check_ins=schedule.check_ins,
        default_zone=settings.persona.zone,
    )


def _rule(settings: Settings, category: Category) -> CategoryRule:
    row = settings.memory.categories.of(category)
    return CategoryRule(
        DEFAULT_RULES[category].kind, row.half_life_days, row.expires_after_days, row.eviction
    )


def provider_for(settings: Settings, role: Role) -> Provider:
    """Return who answers in a role: ``auto`` is Gemini once its key is set, offline before."""
    chosen: Provider = getattr(settings.models, role)
    if chosen is not Provider.AUTO:
        return chosen
    return Provider.GEMINI if settings.secrets.gemini_api_key else Provider.OFFLINE


def model_for(settings: Settings, role: Role) -> str:
    """Return the name of the model in a role, ``offline`` where rules do it."""
    provider = provider_for(settings, role)
    match provider:
        case Provider.GEMINI:
            return f"{provider} {getattr(settings.models.gemini, role)}"
        case Provider.OPENAI:
            return f"{provider} {getattr(settings.models.openai, role)}"
    return str(provider)


def prices(settings: Settings) -> Mapping[str, Price]:
    """Return what each model costs as the settings have it; a model that is not named has no known price."""
    return {name: Price(row.input, row.output) for name, row in settings.models.prices.items()}


def characters_folder(settings: Settings) -> Path:
    """Return the folder of the host's own characters: the one set, else one beside the data."""
    return settings.persona.characters_dir or settings.storage.data_dir / "characters"
