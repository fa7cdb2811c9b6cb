"""The one client that all Gemini adapters share."""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from llm.calls import Caller, Patience
from llm.endpoint import checked_key, checked_url
from llm.errors import ModelRefused
from llm.gemini_errors import translate
from llm.usage import Purpose, Tokens, UsageSink
from llm.watch import Watch

if TYPE_CHECKING:
    from aiohttp import ClientSession
    from google.genai import Client

Response = TypeVar("Response")

BASE_URL = "https://generativelanguage.googleapis.com/"

API_VERSION = "v1beta"
"""The library's own default, v1, lacks system instructions and JSON answers in Google's published schema."""


class GeminiConnection:
    """One client for all Gemini adapters, opened and closed by ``async with``.

    ``usage`` is told about every request, ``watch`` how each model stands. What is set in the
    environment for other programs (API version, base URL, platform, keys) has no say here; only a
    proxy is taken from there.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str = BASE_URL,
        api_version: str = API_VERSION,
        patience: Patience | None = None,
        usage: UsageSink | None = None,
        watch: Watch | None = None,
        timer: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._api_key = api_key
        self._base_url = base_url
        self._api_version = api_version
        self._patience = patience or Patience()
        self._caller = Caller(
            self._patience, translate, endpoint="gemini", watch=watch, sink=usage, timer=timer, sleep=sleep
        )
        self._client: Client | None = None
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._base_url = checked_url(self._base_url, "the base URL of Gemini")
        self._api_key = checked_key(self._api_key, "GEMINI_API_KEY")
        if not self._api_key:
            raise ModelRefused("no key for Gemini: set GEMINI_API_KEY")
        await asyncio.to_thread(importlib.import_module, "google.genai")  # takes a second or more
        import aiohttp

        # A session of our own: the library's subclass of it is deprecated by aiohttp, and warns.
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), trust_env=True)
        try:
            self._client = await asyncio.to_thread(self._open, self._session)
        except BaseException:
            await self._session.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aio.aclose()
            client.close()
        if self._session is not None:
            await self._session.close()

    def _open(self, session: ClientSession) -> Client:
        from google import genai
        from google.genai import types

        options = types.HttpOptions(
            base_url=self._base_url,
            api_version=self._api_version,
            timeout=int(self._patience.timeout * 1000),
            aiohttp_client=session,
            retry_options=types.HttpRetryOptions(attempts=1),  # without it, a lost connection sleeps 1-10 s
        )
        try:
            return genai.Client(api_key=self._api_key, enterprise=False, http_options=options)
        except ValueError as error:
            raise ModelRefused(f"google-genai refused the settings ({type(error).__name__})") from None

    async def call(
        self,
        send: Callable[[Client], Awaitable[Response]],
        count: Callable[[Response], Tokens],
        *,
        model: str,
        purpose: Purpose,
        shape: str | None = None,
    ) -> Response:
        """Send one request. Raises ``ModelError`` and nothing else."""
        client = self._client
        if client is None:
            raise ModelRefused("the Gemini connection is not open: use it inside 'async with'")
        return await self._caller.call(lambda: send(client), count, model=model, purpose=purpose, shape=shape)
