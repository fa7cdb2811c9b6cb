"""Recall over real stores: what comes through the gate, and what a stale or absent index costs."""

from __future__ import annotations

import shutil

import pytest

from memory.model import Category, Phase
from memory.places import DM, Place
from memory.recollection import Recollection
from tests.support.world import World, fact, open_world

pytestmark = pytest.mark.usefixtures("store")

OPEN = Place("1", "10")
PRIVATE = Place("1", "11", private=True)
ELSEWHERE = Place("2", "20")


async def recall(world: World, text: str, place: Place = DM, user: str = "u1") -> Recollection:
    message = world.message(text, user=user, place=place)
    return await world.service.recall.recall(message, await world.embedder.embed_query(text))


async def recalled(world: World, text: str, place: Place = DM, user: str = "u1") -> list[str]:
    found = await recall(world, text, place, user)
    return sorted({m.memory.text for m in found.memories} | {m.text for m in found.profile})


async def test_what_was_just_said_is_recalled_before_the_index_knows_it(world):
    await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
    assert await world.service.outbox.lag() > 0
    assert "使用者討厭吃香菜" in await recalled(world, "我討厭吃香菜嗎")


async def test_an_archived_memory_is_not_recalled_even_while_the_index_still_holds_it(world):
    told = await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
    await world.service.outbox.drain()
    await world.service.lifecycle.forget(told.id, "u1")
    assert await recalled(world, "我討厭吃香菜嗎") == []


async def test_two_people_never_see_each_other(world):
    await world.tell("使用者討厭吃香菜", Category.PREFERENCE, user="u1")
    assert await recalled(world, "我討厭吃香菜嗎", user="u2") == []


async def test_a_dm_stays_in_the_dm(world):
    await world.tell("使用者討厭吃香菜", Category.PREFERENCE, place=DM)
    assert await recalled(world, "我討厭吃香菜嗎", OPEN) == []
    assert await recalled(world, "我討厭吃香菜嗎", DM) != []


async def test_a_private_channel_is_used_there_and_in_the_dm_only(world):
    await world.tell("使用者討厭吃香菜", Category.PREFERENCE, place=PRIVATE)
    used = [place for place in (PRIVATE, DM, OPEN, ELSEWHERE) if await recalled(world, "香菜", place)]
    assert used == [PRIVATE, DM]


async def test_with_the_index_deleted_everything_is_still_recalled(tmp_path, store):
    async with open_world(tmp_path) as world:
        for number in range(60):
            await world.tell(f"使用者收集第{number}號郵票", Category.HOBBY)
        await world.service.outbox.drain()
        if store == "servers":
            await world.service.index.clear()
    shutil.rmtree(tmp_path / "chroma", ignore_errors=store == "servers")
    async with open_world(tmp_path) as world:
        found = await recall(world, "第37號郵票")
        assert found.memories[0].memory.text == "使用者收集第37號郵票"


async def test_an_event_told_to_be_over_is_past_in_the_same_reply(world):
    await world.tell("使用者下週二有期末考", Category.SCHEDULE)
    found = await recall(world, "今天期末考終於考完了")
    assert [(m.memory.text, m.phase) for m in found.memories] == [("使用者下週二有期末考", Phase.PAST)]


async def plan(world: World, text: str, when: str, place: Place = DM, sensitive: bool = False) -> None:
    said = f"{when}{text}"
    told = fact(text, Category.SCHEDULE, quote=said, when_text=when)
    await world.say(said, told.model_copy(update={"sensitive": sensitive}), place=place)


async def test_what_lies_ahead_within_days_is_offered_whatever_the_message_says(world):
    await plan(world, "使用者要考多益", "明天")
    await plan(world, "使用者要搬家", "下個月10號")
    found = await recall(world, "我好緊張")
    assert [(one.memory.text, one.phase) for one in found.upcoming] == [("使用者要考多益", Phase.UPCOMING)]


async def test_at_most_three_are_offered_and_the_soonest_first(world):
    for number, day in enumerate(("後天", "明天", "四天後", "五天後"), 1):
        await plan(world, f"使用者有第{number}場會議", day)
    found = await recall(world, "好忙")
    assert [one.memory.text for one in found.upcoming] == [
        "使用者有第2場會議",
        "使用者有第1場會議",
        "使用者有第3場會議",
    ]


async def test_what_goes_on_today_is_offered_and_what_is_over_is_not(world):
    await plan(world, "使用者要考多益", "今天")
    assert [one.phase for one in (await recall(world, "好緊張")).upcoming] == [Phase.ONGOING]
    world.later(days=2)
    assert (await recall(world, "好累")).upcoming == ()


async def test_what_is_painful_and_ahead_is_offered_in_private_only(world):
    await plan(world, "使用者要動手術", "明天", OPEN, sensitive=True)
    assert (await recall(world, "好怕", OPEN)).upcoming == ()
    assert len((await recall(world, "好怕", DM)).upcoming) == 1


async def test_an_index_that_has_lost_memories_is_told_of_with_its_remedy(tmp_path, caplog):
    async with open_world(tmp_path) as world:
        await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
        await world.service.outbox.drain()
        await world.service.index.clear()
        assert await recalled(world, "我討厭吃香菜嗎") == ["使用者討厭吃香菜"]
    assert [one.getMessage() for one in caplog.records if "lily reindex" in one.getMessage()]
