"""Making the index agree with SQL again; or moving a whole store into another embedder's space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, update

from llm.protocols import Embedder, Vector
from memory.lexical import embedding_text
from memory.lorebook import Lorebook
from memory.server_lore import space_of, told
from memory.store.database import Database
from memory.store.dialects import put
from memory.store.gate import some
from memory.store.index import VectorIndex
from memory.store.outbox import Outbox
from memory.store.revisions import Revisions
from memory.store.rows import pack
from memory.store.schema import lore, memories, meta, outbox

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Reindexed:
    """How many memories the index now holds, and how many texts were embedded for it."""

    memories: int
    embedded: int


class Reindexer:
    """Fills the index from the vectors in SQL. Without a new embedder nothing is embedded."""

    def __init__(
        self,
        database: Database,
        index: VectorIndex,
        outbox: Outbox,
        lorebook: Lorebook,
        kept: Revisions | None = None,
    ) -> None:
        self._database = database
        self._index = index
        self._outbox = outbox
        self._lorebook = lorebook
        self._kept = kept

    async def reindex(self, embedder: Embedder | None = None) -> Reindexed:
        """Drop and refill every collection; with ``embedder``, embed every text anew first.

        The new vectors and the store's new identity are one transaction: an interrupted change of
        embedder leaves the old one in force.
        """
        embedded = await self._embed_anew(embedder) if embedder is not None else 0
        if self._kept is not None:
            self._kept.forget()  # the same revisions may have other vectors now
        async with self._outbox.still():
            ids, personas, pending = await self._contents()
            await self._index.clear()
            for start in range(0, len(ids), _BATCH):
                async with self._database.read() as connection:
                    stored = await some(connection, ids[start : start + _BATCH])
                await self._index.mirror([(item.memory, item.vector) for item in stored.values()])
            for persona_id in personas:
                await self._lorebook.mirror(persona_id)
            async with self._database.write() as connection:
                for start in range(0, len(pending), _BATCH):
                    done = outbox.c.seq.in_(pending[start : start + _BATCH])
                    await connection.execute(delete(outbox).where(done))
        return Reindexed(len(ids), embedded)

    async def _contents(self) -> tuple[list[str], list[str], list[int]]:
        """Return what is to be indexed, and what waits in the outbox from before it was looked at."""
        async with self._database.read() as connection:
            pending = [row[0] for row in await connection.execute(select(outbox.c.seq))]
            rows = await connection.execute(select(memories.c.id, memories.c.user_id))
            # one collection after the other, so that each is written in few large batches
            ids = [row.id for row in sorted(rows, key=lambda r: (self._index.collection_of(r.user_id), r.id))]
            personas = [row[0] for row in await connection.execute(select(lore.c.persona_id).distinct())]
        return ids, personas, pending

    async def _embed_anew(self, embedder: Embedder) -> int:
        async with self._database.read() as connection:
            rows = [
                (row.id, row.text) for row in await connection.execute(select(memories.c.id, memories.c.text))
            ]
            found = await connection.execute(select(lore.c.id, lore.c.title, lore.c.text))
            documents = [(row.id, told(row.title, row.text)) for row in found]
        vectors = await _embed(embedder, [embedding_text(text) for _, text in rows])
        lore_vectors = await _embed(embedder, [text for _, text in documents])
        async with self._database.write() as connection:
            for (row_id, _), vector in zip(rows, vectors, strict=True):
                await connection.execute(
                    update(memories).where(memories.c.id == row_id).values(vector=pack(vector))
                )
            for (row_id, _), vector in zip(documents, lore_vectors, strict=True):
                await connection.execute(update(lore).where(lore.c.id == row_id).values(vector=pack(vector)))
            # a character's digest is found to differ at the next start; a server's tells the embedder alone
            ours = update(lore).where(lore.c.title.is_not(None))
            await connection.execute(ours.values(digest=space_of(embedder)))
            await put(connection, meta, key="embedder", value=str(embedder.identity))
        return len(rows) + len(documents)


async def _embed(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    vectors: list[Vector] = []
    for start in range(0, len(texts), _BATCH):
        vectors.extend(await embedder.embed_documents(texts[start : start + _BATCH]))
    return vectors
