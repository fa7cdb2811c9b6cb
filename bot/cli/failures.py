"""From an exception to an exit code and the lines a person reads. No traceback ever reaches a screen."""

from __future__ import annotations

import errno
import hashlib
from datetime import UTC
from pathlib import Path

from bot.errors import FAILED, WRONG_USAGE, UserError
from bot.logs import LOG_NAME, frames_of
from llm.errors import ModelError, ModelRefused
from memory.catalog import Catalog
from memory.clock import SystemClock

_TELLS_ITSELF = {
    "memory.places.InvalidPlace",
    "memory.store.errors.StoreError",
    "persona.card.CardError",
    "persona.character.CharacterError",
}
"""Kinds of lower layers whose message is one line that names the field and the fix."""

_FAILED_MEANWHILE = {
    "memory.erasure.ErasureUnproven",
    "memory.store.errors.IndexUnavailable",
    "memory.store.errors.StaleRevision",
    "memory.store.errors.StoreBusy",
    "memory.store.errors.StoreFull",
}
"""Kinds whose message is such a line too, where nothing was wrong with the command itself."""
_FAMILIES = ("usem3", "gemini")


def explain(error: BaseException, catalog: Catalog, folder: Path | None) -> tuple[int, list[str]]:
    """Return the exit code of an exception and what to tell about it.

    What nobody foresaw gets a code; its traceback goes to the log of the data folder, without
    the exception's own words: they might be a person's.
    """
    if isinstance(error, UserError):
        return error.exit_code, error.texts(catalog)
    kinds = _names(error)
    if "memory.store.errors.EmbedderMismatch" in kinds:
        return WRONG_USAGE, [_other_embedder(error, catalog)]
    if kinds & _FAILED_MEANWHILE:
        return FAILED, [" ".join(str(error).split())]
    if kinds & _TELLS_ITSELF:
        return WRONG_USAGE, [" ".join(str(error).split())]
    if isinstance(error, ModelError):
        key = "model_refused" if isinstance(error, ModelRefused) else "model_failed"
        return FAILED, [catalog.text(f"errors.{key}", cause=" ".join(str(error).split()))]
    known = _system(error, catalog)
    return FAILED, [known or _internal(error, catalog, folder)]


def _other_embedder(error: BaseException, catalog: Catalog) -> str:
    """Name the very command: the families are named by their models, anything else is an endpoint's."""
    held, wanted = getattr(error, "held", ""), getattr(error, "wanted", "")
    name = next((family for family in _FAMILIES if wanted.startswith(family)), "openai")
    return catalog.text("errors.data.other_embedder", held=held, wanted=wanted, name=name)


def _names(error: BaseException) -> set[str]:
    """Return the full names of an exception's kinds: looked up by name, no library is loaded for it."""
    return {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}


def _system(error: BaseException, catalog: Catalog) -> str | None:
    if not isinstance(error, OSError):
        return None
    if error.errno == errno.ENOSPC:
        return catalog.text("errors.disk_full")
    if error.filename is None or error.strerror is None:
        return None
    return catalog.text("errors.system", cause=error.strerror, file=error.filename)


def _internal(error: BaseException, catalog: Catalog, folder: Path | None) -> str:
    frames = "\n".join(frames_of(error))
    code = hashlib.sha256(frames.encode()).hexdigest()[:8].upper()
    if folder is None:
        return catalog.text("errors.internal_unlogged", code=code)
    file = folder / LOG_NAME
    stamp = SystemClock().now().astimezone(UTC).isoformat(timespec="seconds")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as log:
            log.write(f"{stamp} ERROR {code}\n{frames}\n")
    except OSError:
        return catalog.text("errors.internal_unlogged", code=code)
    return catalog.text("errors.internal", code=code, file=file)
