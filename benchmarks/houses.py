"""A memory filled with made-up people, straight into its tables: what is measured goes the usual way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import func, insert, select

from benchmarks.lab import DIMENSIONS, said_ago, text_of, vectors_of
from bot.models import rules_only
from llm.protocols import EmbedderIdentity, Vector
from memory.clock import SystemClock
from memory.messages import Message
from memory.model import Category, Memory
from memory.places import DM
from memory.policy import DEFAULT_RULES, MemoryPolicy
from memory.service import MemoryService, Models, StoreLocation, open_memory
from memory.store.rows import pack, to_row
from memory.store.schema import memories

PERSONA = "lily"
KINDS = (Category.PREFERENCE, Category.HOBBY, Category.HABIT, Category.OTHER)
_BATCH = 1_000


class Given:
    """An embedder that has every vector already."""

    identity = EmbedderIdentity("usem3", DIMENSIONS)

    async def embed_documents(self, texts: list[str]) -> list[Vector]:
        """Return a vector each."""
        return [await self.embed_query(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        """Return some vector of a text."""
        row = np.random.default_rng(abs(hash(text))).normal(size=DIMENSIONS)
        return (row / np.linalg.norm(row)).astype(np.float32)


@asynccontextmanager
async def memory_in(
    folder: Path, *, each: int = 200, shards: int = 64, chroma_url: str | None = None, apart: bool = False
) -> AsyncIterator[MemoryService]:
    """Open a memory whose people may keep ``each``."""
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - before anything is measured
    rules = rules_only()
    models = Models(Given(), rules.extractor, rules.judge, rules.extractor, rules.judge)
    location = StoreLocation(folder, None, chroma_url, shards, index_apart=apart)
    policy = MemoryPolicy(cap_per_person=max(each, 200))
    async with open_memory(location, models, SystemClock(), policy) as service:
        yield service


async def fill(service: MemoryService, people: Sequence[int], each: int) -> None:
    """Give people their memories, one collection after the other, unless they are there."""
    async with service.database.read() as connection:
        held = (await connection.execute(select(func.count()).select_from(memories))).scalar_one()
    if held >= len(people) * each:
        return
    batch: list[tuple[Memory, Any]] = []
    for person in sorted(people, key=lambda one: service.index.collection_of(f"u{one}")):
        batch += made_up(service, person, each)
        if len(batch) >= _BATCH:
            await _store(service, batch)
            batch = []
    await _store(service, batch)


def made_up(service: MemoryService, person: int, each: int, start: int = 0) -> list[tuple[Memory, Any]]:
    """Return a person's memories with their vectors."""
    now = service.clock.now()
    return [
        (
            Memory(
                id=f"m{person}-{number}", user_id=f"u{person}", persona_id=PERSONA, places=("dm",),
                text=text_of(number), category=KINDS[number % len(KINDS)],
                kind=DEFAULT_RULES[KINDS[number % len(KINDS)]].kind, zone="Asia/Taipei",
                created_at=now - said_ago(number), updated_at=now - said_ago(number),
            ),
            vector,
        )
        for number, vector in enumerate(vectors_of(person, each), start)
    ]  # fmt: skip


def said(service: MemoryService, person: int, text: str, number: int = 0) -> Message:
    """Return a message a person says in a DM."""
    return Message(
        id=f"bench:{person}:{number}", user_id=f"u{person}", persona_id=PERSONA, text=text,
        said_at=service.clock.now(), place=DM, zone="Asia/Taipei", language="zh-TW",
    )  # fmt: skip


async def _store(service: MemoryService, items: list[tuple[Memory, Any]]) -> None:
    if not items:
        return
    rows = [{**to_row(memory), "vector": pack(vector)} for memory, vector in items]
    async with service.database.write() as connection:
        await connection.execute(insert(memories), rows)
    await service.index.mirror(items)
