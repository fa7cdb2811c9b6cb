"""Opening the memory: whose vectors a store holds."""

from __future__ import annotations

import pytest

from memory.model import Category
from memory.store.errors import EmbedderMismatch
from tests.memory.test_recall import recalled
from tests.support.models import TermEmbedder
from tests.support.world import open_world

pytestmark = pytest.mark.usefixtures("store")


async def test_another_embedder_is_refused_with_the_command_to_run(tmp_path):
    async with open_world(tmp_path):
        pass
    with pytest.raises(EmbedderMismatch, match="lily reindex --embedder"):
        async with open_world(tmp_path, embedder=TermEmbedder(name="other")):
            pass


async def test_a_store_moves_to_another_embedder_by_reindexing(tmp_path):
    async with open_world(tmp_path) as world:
        await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
        other = TermEmbedder(dimensions=32, name="other")
        result = await world.service.reindexer.reindex(other)
        assert (result.memories, result.embedded) == (1, 1)
    async with open_world(tmp_path, embedder=TermEmbedder(dimensions=32, name="other")) as world:
        assert await recalled(world, "我討厭香菜嗎") == ["使用者討厭吃香菜"]


async def test_the_next_run_still_knows_it_all(tmp_path):
    async with open_world(tmp_path) as world:
        await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
    async with open_world(tmp_path) as world:
        assert await recalled(world, "我討厭香菜嗎") == ["使用者討厭吃香菜"]
