"""An older Chroma store, made with Chroma itself, taken over."""

from __future__ import annotations

from pathlib import Path

import chromadb
import numpy as np
import pytest

from memory.legacy import read_legacy, take_over
from memory.model import ArchivedReason, Category, Flag
from memory.store.errors import StoreError
from tests.memory.test_recall import recalled
from tests.support.models import TermEmbedder
from tests.support.world import World

ROWS = [
    ("a", "使用者叫小明", {"user_id": "u1", "created_at": "2026-09-01T10:00:00+00:00"}),
    ("b", "使用者討厭吃香菜", {"user_id": "u1", "category": "preference"}),
    ("c", "使用者喜歡爬山", {"user_id": "u1", "category": "hobby", "created_at": "不是日期"}),
    ("d", "使用者喜歡喝茶", {"user_id": "u1", "archived": True, "archived_reason": "evicted"}),
    ("e", "使用者喜歡看海", {"user_id": "u2", "archived": False, "created_at": 1_756_720_000}),
]


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    folder, embedder = tmp_path / "old", TermEmbedder()
    collection = chromadb.PersistentClient(path=str(folder)).create_collection(
        "user_memory", embedding_function=None
    )
    collection.add(
        ids=[row[0] for row in ROWS],
        documents=[row[1] for row in ROWS],
        metadatas=[row[2] for row in ROWS],
        embeddings=np.stack([embedder.vector(row[1]) for row in ROWS]),
    )
    return folder


async def migrate(world: World, folder: Path):
    rows = read_legacy(folder)
    return await take_over(world.service.database, rows, "lily", world.service.policy, world.clock.now())


async def test_every_old_memory_is_visible_and_nothing_is_embedded(world, old_store):
    calls = world.embedder.calls
    result = await migrate(world, old_store)
    assert (result.added, world.embedder.calls) == (5, calls)
    texts = {m.text for user in ("u1", "u2") for m in await world.all(user)}
    assert texts == {row[1] for row in ROWS}
    assert await recalled(world, "我討厭香菜嗎") >= ["使用者叫小明"]
    assert "使用者討厭吃香菜" in await recalled(world, "我討厭香菜嗎")


async def test_what_is_missing_is_filled_in_and_what_is_unknown_stays_unknown(world, old_store):
    await migrate(world, old_store)
    rows = {m.source: m for m in (*await world.all("u1"), *await world.all("u2"))}
    assert rows["legacy:a"].category is Category.NAME
    assert rows["legacy:b"].created_at is None
    assert rows["legacy:b"].flags == ()
    assert rows["legacy:c"].flags == (Flag.BROKEN_CREATED_AT,)
    assert rows["legacy:d"].archived_reason is ArchivedReason.EVICTED
    assert rows["legacy:e"].created_at is not None


async def test_a_second_run_adds_nothing(world, old_store):
    await migrate(world, old_store)
    before = await world.all()
    again = await migrate(world, old_store)
    assert (again.added, again.known) == (0, 5)
    assert await world.all() == before


def test_a_folder_without_a_store_is_refused_with_its_name(tmp_path):
    with pytest.raises(StoreError, match="no Chroma store there"):
        read_legacy(tmp_path)


def test_a_store_without_the_collection_is_refused(tmp_path):
    chromadb.PersistentClient(path=str(tmp_path / "x")).create_collection("songs", embedding_function=None)
    with pytest.raises(StoreError, match="no collection 'user_memory'"):
        read_legacy(tmp_path / "x")
