"""Several processes over the same stores, and words of every kind and length in them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from memory.model import Category
from memory.store.schema import inbox
from tests.support.world import World, fact, open_world

GONE = {0: "\ufffd", 0xD83D: "\ufffd"}
pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
async def two(tmp_path: Path, store: str) -> AsyncIterator[tuple[World, World]]:
    """Two worlds over the same servers, each as if in a process of its own."""
    if store == "embedded":
        pytest.skip("two processes never share an embedded store: the second one is refused")
    async with open_world(tmp_path) as one, open_world(tmp_path, clock=one.clock) as other:
        yield one, other


async def test_a_slow_process_can_not_put_an_older_revision_into_the_index(two):
    one, other = two
    memory = await one.tell("使用者喜歡喝茶", Category.PREFERENCE)
    mirror, reading, go_on = one.service.index.mirror, asyncio.Event(), asyncio.Event()

    async def slowly(items):
        reading.set()
        await go_on.wait()
        await mirror(items)

    one.service.index.mirror = slowly  # type: ignore[method-assign]
    first = asyncio.create_task(one.service.outbox.drain())
    await reading.wait()
    await other.service.lifecycle.forget(memory.id, "test")
    second = asyncio.create_task(other.service.outbox.drain())
    await other.all()
    go_on.set()
    await asyncio.gather(first, second)
    indexed = await other.service.index.contents()
    assert (indexed[memory.id]["archived"], indexed[memory.id]["rev"]) == (True, 2)


async def test_what_another_process_was_mirroring_does_not_outlive_an_erase(two):
    one, other = two
    await one.tell("使用者喜歡喝茶", Category.PREFERENCE)
    mirror, reading, go_on = one.service.index.mirror, asyncio.Event(), asyncio.Event()

    async def slowly(items):
        reading.set()
        await go_on.wait()
        await mirror(items)

    one.service.index.mirror = slowly  # type: ignore[method-assign]
    first = asyncio.create_task(one.service.outbox.drain())
    await reading.wait()
    erasing = asyncio.create_task(other.service.eraser.erase("u1"))
    await other.all()
    go_on.set()
    await asyncio.gather(first, erasing)
    assert await other.service.index.contents() == {}


async def test_one_message_heard_by_two_processes_is_admitted_and_learned_from_once(two):
    one, other = two
    for world in two:
        world.extractor.facts["我喜歡喝茶"] = (fact("使用者喜歡喝茶", Category.PREFERENCE),)
    message = one.message("我喜歡喝茶", message_id="m1")
    admitted = await asyncio.gather(*(world.service.inbox.admit(message) for world in (one, other, one)))
    assert sorted(admitted) == [False, False, True]
    await asyncio.gather(*(world.service.observer.observe_person("u1", "lily") for world in two))
    assert await one.live_texts() == ["使用者喜歡喝茶"]


async def test_changes_of_one_persons_settings_do_not_overwrite_each_other(two):
    one, other = two
    await asyncio.gather(
        one.service.people.change("u1", zone="Asia/Tokyo"),
        other.service.people.change("u1", language="ja"),
        one.service.people.change("u1", paused=True),
    )
    person = await one.service.people.get("u1")
    assert (person.zone, person.language, person.paused) == ("Asia/Tokyo", "ja", True)


async def test_what_a_reply_cost_is_added_up_whoever_counts(two):
    one, other = two
    message = one.message("嗨", message_id="m1")
    await one.service.inbox.admit(message)
    await asyncio.gather(*(world.service.inbox.count("m1", tokens=1) for world in (one, other) * 8))
    async with one.service.database.read() as connection:
        reply = (await connection.execute(select(inbox.c.reply))).scalar_one()
    assert reply["tokens"] == 16


@pytest.mark.parametrize(
    "words",
    [
        "零\x00位元",
        "半個\ud83d表情",
        "長" * 4000,
        "👩‍👩‍👧‍👦",
        "\u202e反過來",
        "'; DROP TABLE memories; --",
        "%s _ \\",
    ],
    ids=["nul", "half", "long", "family", "turned", "quotes", "patterns"],
)
async def test_words_of_every_kind_are_kept(tmp_path, words):
    async with open_world(tmp_path) as world:
        text = f"使用者說了{words}"
        world.extractor.facts[f"我說{words}".translate(GONE)] = (
            fact(text, subject=words[:300], quote=words),
        )
        observation = await world.say(f"我說{words}")
        assert observation.waiting is None
        (memory,) = await world.all()
        assert memory.text.startswith("使用者說了")
        await world.service.inbox.replying("test:1", (words,))
        entry = await world.entry("test:1")
        await world.service.inbox.replied(entry.message, (words,))
        assert (await world.service.inbox.recent_turns(entry.message.conversation, 5))[-1].text
