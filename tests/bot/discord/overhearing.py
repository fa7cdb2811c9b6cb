"""A model behind a socket that keeps what it is told: what reaches a prompt, and what does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from pydantic import SecretStr

from bot.settings.sections import ModelSettings, OpenAISettings, PriceSettings, Provider, Secrets
from tests.llm.standin import Answer, Asked, StandIn

MODEL = "m"


@dataclass
class Overheard:
    """What was told to the model, request by request."""

    url: str = ""
    systems: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def last_system(self) -> str:
        """The newest system prompt."""
        return self.systems[-1]

    @property
    def secrets(self) -> Secrets:
        """Where the model is."""
        return Secrets(openai_base_url=SecretStr(f"{self.url}/v1"))

    def settings(self, **prices: PriceSettings) -> ModelSettings:
        """Return settings by which it talks, and rules do the rest."""
        return ModelSettings(
            chat=Provider.OPENAI,
            extractor=Provider.OFFLINE,
            judge=Provider.OFFLINE,
            attempts=1,
            openai=OpenAISettings(chat=MODEL),
            prices=prices,
        )


@asynccontextmanager
async def overhearing(words: str = "哼，知道了。") -> AsyncIterator[Overheard]:
    """Serve a model that always says the same; a thousand tokens go in, a hundred come out."""
    heard = Overheard()

    def answer(asked: Asked) -> Answer:
        system, *turns = asked.body["messages"]
        heard.systems.append(str(system["content"]))
        heard.said.append("\n".join(str(turn["content"]) for turn in turns))
        message = {"index": 0, "message": {"content": words}, "finish_reason": "stop"}
        return Answer({"choices": [message], "usage": {"prompt_tokens": 1000, "completion_tokens": 100}})

    async with StandIn(script=answer) as server:
        heard.url = server.url
        yield heard
