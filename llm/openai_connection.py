"""The one client that all adapters of an OpenAI-compatible endpoint share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from llm.calls import Caller, Patience
from llm.endpoint import checked_key, checked_url
from llm.errors import ModelError, ModelRefused
from llm.openai_errors import mentions_response_format, translate
from llm.usage import Purpose, Tokens, UsageSink
from llm.watch import Watch

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Response = TypeVar("Response")

OPENAI_URL = "https://api.openai.com/v1"
"""Where OpenAI itself answers, for who names no other endpoint."""


class UnsupportedFormat(ModelRefused):
    """The server doesn't take the kind of structured answer it was asked for."""


class OpenAIConnection:
    """One client for all adapters of an endpoint, opened and closed by ``async with``.

    Local servers ask for no key: leave it empty. ``usage`` is told about every request,
    ``watch`` how each model stands.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str = "",
        *,
        patience: Patience | None = None,
        usage: UsageSink | None = None,
        watch: Watch | None = None,
        timer: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._patience = patience or Patience()
        self._caller = Caller(
            self._patience, _translate, endpoint="openai", watch=watch, sink=usage, timer=timer, sleep=sleep
        )
        self._client: AsyncOpenAI | None = None

    async def __aenter__(self) -> Self:
        self._base_url = checked_url(self._base_url, "OPENAI_BASE_URL")
        self._api_key = checked_key(self._api_key, "OPENAI_API_KEY")
        self._client = await asyncio.to_thread(self._open)  # the import alone takes a second
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _open(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            api_key=self._api_key or "none",  # the library insists on one
            base_url=self._base_url,
            timeout=self._patience.timeout,
            max_retries=0,
        )

    async def call(
        self,
        send: Callable[[AsyncOpenAI], Awaitable[Response]],
        count: Callable[[Response], Tokens],
        *,
        model: str,
        purpose: Purpose,
        shape: str | None = None,
    ) -> Response:
        """Send one request. Raises ``ModelError`` and nothing else."""
        client = self._client
        if client is None:
            raise ModelRefused("the connection to the model server is not open: use it inside 'async with'")
        return await self._caller.call(lambda: send(client), count, model=model, purpose=purpose, shape=shape)


def _translate(error: Exception) -> ModelError:
    if mentions_response_format(error):
        return UnsupportedFormat("the model server refuses this kind of structured answer")
    return translate(error)
