"""Models that work with tokens: whose line an answer, a memory or a prompt comes from can be read off it."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache

import pytest

import bot.house
from bot.discord import gateway
from bot.models import HouseModels
from llm.protocols import Speaker, Turn, Vector
from memory.extraction.types import Extraction, ExtractionRequest
from memory.service import Models
from tests.support.models import ScriptedJudge, TermEmbedder
from tests.support.world import fact

TOKEN = re.compile(r"zq\d{5}")


class EchoChat:
    """Answers with the token of the last turn; keeps which others she was shown: memories, turns."""

    def __init__(self) -> None:
        self.shown: dict[str, list[tuple[list[str], list[str]]]] = defaultdict(list)

    @property
    def name(self) -> str:
        return "echo"

    @property
    def sees(self) -> bool:
        return False

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        await asyncio.sleep(0)
        last = turns[-1]
        (token,) = TOKEN.findall(last.text) or ("nothing",)
        said = [
            token for turn in turns if turn.speaker is Speaker.PERSON for token in TOKEN.findall(turn.text)
        ]
        self.shown[token].append((TOKEN.findall(system), said))
        return f"{last.name}，{token} 收到。"


class TokenExtractor:
    """Keeps every token as a fact."""

    @property
    def name(self) -> str:
        return "token"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        await asyncio.sleep(0)
        found = TOKEN.findall(request.text)
        return Extraction(
            facts=tuple(fact(f"使用者說過{one}", quote=one) for one in found), extractor=self.name
        )


class QuickEmbedder(TermEmbedder):
    """Knows texts it has seen."""

    def __init__(self) -> None:
        super().__init__()
        self._quick = lru_cache(maxsize=4096)(super().vector)

    def vector(self, text: str) -> Vector:
        return self._quick(text)

    def forget(self) -> None:
        """Let go of the texts."""
        self._quick.cache_clear()


class Held:
    """Lets the first who comes wait until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()

    async def wait(self) -> None:
        """Wait to be let go."""
        self.begun.set()
        await self.go_on.wait()


class HeldChat(EchoChat):
    """Answers once it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.held = Held()

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        await self.held.wait()
        return await super().reply(system, turns)


class HeldExtractor(TokenExtractor):
    """Reads once it is let go."""

    def __init__(self) -> None:
        self.held = Held()

    async def extract(self, request: ExtractionRequest) -> Extraction:
        await self.held.wait()
        return await super().extract(request)


@contextmanager
def scripted(chat: EchoChat, extractor: TokenExtractor | None = None) -> Iterator[None]:
    """Let houses that are opened meanwhile have scripted models; all else of them is real."""
    extractor, judge = extractor or TokenExtractor(), ScriptedJudge()
    models = HouseModels(chat, Models(QuickEmbedder(), extractor, judge, extractor, judge))

    @asynccontextmanager
    async def open_scripted(*_: object, **__: object) -> AsyncIterator[HouseModels]:
        yield models

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.house, "open_models", open_scripted)
        patch.setattr(gateway, "PAUSES", (0.01, 0.02, 0.05))
        yield
