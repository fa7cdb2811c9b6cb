"""An older Chroma store, made with Chroma itself, taken over."""

from __future__ import annotations

from pathlib import Path

import chromadb
import numpy as np
import pytest

from memory.legacy import LegacyRow, read_legacy, take_over
from memory.model import ArchivedReason, Category, Flag
from memory.store.errors import StoreError
from memory.store.gate import some
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


SPOILT = {
    "not a number": lambda vector: np.full_like(vector, np.nan),
    "one not a number": lambda vector: np.concatenate([vector[:-1], np.float32([np.nan])]),
    "infinite": lambda vector: np.full_like(vector, np.inf),
    "zero": np.zeros_like,
    "too short": lambda vector: vector[:-1],
    "too long": lambda vector: np.concatenate([vector, vector]),
    "empty": lambda vector: vector[:0],
}


def spoilt(world: World) -> tuple[LegacyRow, ...]:
    """Return rows whose every other vector is spoilt in a way of its own, more of them sound."""
    found = []
    for number, (name, spoil) in enumerate(SPOILT.items()):
        text, meta = f"使用者喜歡{number}號茶", {"user_id": "u1"}
        vector = world.embedder.vector(text)
        found += [LegacyRow(f"bad {name}", text, meta, spoil(vector))]
        found += [LegacyRow(f"good {number}", f"使用者討厭{number}號茶", meta, vector)]
    return tuple(found)


async def test_damaged_vectors_are_made_anew_from_their_texts_and_counted(world):
    rows = spoilt(world)
    database, policy, now = world.service.database, world.service.policy, world.clock.now()
    done = await take_over(database, rows, "lily", policy, now, world.embedder)
    assert (done.added, done.damaged, done.embedded) == (len(rows), len(SPOILT), True)
    async with database.read() as connection:
        held = await some(connection, [memory.id for memory in await world.all("u1")])
    for item in held.values():
        assert np.isfinite(item.vector).all()
        assert np.linalg.norm(item.vector) == pytest.approx(1.0, abs=1e-5)
    again = await take_over(database, rows, "lily", policy, now, world.embedder)
    assert (again.added, again.damaged) == (0, 0)
    await world.service.outbox.drain()


async def test_where_nobody_can_make_them_anew_they_are_counted_and_wait(world):
    rows = spoilt(world)
    database, policy, now = world.service.database, world.service.policy, world.clock.now()
    done = await take_over(database, rows, "lily", policy, now)
    assert (done.damaged, done.embedded, done.dimensions) == (len(SPOILT), False, len(rows[1].vector))
    async with database.read() as connection:
        held = await some(connection, [memory.id for memory in await world.all("u1")])
    assert all(np.isfinite(item.vector).all() for item in held.values())
    assert {len(item.vector) for item in held.values()} == {done.dimensions}


async def test_a_store_of_damaged_vectors_alone_is_taken_over_too(world):
    rows = tuple(row for row in spoilt(world) if row.id.startswith("bad zero"))
    done = await take_over(
        world.service.database, rows, "lily", world.service.policy, world.clock.now(), world.embedder
    )
    assert (done.added, done.damaged) == (1, 1)
