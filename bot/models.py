"""Which models the settings name, opened and closed together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import SecretStr

from bot.settings.policy import Role, provider_for
from bot.settings.sections import EmbedderName, Provider, Settings
from llm.calls import Patience
from llm.offline import OfflineEmbedder
from llm.protocols import ChatModel, Embedder, StructuredModel
from llm.usage import UsageSink
from llm.watch import Watch
from memory.extraction.model_extractor import ModelExtractor
from memory.extraction.rules import OfflineExtractor
from memory.extraction.types import Extractor
from memory.relations.model_judge import ModelJudge
from memory.relations.rules import OfflineJudge
from memory.relations.types import RelationJudge
from memory.service import Models

if TYPE_CHECKING:
    from llm.gemini import GeminiConnection
    from llm.openai_compatible import OpenAIConnection


@dataclass(frozen=True, slots=True)
class HouseModels:
    """Who talks (None: the rules), what the memory asks, and how those behind a network stand."""

    chat: ChatModel | None
    memory: Models
    watch: Watch = field(default_factory=Watch)


def rules_only() -> Models:
    """Return the models of a house that asks nobody: for commands that never embed, extract or judge."""
    extractor, judge = OfflineExtractor(), OfflineJudge()
    return Models(OfflineEmbedder(), extractor, judge, extractor, judge)


@asynccontextmanager
async def open_models(
    settings: Settings, usage: UsageSink | None = None, embedder: EmbedderName | None = None
) -> AsyncIterator[HouseModels]:
    """Open what the settings name; ``embedder`` is taken instead of theirs (a change of embedder)."""
    watch = Watch()
    async with AsyncExitStack() as stack:
        makers = _Makers(settings, stack, usage, watch)
        extractor, judge = OfflineExtractor(), OfflineJudge()
        extracting = await makers.structured("extractor")
        judging = await makers.structured("judge")
        chosen_extractor: Extractor = ModelExtractor(extracting) if extracting else extractor
        chosen_judge: RelationJudge = ModelJudge(judging) if judging else judge
        yield HouseModels(
            chat=await makers.chat(),
            memory=Models(
                embedder=await makers.embedder(embedder or settings.models.embedder),
                extractor=chosen_extractor,
                judge=chosen_judge,
                fallback_extractor=extractor,
                fallback_judge=judge,
            ),
            watch=watch,
        )


class _Makers:
    """Makes models; each family's connection is opened at its first use and shared."""

    def __init__(
        self, settings: Settings, stack: AsyncExitStack, usage: UsageSink | None, watch: Watch
    ) -> None:
        self._settings = settings
        self._stack = stack
        self._usage = usage
        self._watch = watch
        self._patience = Patience(
            settings.models.timeout_seconds, settings.models.attempts, at_once=settings.models.at_once
        )
        self._gemini: GeminiConnection | None = None
        self._openai: OpenAIConnection | None = None

    async def chat(self) -> ChatModel | None:
        """Return who talks, or None for the rules."""
        models = self._settings.models
        match provider_for(self._settings, "chat"):
            case Provider.GEMINI:
                from llm.gemini import GeminiChat

                return GeminiChat(
                    await self._gemini_connection(),
                    models.gemini.chat,
                    thinking_level=models.gemini.thinking,
                    max_output_tokens=models.max_output_tokens,
                )
            case Provider.OPENAI:
                from llm.openai_compatible import OpenAIChat

                return OpenAIChat(
                    await self._openai_connection(),
                    models.openai.chat or "",
                    max_tokens=models.max_output_tokens,
                    sees=models.openai.chat_sees,
                )
        return None

    async def structured(self, role: Role) -> StructuredModel | None:
        """Return who extracts or judges, or None for the rules."""
        models = self._settings.models
        match provider_for(self._settings, role):
            case Provider.GEMINI:
                from llm.gemini import GeminiStructured

                return GeminiStructured(await self._gemini_connection(), getattr(models.gemini, role))
            case Provider.OPENAI:
                from llm.openai_compatible import OpenAIStructured

                return OpenAIStructured(await self._openai_connection(), getattr(models.openai, role))
        return None

    async def embedder(self, name: EmbedderName) -> Embedder:
        """Return who embeds."""
        models = self._settings.models
        match name:
            case EmbedderName.GEMINI:
                from llm.gemini import GeminiEmbedder

                return GeminiEmbedder(
                    await self._gemini_connection(),
                    models.gemini.embedder,
                    dimensions=models.gemini.dimensions,
                )
            case EmbedderName.OPENAI:
                from llm.openai_compatible import OpenAIEmbedder

                return OpenAIEmbedder(
                    await self._openai_connection(),
                    models.openai.embedder or "",
                    dimensions=models.openai.dimensions or 1536,
                )
        return OfflineEmbedder(usage=self._usage)

    async def _gemini_connection(self) -> GeminiConnection:
        from llm.gemini import GeminiConnection

        if self._gemini is None:
            self._gemini = await self._stack.enter_async_context(
                GeminiConnection(
                    _secret(self._settings.secrets.gemini_api_key),
                    api_version=self._settings.models.gemini.api_version,
                    patience=self._patience,
                    usage=self._usage,
                    watch=self._watch,
                )
            )
        return self._gemini

    async def _openai_connection(self) -> OpenAIConnection:
        from llm.openai_compatible import OpenAIConnection
        from llm.openai_connection import OPENAI_URL

        if self._openai is None:
            secrets = self._settings.secrets
            self._openai = await self._stack.enter_async_context(
                OpenAIConnection(
                    _secret(secrets.openai_base_url) or OPENAI_URL,
                    _secret(secrets.openai_api_key),
                    patience=self._patience,
                    usage=self._usage,
                    watch=self._watch,
                )
            )
        return self._openai


def _secret(value: SecretStr | None) -> str:
    return value.get_secret_value() if value else ""
