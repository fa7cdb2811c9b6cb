"""Taking over an older Chroma store, whose rows may lack ``archived``, ``category`` or ``created_at``.

The order matters: a filter on a field that is absent finds nothing, so everything is filled in
first. Texts and vectors are taken as they are; nothing is embedded again.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from llm.protocols import Vector
from memory.follow_ups import expect
from memory.model import ArchivedReason, Category, Flag, Memory
from memory.places import InvalidPlace, Place
from memory.policy import MemoryPolicy
from memory.statements import attribute_of, is_single_valued
from memory.store import gate
from memory.store.database import Database
from memory.store.errors import StoreError
from memory.store.rows import slot_of
from memory.store.writer import Action, Writer
from memory.text import has_cjk
from memory.transfer import completed

log = logging.getLogger(__name__)

_COLLECTION = "user_memory"
_ACTOR = "migrate"


@dataclass(frozen=True, slots=True)
class LegacyRow:
    """One row of an older store, as it is."""

    id: str
    text: str
    metadata: Mapping[str, Any]
    vector: Vector


@dataclass(frozen=True, slots=True)
class Migrated:
    """What a migration did; ``dimensions`` is the size of the vectors taken over."""

    added: int
    known: int
    undated: int
    dimensions: int | None


def read_legacy(folder: Path) -> tuple[LegacyRow, ...]:
    """Read an older embedded Chroma store. Raises ``StoreError`` where there is none.

    A copy is read: opening a store of an older Chroma may rewrite it, and the original is all there is.
    """
    if not (folder / "chroma.sqlite3").is_file():
        raise StoreError(f"--from {folder}: no Chroma store there (no chroma.sqlite3)")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "store"
        try:
            shutil.copytree(folder, copy)
            # a damaged vector index takes the whole process with it: that is to be another one
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
                return apart.submit(_read, copy, folder).result()
        except StoreError:
            raise
        except Exception as error:
            raise StoreError(
                f"--from {folder}: not readable as a Chroma store ({type(error).__name__})"
            ) from error


def _read(copy: Path, folder: Path) -> tuple[LegacyRow, ...]:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(path=str(copy), settings=Settings(anonymized_telemetry=False))
    names = sorted(collection.name for collection in client.list_collections())
    if _COLLECTION not in names:
        found = ", ".join(names) or "none"
        raise StoreError(f"--from {folder}: no collection {_COLLECTION!r} there, only {found}")
    collection = client.get_collection(_COLLECTION, embedding_function=None)
    got = collection.get(include=["documents", "metadatas", "embeddings"])
    documents, metadatas, vectors = got["documents"] or [], got["metadatas"] or [], got["embeddings"]
    return tuple(
        LegacyRow(row_id, text or "", metadata or {}, np.asarray(vector, dtype=np.float32))
        for row_id, text, metadata, vector in zip(
            got["ids"], documents, metadatas, vectors if vectors is not None else [], strict=True
        )
    )


def from_legacy(row: LegacyRow, persona_id: str, policy: MemoryPolicy) -> Memory:
    """Return the memory of an older row: what it lacks is filled in, what is unknown stays unknown."""
    meta = row.metadata
    created, broken = _instant(meta.get("created_at"))
    category = _category(meta.get("category"), row.text)
    archived = meta.get("archived") is True
    reason = meta.get("archived_reason")
    memory = Memory(
        id=f"legacy-{row.id}"[:64],
        user_id=str(meta.get("user_id") or "default_user"),
        persona_id=persona_id,
        places=(_place(meta.get("place")),),
        text=row.text,
        language="zh-TW" if has_cjk(row.text) else "en",
        quote=row.text,
        category=category,
        created_at=created,
        flags=(Flag.BROKEN_CREATED_AT,) if broken else (),
        archived=archived,
        archived_reason=_reason(reason) if archived else None,
        archived_at=_instant(meta.get("archived_at"))[0] if archived else None,
        archived_by=_ACTOR if archived else None,
        source=f"legacy:{row.id}",
    )
    return completed(memory, {}, policy)


async def take_over(
    database: Database, rows: tuple[LegacyRow, ...], persona_id: str, policy: MemoryPolicy, now: datetime
) -> Migrated:
    """Add every row that is not there yet, in one transaction; a second run adds nothing."""
    added = known = undated = 0
    ordered = sorted(
        rows, key=lambda row: (_instant(row.metadata.get("created_at"))[0] or _BEGINNING, row.id)
    )
    async with database.write() as connection:
        writer = Writer(connection, now, _ACTOR)
        for row in ordered:
            memory = from_legacy(row, persona_id, policy)
            if await writer.current(memory.id) is not None:
                known += 1
                continue
            undated += memory.created_at is None
            norm = float(np.linalg.norm(row.vector)) or 1.0
            memory = await _open_ended_if_taken(writer, memory)
            await writer.add(memory, row.vector / np.float32(norm), "migrate", Action.IMPORTED)
            await expect(connection, [memory], policy, now)
            added += 1
    return Migrated(added, known, undated, len(rows[0].vector) if rows else None)


_BEGINNING = datetime.min.replace(tzinfo=UTC)


async def _open_ended_if_taken(writer: Writer, memory: Memory) -> Memory:
    """Keep an old row visible even where the old store held two values of one slot.

    Which of the two is true is not ours to guess from metadata: the older one loses its slot, stays
    live, and the next thing the person says about it settles both.
    """
    slot = slot_of(memory)
    if slot is None or memory.archived:
        return memory
    for item in await gate.comparable(writer.connection, memory.user_id, memory.persona_id):
        if slot_of(item.memory) == slot:
            await writer.change(item.memory, Action.EDITED, "two values in an older store", attribute=None)
    return memory


def _instant(value: Any) -> tuple[datetime | None, bool]:
    """Return an older row's time and whether it is broken: ISO text (naive ones are UTC) or epoch seconds."""
    if value is None or value == "":
        return None, False
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC), False
        moment = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        log.warning("migrate: a created_at can't be read; the memory is kept without a date")
        return None, True
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC), False


def _category(value: Any, text: str) -> Category:
    try:
        return Category(str(value))
    except ValueError:
        attribute = attribute_of(text)
        if attribute == "name":
            return Category.NAME
        return Category.IDENTITY if attribute and is_single_valued(attribute) else Category.OTHER


def _reason(value: Any) -> ArchivedReason:
    try:
        return ArchivedReason(str(value))
    except ValueError:
        return ArchivedReason.PRUNED


def _place(value: Any) -> str:
    try:
        return str(Place.parse(str(value)))
    except InvalidPlace:
        return "dm"
