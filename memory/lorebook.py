"""A character's lore in the store: documents with kind and half-life, found by meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from sqlalchemy import delete, select

from llm.protocols import Embedder, Vector
from memory.clock import Clock
from memory.model import Kind
from memory.store.database import Database
from memory.store.dialects import put
from memory.store.errors import IndexUnavailable
from memory.store.index import VectorIndex
from memory.store.rows import pack, unpack
from memory.store.schema import lore
from memory.text import fold, has_cjk

_CANDIDATES = 12


def is_called(key: str, folded: str) -> bool:
    """Whether a key word stands in a folded text: as a word where it has letters (art is not in party)."""
    wanted = fold(key)
    if not wanted or wanted not in folded:
        return False
    if has_cjk(wanted):
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", folded) is not None


@dataclass(frozen=True, slots=True)
class LoreDocument:
    """One thing that is known about a character. ``expires_at`` takes it out, the half-life fades it."""

    id: str
    text: str
    kind: Kind = Kind.STATIC
    half_life_days: float | None = None
    expires_at: datetime | None = None
    source: str = "character"


@dataclass(frozen=True, slots=True)
class LoreHit:
    """A document that fits, with cosine similarity to the question."""

    document: LoreDocument
    similarity: float


class Lorebook:
    """Keeps each character's documents, in SQL and in the ``character_lore`` collection."""

    def __init__(self, database: Database, index: VectorIndex, embedder: Embedder, clock: Clock) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._clock = clock

    async def sync(self, persona_id: str, documents: Sequence[LoreDocument]) -> int:
        """Make the store hold exactly these documents; only what changed is embedded. Returns how many."""
        identity = str(self._embedder.identity)
        wanted = {f"{persona_id}:{d.id}": (d, _digest(d, identity)) for d in documents}
        async with self._database.read() as connection:
            rows = await connection.execute(
                select(lore.c.id, lore.c.digest).where(lore.c.persona_id == persona_id)
            )
            known = {row.id: row.digest for row in rows}
        changed = [key for key, (_, digest) in wanted.items() if known.get(key) != digest]
        stale = set(known) - set(wanted)
        if not changed and not stale:
            return 0
        vectors = await self._embedder.embed_documents([wanted[key][0].text for key in changed])
        async with self._database.write() as connection:
            if stale:
                await connection.execute(delete(lore).where(lore.c.id.in_(stale)))
            for key, vector in zip(changed, vectors, strict=True):
                document, digest = wanted[key]
                await put(
                    connection,
                    lore,
                    id=key,
                    persona_id=persona_id,
                    text=document.text,
                    kind=str(document.kind),
                    half_life_days=document.half_life_days,
                    expires_at=document.expires_at,
                    source=document.source,
                    digest=digest,
                    vector=pack(vector),
                )
        await self.mirror(persona_id)
        return len(changed) + len(stale)

    async def mirror(self, persona_id: str) -> None:
        """Fill the index from SQL; an index that can't be reached is filled by the next reindex.

        What was taken out is not in it.
        """
        async with self._database.read() as connection:
            query = select(lore).where(lore.c.persona_id == persona_id, lore.c.archived.is_(False))
            items = [(row.id, unpack(row.vector)) for row in await connection.execute(query)]
        try:
            await self._index.put_lore(persona_id, items)
        except IndexUnavailable:
            return

    async def find(self, persona_id: str, query: Vector, count: int, floor: float) -> tuple[LoreHit, ...]:
        """Return the documents that fit a question, best first; the index proposes, SQL decides.

        So few that it would propose them all are not asked about.
        """
        now = self._clock.now()
        async with self._database.read() as connection:
            rows = list(await connection.execute(select(lore).where(lore.c.persona_id == persona_id)))
        proposed: set[str] = set()
        if len(rows) > _CANDIDATES:
            with suppress(IndexUnavailable):
                proposed = set(await self._index.nearest_lore(persona_id, query, _CANDIDATES))
        if len(proposed & {row.id for row in rows}) < min(_CANDIDATES, len(rows)):
            proposed = {row.id for row in rows}  # the index is away or behind: look at all of them
        hits = [
            LoreHit(
                LoreDocument(
                    row.id, row.text, Kind(row.kind), row.half_life_days, row.expires_at, row.source
                ),
                float(unpack(row.vector) @ query),
            )
            for row in rows
            if row.id in proposed and (row.expires_at is None or row.expires_at > now)
        ]
        hits.sort(key=lambda hit: (-hit.similarity, hit.document.id))
        return tuple(hit for hit in hits[:count] if hit.similarity >= floor)


def _digest(document: LoreDocument, identity: str) -> str:
    parts = (
        document.text,
        str(document.kind),
        str(document.half_life_days),
        str(document.expires_at),
        document.source,
        identity,
    )
    return blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()
