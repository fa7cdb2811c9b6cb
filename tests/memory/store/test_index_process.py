"""The index in a process of its own: the same answers, and nobody waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio

from memory.model import Memory
from memory.store.desks import Apart
from memory.store.errors import IndexBusy, IndexUnavailable
from memory.store.index import VectorIndex

WIDTH = 8


pytestmark = pytest.mark.asyncio(loop_scope="module")


class Patient(Apart):
    """A desk whose questions wait: a busy machine must not answer for the index."""

    patience = None


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Apart]:
    opened = Patient(tmp_path_factory.mktemp("index") / "chroma")
    yield opened
    await opened.close()


def memories(count: int, user: str = "u1") -> list[tuple[Memory, np.ndarray]]:
    vectors = np.eye(WIDTH, dtype=np.float32)
    return [
        (
            Memory(id=f"{user}-{n}", user_id=user, persona_id="lily", places=("dm",), text="x"),
            (vectors[n % WIDTH] + n * 0.01 * vectors[(n + 1) % WIDTH]).astype(np.float32),
        )
        for n in range(count)
    ]


async def test_it_ranks_what_it_is_asked_about_and_nothing_else(desk):
    index, kept = VectorIndex(desk, 4), memories(20)
    await index.mirror([*kept, *memories(20, "somebody else")])
    query = kept[3][1]
    near = {memory.id: float(vector @ query / np.linalg.norm(vector)) for memory, vector in kept}
    del near["u1-3"]
    best = sorted(near, key=lambda i: -near[i])[:3]
    assert await index.nearest("u1", list(near), query, 3) == tuple(best)
    assert set(await index.nearest("u1", list(near), query, 100)) == set(near)


async def test_where_it_has_lost_one_it_says_nothing(desk):
    index = VectorIndex(desk, 1)
    await index.mirror(memories(5, "lost"))
    assert await index.nearest("lost", ["lost-0", "another"], memories(1)[0][1], 40) == ()


async def test_many_at_once_get_their_own_answers(desk):
    index, kept = VectorIndex(desk, 1), memories(WIDTH, "many")
    await index.mirror(kept)
    ids = [memory.id for memory, _ in kept]
    found = await asyncio.gather(*(index.nearest("many", ids, vector, 1) for _, vector in kept))
    assert [one[0] for one in found] == ids


async def test_it_survives_the_signals_that_end_the_other_process(desk):
    index = VectorIndex(desk, 2)
    await index.mirror(memories(2, "signalled"))
    before = desk.process_id
    assert before is not None
    os.kill(before, signal.SIGINT)
    os.kill(before, signal.SIGTERM)
    assert {"signalled-0", "signalled-1"} <= set(await index.contents())
    assert desk.process_id == before


async def test_killed_in_between_it_is_started_anew_and_has_kept_everything(desk):
    index = VectorIndex(desk, 2)
    await index.mirror(memories(5, "killed"))
    assert desk.process_id is not None
    os.kill(desk.process_id, signal.SIGKILL)
    assert {f"killed-{n}" for n in range(5)} <= set(await index.contents())


async def test_a_question_does_not_wait_for_its_start_and_closing_ends_it(tmp_path):
    desk = Apart(tmp_path / "chroma")
    index = VectorIndex(desk, 2)
    with pytest.raises(IndexBusy):
        await index.nearest("u1", ["u1-0"], memories(1)[0][1], 3)
    await index.mirror(memories(2))  # the answer nobody waited for has not shifted those that follow
    assert set(await index.contents()) == {"u1-0", "u1-1"}
    child = desk.process_id
    assert child is not None
    await desk.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


async def test_questions_do_not_pile_up_while_nothing_is_answered(desk):
    index, kept = VectorIndex(desk, 1), memories(WIDTH, "crowd")
    await index.mirror(kept)
    ids = [memory.id for memory, _ in kept]
    asked = [index.nearest("crowd", ids, kept[0][1], 1) for _ in range(200)]
    found = await asyncio.gather(*asked, return_exceptions=True)
    refused = [one for one in found if isinstance(one, IndexBusy)]
    assert refused
    assert {one for one in found if isinstance(one, tuple)} == {("crowd-0",)}
    assert len(refused) < len(found)


async def test_a_folder_it_cannot_open_is_an_index_that_is_away(tmp_path):
    (tmp_path / "chroma").write_text("no folder", encoding="utf-8")
    desk = Apart(tmp_path / "chroma")
    with pytest.raises(IndexUnavailable):
        await VectorIndex(desk, 2).contents()
    await desk.close()
