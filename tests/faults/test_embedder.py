"""A store filled by another embedder: refused with the command to run, and nothing is mixed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.model import Category
from memory.store.errors import EmbedderMismatch
from tests.faults.lines import witness
from tests.support.models import TermEmbedder
from tests.support.world import open_world


@pytest.mark.parametrize(
    "other",
    [TermEmbedder(dimensions=32), TermEmbedder(name="others")],
    ids=["another dimension", "another name"],
)
async def test_it_is_refused_and_the_first_one_still_opens_it(
    tmp_path: Path, other: TermEmbedder, request: pytest.FixtureRequest
) -> None:
    async with open_world(tmp_path) as world:
        await world.tell("使用者叫小明", Category.NAME)
    with pytest.raises(EmbedderMismatch, match="lily reindex --embedder") as refused:
        async with open_world(tmp_path, embedder=other):
            pass
    what = request.node.callspec.id
    witness(
        "embedder",
        what,
        screen=str(refused.value),
        person="-",
        after="lily reindex --embedder, or the old setting",
    )
    async with open_world(tmp_path) as world:
        assert await world.live_texts() == ["使用者叫小明"]
