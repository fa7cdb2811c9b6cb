"""Lily: the whole recall, with Chroma in its path; and her index alone, behind her gate."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from benchmarks.contestants.worker import COUNT
from benchmarks.houses import PERSONA, fill, memory_in, said
from benchmarks.lab import asked_of
from memory.places import DM
from memory.store import gate
from memory.store.revisions import Revisions


class Lily:
    """What she does for a message once its vector is there: gate, index, words, time, ranking, profile."""

    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Fill a store of hers."""
        self._each, self._asked = each, 0
        self._loop = asyncio.new_event_loop()
        self._memory = memory_in(folder, each=each)
        self._service = self._loop.run_until_complete(self._memory.__aenter__())
        self._loop.run_until_complete(fill(self._service, range(len(vectors) // each), each))

    def find(self, person: int, query: Any) -> list[int]:
        """Recall."""
        return self._loop.run_until_complete(self._find(person, query))

    def close(self) -> None:
        """Close it: what is kept must be whole for whoever opens it next."""
        self._loop.run_until_complete(self._memory.__aexit__(None, None, None))

    async def _find(self, person: int, query: Any) -> list[int]:
        self._asked += 1
        message = said(self._service, person, asked_of(self._asked), self._asked)
        recollection = await self._service.recall.recall(message, query)
        near = sorted(recollection.audit, key=lambda line: -line.similarity)
        return [person * self._each + int(line.memory_id.partition("-")[2]) for line in near]


class Index(Lily):
    """Gate and Chroma alone: what the others do, a person's nearest."""

    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Fill a store of hers."""
        super().build(folder, vectors, each)
        self._kept = Revisions()

    async def _find(self, person: int, query: Any) -> list[int]:
        user = f"u{person}"
        live = await self._service.database.snapshot(gate.live, user, PERSONA, DM, self._kept)
        ids = [item.memory.id for item in live]
        found = await self._service.index.nearest(user, ids, query, COUNT)
        return [person * self._each + int(one.partition("-")[2]) for one in found]
