"""Taking over an older Chroma store, whose rows may lack ``archived``, ``category`` or ``created_at``.

The order matters: a filter on a field that is absent finds nothing, so everything is filled in
first. Texts and vectors are taken as they are; only a damaged vector (no numbers, no direction, of
another length than the others) is made anew from its text.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from llm.protocols import Embedder, Vector
from llm.vectors import unit
from memory.follow_ups import expect
from memory.lexical import embedding_text
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
    """What a migration did; ``dimensions`` is the size of the vectors taken over.

    ``damaged`` vectors could not be taken over; ``embedded``: they were made anew, else they wait for a
    change of embedder, which makes all of them anew.
    """

    added: int
    known: int
    undated: int
    dimensions: int | None
    damaged: int = 0
    embedded: bool = False


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
        except BrokenExecutor as error:
            raise StoreError(
                f"--from {folder}: not readable as a Chroma store (its vector index is damaged: the process "
                "that read it ended); nothing was taken over, copy the whole folder again from where it ran"
            ) from error
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


def length_of(rows: Sequence[LegacyRow]) -> int | None:
    """Return how long the vectors of a store are: as long as most of the sound ones, else as most."""
    sound = [len(row.vector) for row in rows if _is_sound(row.vector)]
    lengths = Counter(sound or [row.vector.size for row in rows])
    return max(lengths, key=lambda length: (lengths[length], length)) if lengths else None


def _is_sound(vector: Vector) -> bool:
    """Whether a vector has a direction: cosine knows nothing of one with NaN, infinity or only zeros."""
    norm = float(np.linalg.norm(vector.astype(np.float64))) if vector.ndim == 1 else 0.0
    return bool(np.isfinite(norm)) and norm > 0.0


async def take_over(
    database: Database,
    rows: tuple[LegacyRow, ...],
    persona_id: str,
    policy: MemoryPolicy,
    now: datetime,
    embedder: Embedder | None = None,
) -> Migrated:
    """Add every row that is not there yet, in one transaction; a second run adds nothing.

    ``embedder``: the one whose space the vectors lie in, where that is known: damaged ones are made
    anew with it. Else they are kept as zeros, which nothing is near to. Raises ``ModelError``.
    """
    length = length_of(rows) or 0
    ids = {row.id: from_legacy(row, persona_id, policy).id for row in rows}
    async with database.read() as connection:
        there = await gate.some(connection, list(ids.values()))
    damaged = [
        row
        for row in rows
        if ids[row.id] not in there and not (_is_sound(row.vector) and len(row.vector) == length)
    ]
    made: dict[str, Vector] = {row.id: np.zeros(length, dtype=np.float32) for row in damaged}
    if embedder is not None and damaged:
        texts = [embedding_text(row.text) for row in damaged]
        vectors = await embedder.embed_documents(texts)
        made = {row.id: vector for row, vector in zip(damaged, vectors, strict=True)}
    if damaged:
        log.warning("migrate: %d vectors of the older store are damaged", len(damaged))
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
            vector = made[row.id] if row.id in made else unit(row.vector, length)
            memory = await _open_ended_if_taken(writer, memory)
            await writer.add(memory, vector, "migrate", Action.IMPORTED)
            await expect(connection, [memory], policy, now)
            added += 1
    return Migrated(added, known, undated, length_of(rows), len(damaged), embedder is not None)


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
