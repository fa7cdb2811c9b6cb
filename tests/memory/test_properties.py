"""Rules that say "always", over generated histories on real stores."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.model import Category, Memory
from memory.places import DM, Place, may_use
from memory.policy import MemoryPolicy
from memory.store import gate
from memory.store.rows import slot_of, unpack
from memory.store.schema import memories
from tests.support.world import World, fact, open_world

pytestmark = pytest.mark.usefixtures("store")

CAP = 6
PLACES = [DM, Place("1", "10"), Place("1", "11", private=True), Place("2", "20")]
USERS = ["u1", "u2"]
FACTS = [
    ("使用者叫小明", Category.NAME),
    ("使用者叫小華", Category.NAME),
    ("使用者叫阿寶", Category.NAME),
    ("使用者住在台北", Category.IDENTITY),
    ("使用者住在台南", Category.IDENTITY),
    ("使用者討厭吃香菜", Category.PREFERENCE),
    ("使用者喜歡吃香菜", Category.PREFERENCE),
    ("使用者喜歡爬山", Category.HOBBY),
    ("使用者每天早上跑步", Category.HABIT),
    ("使用者要去看牙醫", Category.SCHEDULE),
    ("使用者要去面試", Category.SCHEDULE),
    ("使用者的電腦壞了", Category.OTHER),
]

say = st.tuples(
    st.just("say"),
    st.sampled_from(USERS),
    st.sampled_from(PLACES),
    st.sampled_from(FACTS),
    st.integers(1, 3),
)
by_number = st.tuples(st.sampled_from(["forget", "restore"]), st.integers(0, 30))
skip = st.tuples(st.just("skip"), st.integers(1, 20))
histories = st.lists(st.one_of(say, say, by_number, skip), min_size=1, max_size=14)

on_real_stores = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@dataclass
class History:
    """A world, and what a naive reader of it has written down."""

    world: World
    known: dict[datetime, dict[str, list[Memory]]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    async def do(self, step: tuple[Any, ...]) -> None:
        self.world.later(seconds=1)
        match step:
            case ("say", user, place, (text, category), times):
                message_id = f"m:{len(self.known)}"
                for _ in range(times):
                    await self.world.say(
                        text, fact(text, category), user=user, place=place, message_id=message_id
                    )
            case ("forget", number):
                if target := await self.pick(number):
                    await self.world.service.lifecycle.forget(target.id, "test")
            case ("restore", number):
                if target := await self.pick(number):
                    await self.world.service.lifecycle.restore(target.id, "test")
            case ("skip", days):
                self.world.later(days=days)
                await self.world.service.lifecycle.expire()

    async def pick(self, number: int) -> Memory | None:
        rows = [memory for user in USERS for memory in await self.world.all(user)]
        return rows[number % len(rows)] if rows else None

    async def check(self) -> None:
        now = {user: await self.world.all(user) for user in USERS}
        ids = {memory.id for rows in now.values() for memory in rows}
        assert self.seen <= ids, "a row was lost"
        self.seen = ids
        for user, rows in now.items():
            slots = Counter(slot_of(m) for m in rows if not m.archived and slot_of(m))
            assert all(count == 1 for count in slots.values()), "two live values in one slot"
            assert sum(not m.archived for m in rows) <= CAP
            assert all(m.user_id == user for m in rows)
        self.known[self.world.clock.now()] = {
            user: sorted((m for m in rows if not m.archived), key=lambda m: m.id)
            for user, rows in now.items()
        }


def run(history: list[tuple[Any, ...]], check: Any) -> None:
    async def inside() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with open_world(Path(folder), policy=MemoryPolicy(cap_per_person=CAP), shards=1) as world:
                told = History(world)
                for step in history:
                    await told.do(step)
                    await told.check()
                await check(told)

    asyncio.run(inside())


@given(histories)
@on_real_stores
def test_no_row_is_lost_and_a_slot_has_one_live_value(history):
    async def nothing_more(told: History) -> None:
        assert told.known

    run(history, nothing_more)


@given(histories)
@on_real_stores
def test_as_of_equals_what_was_written_down_on_the_day(history):
    async def as_written(told: History) -> None:
        async with told.world.service.database.read() as connection:
            for moment, known in told.known.items():
                for user in USERS:
                    assert list(await gate.as_of(connection, user, moment)) == known[user]

    run(history, as_written)


@given(histories, st.sampled_from(["香菜", "我叫什麼名字", "面試", "台北"]))
@on_real_stores
def test_recall_gives_only_what_is_live_the_persons_own_and_allowed_here(history, question):
    async def through_the_gate(told: History) -> None:
        await told.world.service.outbox.drain()
        query = await told.world.embedder.embed_query(question)
        for user in USERS:
            for place in PLACES:
                message = told.world.message(question, user=user, place=place)
                found = await told.world.service.recall.recall(message, query)
                used = [*found.profile, *(r.memory for r in (*found.memories, *found.due))]
                for memory in used:
                    assert memory.user_id == user
                    assert not memory.archived
                    assert any(may_use(Place.parse(p), place) for p in memory.places)

    run(history, through_the_gate)


@given(histories, st.integers(0, 30))
@on_real_stores
def test_archiving_and_restoring_gives_back_the_row_its_vector_and_links(history, number):
    async def there_and_back(told: History) -> None:
        target = await told.pick(number)
        if target is None or target.archived:
            return
        before = await vector_of(told.world, target.id)
        told.world.later(seconds=1)
        await told.world.service.lifecycle.forget(target.id, "test")
        restored = (await told.world.service.lifecycle.restore(target.id, "test")).memory
        aside = {"rev", "expires_at"} if target.expires_at else {"rev"}
        assert restored.model_dump(exclude=aside) == target.model_dump(exclude=aside)
        assert (await vector_of(told.world, target.id) == before).all()

    run(history, there_and_back)


@given(histories)
@on_real_stores
def test_the_same_history_said_twice_changes_nothing(history):
    async def again(told: History) -> None:
        before = {user: await told.world.all(user) for user in USERS}
        for entry in await told.world.service.inbox._entries():
            assert not await told.world.service.inbox.admit(entry.message)
            await told.world.service.observer.observe_person(entry.message.user_id, "lily")
        assert {user: await told.world.all(user) for user in USERS} == before

    run(history, again)


async def vector_of(world: World, memory_id: str) -> Any:
    async with world.service.database.read() as connection:
        row = await connection.execute(memories.select().where(memories.c.id == memory_id))
        return unpack(row.one().vector)
