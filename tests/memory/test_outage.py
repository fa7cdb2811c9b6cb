"""The index away, killed, deleted: she goes on from SQL, and a reindex needs no embedding."""

from __future__ import annotations

import shutil

import pytest

import memory.store.chroma
from memory.model import Category
from memory.store.errors import IndexUnavailable
from tests.memory.test_recall import recalled
from tests.support.chroma_server import ChromaServer
from tests.support.world import World, open_world


async def agree(world: World) -> bool:
    indexed = await world.service.index.contents()
    return {i: row["rev"] for i, row in indexed.items()} == {m.id: m.rev for m in await world.all()}


async def test_a_chroma_server_is_killed_and_comes_back(tmp_path):
    server = ChromaServer(tmp_path / "chroma-server")
    server.start()
    try:
        async with open_world(tmp_path / "data", chroma_url=server.url) as world:
            await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
            await world.service.outbox.drain()
            assert await agree(world)
            server.kill()
            assert await recalled(world, "我討厭香菜嗎") == ["使用者討厭吃香菜"]
            await world.tell("使用者喜歡喝茶", Category.PREFERENCE)
            assert "使用者喜歡喝茶" in await recalled(world, "喝茶")
            with pytest.raises(IndexUnavailable):
                await world.service.outbox.drain()
            server.start()
            await world.service.outbox.drain()
            assert await agree(world)
    finally:
        server.kill()


async def test_a_chroma_server_that_hangs_holds_nothing_up(tmp_path, monkeypatch):
    monkeypatch.setattr(memory.store.chroma, "ANSWER_SECONDS", 0.5)
    with ChromaServer(tmp_path / "chroma-server") as server:
        async with open_world(tmp_path / "data", chroma_url=server.url) as world:
            await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
            await world.service.outbox.drain()
            world.service.index._desk.patience = 0.2
            server.hang()
            assert await recalled(world, "我討厭香菜嗎") == ["使用者討厭吃香菜"]
            await world.tell("使用者喜歡喝茶", Category.PREFERENCE)
            with pytest.raises(IndexUnavailable):
                await world.service.outbox.drain()
            server.go_on()
            await world.service.outbox.drain()
            assert await agree(world)


async def test_a_deleted_index_folder_is_refilled_without_an_embedding_call(tmp_path):
    async with open_world(tmp_path) as world:
        for number in range(10):
            await world.tell(f"使用者收集第{number}號郵票", Category.HOBBY)
        await world.service.outbox.drain()
        shutil.rmtree(tmp_path / "chroma")
        assert "使用者收集第3號郵票" in await recalled(world, "第3號郵票")
        calls = world.embedder.calls
        result = await world.service.reindexer.reindex()
        assert (result.memories, result.embedded, world.embedder.calls) == (10, 0, calls)
        assert await agree(world)
