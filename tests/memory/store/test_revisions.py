"""What is kept of memories to be quick: never what is live, never an older revision."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.lexical import terms_of_all
from memory.model import Category, Memory, Visibility
from memory.places import DM, Place
from memory.store import gate
from memory.store.revisions import Revisions, Stored
from tests.memory.test_recall import recalled

OPEN = Place("1", "10")


def stored(memory_id: str, rev: int = 1, text: str = "使用者討厭吃香菜") -> Stored:
    memory = Memory(id=memory_id, user_id="u1", persona_id="lily", places=("dm",), text=text, rev=rev)
    return Stored(memory, np.zeros(2, dtype=np.float32))


def test_only_the_revision_that_was_asked_for_is_given():
    kept = Revisions()
    kept.keep([stored("m1", 1)])
    assert kept.those_of([("m1", 2)]) == {}
    kept.keep([stored("m1", 2)])
    assert kept.those_of([("m1", 1)]) == {}
    assert set(kept.those_of([("m1", 2)])) == {"m1"}


def test_no_more_are_kept_than_it_was_told_and_the_longest_unused_goes_first():
    kept = Revisions(2)
    kept.keep([stored("m1"), stored("m2")])
    kept.those_of([("m1", 1)])
    kept.keep([stored("m3")])
    assert set(kept.those_of((name, 1) for name in ("m1", "m2", "m3"))) == {"m1", "m3"}


def test_a_text_is_read_into_terms_once():
    kept, item = Revisions(), stored("m1")
    kept.keep([item])
    read: list[str] = []

    def counting(texts: Sequence[str]) -> list[tuple[str, ...]]:
        read.extend(texts)
        return terms_of_all(texts)

    first = kept.terms([item], counting)
    assert kept.terms([item], counting) == first == terms_of_all([item.memory.text])
    assert read == [item.memory.text]


def test_a_new_revision_has_the_terms_of_its_own_text():
    kept, before, after = Revisions(), stored("m1"), stored("m1", 2, "使用者喜歡喝茶")
    kept.keep([before])
    kept.terms([before], terms_of_all)
    kept.keep([after])
    assert kept.terms([after], terms_of_all) == terms_of_all([after.memory.text])


def test_nothing_is_left_once_it_has_forgotten():
    kept, item = Revisions(), stored("m1")
    kept.keep([item])
    kept.terms([item], terms_of_all)
    kept.forget()
    assert kept.those_of([("m1", 1)]) == {}
    assert item.memory.text not in repr(vars(kept))


async def test_the_gate_reads_the_same_with_what_is_kept_and_without(world):
    for place in (DM, OPEN):
        for number in range(3):
            await world.tell(f"使用者在{place}收集第{number}號郵票", Category.HOBBY, place=place)
    kept = Revisions()
    for place in (DM, OPEN, DM):
        with_it = await world.service.database.snapshot(gate.live, "u1", "lily", place, kept)
        without = await world.service.database.snapshot(gate.live, "u1", "lily", place)
        assert [item.memory for item in with_it] == [item.memory for item in without]
        assert all((a.vector == b.vector).all() for a, b in zip(with_it, without, strict=True))


async def test_what_was_forgotten_or_confined_is_gone_at_once(world):
    memory = await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
    assert await recalled(world, "我討厭吃香菜嗎") == [memory.text]
    await world.service.lifecycle.forget(memory.id, "u1")
    assert await recalled(world, "我討厭吃香菜嗎") == []
    await world.service.lifecycle.restore(memory.id, "u1")
    assert await recalled(world, "我討厭吃香菜嗎") == [memory.text]
    assert await recalled(world, "我討厭吃香菜嗎", OPEN) == []


async def test_a_memory_lifted_to_everywhere_is_used_there_in_the_next_reply(world):
    memory = await world.tell("使用者叫小明", Category.NAME)
    kept = Revisions()
    assert await world.service.database.snapshot(gate.live, "u1", "lily", OPEN, kept) == ()
    async with world.service.database.write() as connection:
        from memory.store.writer import Action, Writer

        writer = Writer(connection, world.clock.now(), "u1")
        await writer.change(memory, Action.EDITED, visibility=Visibility.EVERYWHERE)
    found = await world.service.database.snapshot(gate.live, "u1", "lily", OPEN, kept)
    assert [item.memory.rev for item in found] == [2]
