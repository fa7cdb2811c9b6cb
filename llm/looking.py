"""Whether a provider takes the key and knows the models, asked in a way that costs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from llm.errors import ModelMisconfigured
from llm.gemini_connection import GeminiConnection
from llm.openai_connection import OpenAIConnection
from llm.usage import Purpose, Tokens


async def look_at_gemini(connection: GeminiConnection, models: Sequence[str]) -> None:
    """Ask Gemini about each model. Raises :class:`llm.errors.ModelError` for what is wrong."""
    for model in dict.fromkeys(models):
        await connection.call(
            lambda client, model=model: client.aio.models.get(model=model),  # type: ignore[misc]
            lambda _: Tokens(),
            model=model,
            purpose=Purpose.ANSWER,
        )


async def look_at_openai(connection: OpenAIConnection, models: Sequence[str]) -> None:
    """Ask an endpoint which models it has. Raises :class:`llm.errors.ModelError` for what is wrong.

    Only a list that holds none of the names is taken for wrong: servers list aliases as they like.
    """

    async def listed(client: object) -> list[str]:
        page = await client.models.list()  # type: ignore[attr-defined]
        return [str(one.id) for one in page.data or []]

    known = await connection.call(listed, lambda _: Tokens(), model="", purpose=Purpose.ANSWER)
    if known and models and not any(_same(name, one) for name in models for one in known):
        raise ModelMisconfigured(
            f"none of its models is {' or '.join(dict.fromkeys(models))}: check the names"
        )


def _same(name: str, listed: str) -> bool:
    """Whether a listed model is the one named: Ollama adds a tag, gateways put a folder before it."""
    return name in {listed, listed.partition(":")[0], listed.rpartition("/")[2]}
