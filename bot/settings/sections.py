"""The sections of the settings: every key, its type, its range and its default."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, Field, SecretStr, model_validator

from bot.settings.base import (
    ChromaAddress,
    Count,
    DatabaseUrl,
    Folder,
    Language,
    Name,
    Number,
    Port,
    Section,
    Switch,
    TimeOfDay,
    Zone,
    at,
)
from bot.settings.remembering import MemorySettings


class Provider(StrEnum):
    """Who answers: ``auto`` is Gemini once its key is set, offline before."""

    AUTO = "auto"
    OFFLINE = "offline"
    GEMINI = "gemini"
    OPENAI = "openai"


class EmbedderName(StrEnum):
    """What turns texts into vectors; an existing store changes only by ``lily reindex --embedder``."""

    USEM3 = "usem3"
    GEMINI = "gemini"
    OPENAI = "openai"


class DiscordSettings(Section):
    """How she behaves on Discord."""

    active_channels: tuple[Name, ...] = ()
    merge_window_seconds: Number = Field(2.0, ge=0, le=30)
    merge_window_least_seconds: Number = Field(0.5, ge=0, le=30)
    queue_per_conversation: Count = Field(20, ge=1, le=1000)
    messages_per_person_per_day: Count = Field(300, ge=0, le=1_000_000)
    messages_per_server_per_day: Count = Field(3000, ge=0, le=10_000_000)
    tokens_per_person_per_day: Count = Field(300_000, ge=0, le=1_000_000_000)
    tokens_per_server_per_day: Count = Field(3_000_000, ge=0, le=1_000_000_000)
    catch_up_minutes: Count = Field(60, ge=0, le=1440)
    shard_count: Count = Field(1, ge=1, le=1000)
    shard_ids: tuple[Count, ...] = ()

    @model_validator(mode="after")
    def _shards_exist(self) -> Self:
        for shard in self.shard_ids:
            if not 0 <= shard < self.shard_count:
                raise at("shard_ids", "shard_missing", value=shard, last=self.shard_count - 1)
        return self


class GeminiSettings(Section):
    """Names and options of the Gemini models."""

    chat: Name = "gemini-3.8-flash"
    extractor: Name = "gemini-3.5-flash-lite"
    judge: Name = "gemini-3.5-flash-lite"
    embedder: Name = "gemini-embedding-2"
    dimensions: Count = Field(768, ge=128, le=3072)
    api_version: Name = "v1beta"
    thinking: Literal["low", "medium", "high"] = "low"


class OpenAISettings(Section):
    """Names and options at any OpenAI-compatible endpoint; a name is needed where the endpoint is used."""

    chat: Name | None = None
    chat_sees: Switch = False
    extractor: Name | None = None
    judge: Name | None = None
    embedder: Name | None = None
    dimensions: Count | None = Field(None, ge=1, le=16384)


class PriceSettings(Section):
    """What a model costs, in US dollars per million tokens; 0: unknown."""

    input: Number = Field(0.0, ge=0, le=100_000)
    output: Number = Field(0.0, ge=0, le=100_000)


class ModelSettings(Section):
    """Which models talk, extract, judge and embed, and what they cost by name."""

    chat: Provider = Provider.AUTO
    extractor: Provider = Provider.AUTO
    judge: Provider = Provider.AUTO
    embedder: EmbedderName = EmbedderName.USEM3
    timeout_seconds: Number = Field(30.0, gt=0, le=600)
    attempts: Count = Field(3, ge=1, le=10)
    at_once: Count = Field(16, ge=1, le=1000)
    max_output_tokens: Count = Field(1024, ge=64, le=65536)
    gemini: GeminiSettings = GeminiSettings()
    openai: OpenAISettings = OpenAISettings()
    prices: Mapping[Name, PriceSettings] = Field(default={})


class PersonaSettings(Section):
    """Who she is, and the language and zone of people who have not chosen their own."""

    character: Name = "lily"
    characters_dir: Folder | None = None
    language: Language = "zh-TW"
    zone: Zone = "Asia/Taipei"
    recent_turns: Count = Field(20, ge=2, le=200)


class ScheduleSettings(Section):
    """What happens by itself, and when it may."""

    check_ins: Switch = False
    waking_from: TimeOfDay = time(9)
    waking_until: TimeOfDay = time(22)
    expiry_every_minutes: Count = Field(15, ge=1, le=1440)
    follow_ups_every_minutes: Count = Field(1, ge=1, le=1440)
    follow_ups_per_day: Count = Field(1, ge=1, le=24)
    unanswered_limit: Count = Field(2, ge=1, le=100)
    not_within_minutes_of_chat: Count = Field(60, ge=0, le=1440)
    dropped_after_days: Count = Field(7, ge=1, le=365)
    spread_minutes: Count = Field(30, ge=0, le=240)
    lease_minutes: Count = Field(10, ge=1, le=1440)

    @model_validator(mode="after")
    def _awake_some_time(self) -> Self:
        if self.waking_from == self.waking_until:
            raise at("waking_until", "no_waking_hours", value=f"{self.waking_until:%H:%M}")
        return self


class StorageSettings(Section):
    """Where facts and vectors live."""

    data_dir: Folder = Path(".lily")
    database_url: DatabaseUrl | None = None
    chroma: ChromaAddress = "embedded"
    collections: Count = Field(64, ge=1, le=4096)


class OpsSettings(Section):
    """Logs and health."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    health_host: Name = "127.0.0.1"
    health_port: Port | None = None


class Secrets(BaseModel, frozen=True, extra="forbid"):
    """What comes only from the environment or ``.env`` and is never printed."""

    discord_token: SecretStr | None = None
    gemini_api_key: SecretStr | None = None
    openai_api_key: SecretStr | None = None
    openai_base_url: SecretStr | None = None


class Settings(Section):
    """Everything that can be set. Frozen; the composition root alone reads it."""

    discord: DiscordSettings = DiscordSettings()
    models: ModelSettings = ModelSettings()
    memory: MemorySettings = MemorySettings()
    persona: PersonaSettings = PersonaSettings()
    schedule: ScheduleSettings = ScheduleSettings()
    storage: StorageSettings = StorageSettings()
    ops: OpsSettings = OpsSettings()
    secrets: Secrets = Field(Secrets(), repr=False)

    def with_data_dir(self, data_dir: Path) -> Settings:
        """Return the same settings with state kept in ``data_dir``."""
        return self.model_copy(
            update={"storage": self.storage.model_copy(update={"data_dir": data_dir})},
        )
