"""The cases distance alone can't tell, with an embedder that gives exactly the measured distances."""

from __future__ import annotations

import pytest

from memory.lexical import embedding_text
from memory.model import ArchivedReason, Category
from memory.relations.rules import OfflineJudge
from tests.support.models import DistanceEmbedder
from tests.support.world import World, fact, open_world

pytestmark = pytest.mark.usefixtures("store")

GEMINI = "gemini-embedding-001"  # its thresholds: 0.25 duplicate, 0.45 gray


def embedder(distances: dict[tuple[str, str], float]) -> DistanceEmbedder:
    spoken = {(embedding_text(a), embedding_text(b)): distance for (a, b), distance in distances.items()}
    return DistanceEmbedder(spoken, GEMINI)


async def said(world: World, known: str, new: str, category: Category):
    """Tell one fact, then another; returns the first memory and what the second changed."""
    first = await world.tell(known, category)
    return first, await world.say(f"（{new}）", fact(new, category))


CASES = [
    # known, new, distance, category, archived, stored
    ("使用者討厭吃香菜", "使用者不吃香菜", 0.201, Category.PREFERENCE, False, False),
    ("使用者叫小明", "使用者叫小華", 0.408, Category.NAME, True, True),
    ("使用者討厭香菜", "使用者討厭芹菜", 0.264, Category.PREFERENCE, False, True),
    ("使用者討厭吃香菜", "使用者不喜歡吃香菜。", 0.172, Category.PREFERENCE, False, False),
    ("使用者討厭吃香菜", "香菜我一點都不喜歡", 0.328, Category.PREFERENCE, False, False),
    ("使用者叫小明", "我叫小明", 0.393, Category.NAME, False, False),
    ("使用者最討厭吃香菜", "使用者嘗試了香菜烘焙，發現其實蠻香的", 0.40, Category.PREFERENCE, True, True),
]


@pytest.mark.parametrize(("known", "new", "distance", "category", "archived", "stored"), CASES)
async def test_what_is_stored_and_archived_follows_the_meaning_not_the_distance(
    tmp_path, known, new, distance, category, archived, stored
):
    async with open_world(
        tmp_path, embedder=embedder({(known, new): distance}), judge=OfflineJudge()
    ) as world:
        first, second = await said(world, known, new, category)
        vectors = await world.embedder.embed_documents([embedding_text(known), embedding_text(new)])
        if embedding_text(known) != embedding_text(new):
            assert 1 - float(vectors[0] @ vectors[1]) == pytest.approx(distance, abs=1e-4)
        assert [m.id for m in second.archived] == ([first.id] if archived else [])
        assert {m.archived_reason for m in second.archived} <= {ArchivedReason.CONTRADICTED}
        assert [m.text for m in second.written] == ([new] if stored else [])
        assert [skip.same_as for skip in second.skipped] == ([] if stored else [first.id])


async def test_the_nearer_pair_is_kept_and_the_farther_one_replaced(tmp_path):
    distances = {
        ("使用者叫小明", "使用者叫小華"): 0.408,
        ("使用者討厭香菜", "使用者討厭芹菜"): 0.264,
    }
    async with open_world(tmp_path, embedder=embedder(distances), judge=OfflineJudge()) as world:
        await said(world, "使用者叫小明", "使用者叫小華", Category.NAME)
        await said(world, "使用者討厭香菜", "使用者討厭芹菜", Category.PREFERENCE)
        assert await world.live_texts() == ["使用者叫小華", "使用者討厭芹菜", "使用者討厭香菜"]


async def test_under_the_duplicate_limit_nobody_is_asked(tmp_path):
    known, new = "使用者討厭吃香菜", "使用者不喜歡吃香菜。"
    async with open_world(tmp_path, embedder=embedder({(known, new): 0.172})) as world:
        await said(world, known, new, Category.PREFERENCE)
        assert world.judge.asked == []


async def test_a_negation_the_vector_cannot_see_is_never_skipped_as_near(tmp_path):
    known, new = "使用者喜歡吃香菜", "使用者不喜歡吃香菜"
    async with open_world(tmp_path, embedder=embedder({(known, new): 0.05}), judge=OfflineJudge()) as world:
        first, second = await said(world, known, new, Category.PREFERENCE)
        assert [m.id for m in second.archived] == [first.id]
