"""The Chroma index: it proposes ids, SQL decides.

A person's vectors lie in one of a fixed number of collections, so that a question costs what the
collection costs, not what the whole store costs. It is asked about the ids that the live gate has let
through: whose they are, where they may be used and that they are not archived is settled before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from llm.protocols import Vector
from memory.identifiers import shard_of
from memory.model import Memory, Visibility
from memory.places import Place
from memory.store.desks import Apart, Desk, DeskError, Threads
from memory.store.errors import IndexBusy, IndexUnavailable, StoreError
from memory.store.shelves import CHARACTER_LORE, USER_MEMORY, Rows

__all__ = ["CHARACTER_LORE", "USER_MEMORY", "VectorIndex", "audiences", "open_index"]

EVERYWHERE = "everywhere"
_TRIES = 2


def audiences(memory: Memory) -> list[str]:
    """Return the tags a place is matched with: where the words of this memory may be used."""
    tags = {_audience(Place.parse(place)) for place in memory.places}
    if memory.visibility is Visibility.EVERYWHERE:
        tags.add(EVERYWHERE)
    return sorted(tags)


class VectorIndex:
    """``shards`` collections of memories and one of lore, in process, in one of its own or on a server."""

    def __init__(self, desk: Desk, shards: int) -> None:
        self._desk = desk
        self._shards = shards
        self.has_lost = False
        """Whether something was missing that had been mirrored: it wants to be filled anew."""
        self.renewed = False
        """Whether Chroma had to be opened anew: it may be another one, and empty."""

    async def nearest(self, user_id: str, ids: Sequence[str], query: Vector, count: int) -> tuple[str, ...]:
        """Return which of a person's ids lie nearest to a query, nearest first.

        Every id must have been mirrored. Nothing is returned where the index has lost one of them.
        """
        if not ids:
            return ()
        found: tuple[str, ...] = await self._ask("nearest", self.collection_of(user_id), ids, query, count)
        self.has_lost = self.has_lost or not found
        return found

    async def mirror(self, items: Sequence[tuple[Memory, Vector]]) -> None:
        """Make the index hold these memories as they are now; idempotent by id."""
        by_name: dict[str, list[tuple[Memory, Vector]]] = {}
        for memory, vector in items:
            by_name.setdefault(self.collection_of(memory.user_id), []).append((memory, vector))
        for name, part in by_name.items():
            for start in range(0, len(part), self._desk.rows_at_once):
                await self._call("upsert", name, _rows(part[start : start + self._desk.rows_at_once]))

    async def forget_person(self, user_id: str, keep: Sequence[tuple[Memory, Vector]]) -> None:
        """Drop the collection a person's vectors lie in, and refill it with everybody else's."""
        await self._call("drop", self.collection_of(user_id))
        await self.mirror(keep)

    async def clear(self) -> None:
        """Drop every collection of ours: the index is about to be filled anew."""
        await self._call("clear")

    async def contents(self) -> dict[str, dict[str, Any]]:
        """Return every memory's metadata by id: for checking that SQL and the index agree."""
        found: dict[str, dict[str, Any]] = await self._call("contents")
        return found

    async def held(self) -> int:
        """Return how many memories the index holds."""
        return int(await self._call("held"))

    async def put_lore(self, persona_id: str, items: Sequence[tuple[str, Vector]]) -> None:
        """Make the lore collection hold exactly these documents of a character."""
        ids = [lore_id for lore_id, _ in items]
        rows = (ids, _matrix([vector for _, vector in items]), [{"persona_id": persona_id} for _ in ids])
        await self._call("put_lore", persona_id, rows)

    async def nearest_lore(self, persona_id: str, query: Vector, count: int) -> tuple[str, ...]:
        """Return the ids of a character's lore nearest to a query."""
        found: tuple[str, ...] = await self._ask("nearest_lore", persona_id, query, count)
        return found

    async def compact(self) -> None:
        """Rewrite the embedded index so that nothing dropped is left; a server keeps its own house."""
        await self._call("compact")

    def collection_of(self, user_id: str) -> str:
        """Return the name of the collection a person's vectors lie in."""
        return f"{USER_MEMORY}_{shard_of(user_id, self._shards):03d}"

    async def _ask(self, work: str, *arguments: Any) -> Any:
        """Call, where the answer is worth no more than the desk's patience. Raises ``IndexBusy``."""
        try:
            async with asyncio.timeout(self._desk.patience):
                return await self._call(work, *arguments)
        except TimeoutError as error:
            raise IndexBusy("Chroma is writing or starting") from error

    async def _call(self, work: str, *arguments: Any) -> Any:
        for attempt in range(_TRIES):
            try:
                done = await self._desk.call(work, *arguments)
                self.renewed = self.renewed or attempt > 0
                return done
            except StoreError:
                raise
            except Exception as error:
                # all work is idempotent: once more over a fresh connection, then the index is away
                with suppress(Exception):
                    await self._desk.call("reset")
                if attempt == _TRIES - 1:
                    raise IndexUnavailable(f"Chroma: {_kind(error)}") from error
        raise AssertionError("unreachable")


@asynccontextmanager
async def open_index(
    folder: Path | None, url: str | None, shards: int, *, apart: bool = False
) -> AsyncIterator[VectorIndex]:
    """Open the index lazily: in process under ``folder``, or on the Chroma server at ``url``.

    ``apart``: an embedded one gets a process of its own, so that its writes hold nothing up here.
    """
    desk: Desk
    if apart and folder is not None and not url:
        desk = Apart(folder)
        with suppress(OSError):  # the first call tries again, and tells
            await desk.start()
    else:
        desk = Threads(folder, url)
    try:
        yield VectorIndex(desk, shards)
    finally:
        await desk.close()


def _rows(items: Sequence[tuple[Memory, Vector]]) -> Rows:
    vectors = _matrix([vector for _, vector in items])
    return [memory.id for memory, _ in items], vectors, [_metadata(memory) for memory, _ in items]


def _matrix(vectors: Sequence[Vector]) -> Any:
    return np.asarray(vectors, dtype=np.float32)


def _kind(error: Exception) -> str:
    return str(error) if isinstance(error, DeskError) else type(error).__name__


def _audience(place: Place) -> str:
    if place.is_dm or place.private:
        return str(place)
    return f"guild:{place.guild}"


def _metadata(memory: Memory) -> dict[str, Any]:
    def seconds(moment: Any) -> float | None:
        return moment.timestamp() if moment is not None else None

    return {
        "user_id": memory.user_id,
        "persona_id": memory.persona_id,
        "archived": memory.archived,
        "audiences": audiences(memory),
        "category": str(memory.category),
        "kind": str(memory.kind),
        "rev": memory.rev,
        # None removes a key that an earlier revision had: an upsert merges
        "created_at": seconds(memory.created_at),
        "valid_from": seconds(memory.valid_from),
        "valid_to": seconds(memory.valid_to),
        "expires_at": seconds(memory.expires_at),
        "supersedes_id": memory.supersedes_id,
    }
