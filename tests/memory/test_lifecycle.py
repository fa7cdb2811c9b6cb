"""Leaving and coming back."""

from __future__ import annotations

import pytest

from memory.model import ArchivedReason, Category
from memory.policy import MemoryPolicy
from memory.store.errors import NoSuchMemory
from tests.support.world import open_world

pytestmark = pytest.mark.usefixtures("store")


async def test_forgetting_archives_with_reason_actor_and_time(world):
    told = await world.tell("使用者喜歡爬山", Category.HOBBY)
    world.later(hours=1)
    gone = await world.service.lifecycle.forget(told.id, "user:u1")
    assert (gone.archived_reason, gone.archived_by) == (ArchivedReason.FORGOTTEN, "user:u1")
    assert gone.archived_at == world.clock.now()


async def test_forgetting_twice_keeps_the_first_reason(world):
    told = await world.tell("使用者喜歡爬山", Category.HOBBY)
    first = await world.service.lifecycle.forget(told.id, "user:u1")
    assert await world.service.lifecycle.forget(told.id, "user:u2") == first


async def test_restoring_gives_back_the_row(world):
    told = await world.tell("使用者喜歡爬山", Category.HOBBY)
    await world.service.lifecycle.forget(told.id, "user:u1")
    restored = (await world.service.lifecycle.restore(told.id, "user:u1")).memory
    assert restored.model_dump(exclude={"rev"}) == told.model_dump(exclude={"rev"})


async def test_restoring_a_live_memory_changes_nothing(world):
    told = await world.tell("使用者喜歡爬山", Category.HOBBY)
    assert (await world.service.lifecycle.restore(told.id, "u")).memory == told


async def test_an_id_that_is_not_there_is_named(world):
    with pytest.raises(NoSuchMemory, match="m-nowhere"):
        await world.service.lifecycle.forget("m-nowhere", "u")
    with pytest.raises(NoSuchMemory, match="m-nowhere"):
        await world.service.lifecycle.restore("m-nowhere", "u")


async def test_restoring_an_old_name_swaps_it_with_the_live_one(world):
    old = await world.tell("使用者叫小明", Category.NAME)
    new = await world.tell("使用者叫小華", Category.NAME)
    result = await world.service.lifecycle.restore(old.id, "u")
    assert [m.id for m in result.archived] == [new.id]
    assert await world.live_texts() == ["使用者叫小明"]
    await world.service.lifecycle.restore(new.id, "u")
    assert await world.live_texts() == ["使用者叫小華"]


async def test_an_event_expires_fourteen_days_after_it_was_said_if_it_has_no_date(world):
    told = await world.tell("使用者要去看牙醫", Category.SCHEDULE)
    world.later(days=13, hours=23)
    assert await world.service.lifecycle.expire() == ()
    world.later(hours=1)
    (gone,) = await world.service.lifecycle.expire()
    assert (gone.id, gone.archived_reason) == (told.id, ArchivedReason.EXPIRED)


async def test_restoring_an_expired_event_clears_its_expiry_so_that_it_stays(world):
    told = await world.tell("使用者要去看牙醫", Category.SCHEDULE)
    world.later(days=20)
    await world.service.lifecycle.expire()
    restored = (await world.service.lifecycle.restore(told.id, "u")).memory
    assert restored.expires_at is None
    world.later(days=100)
    assert await world.service.lifecycle.expire() == ()


async def test_preferences_do_not_expire(world):
    await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
    world.later(days=4000)
    assert await world.service.lifecycle.expire() == ()


async def test_restoring_at_the_cap_evicts_another_one(tmp_path):
    async with open_world(tmp_path, policy=MemoryPolicy(cap_per_person=2)) as world:
        first = await world.tell("甲一二三", Category.OTHER)
        world.later(minutes=1)
        second = await world.tell("乙四五六", Category.OTHER)
        await world.service.lifecycle.forget(first.id, "u")
        third = await world.tell("丙七八九", Category.HOBBY)
        result = await world.service.lifecycle.restore(first.id, "u")
        assert [(m.id, m.archived_reason) for m in result.archived] == [(second.id, ArchivedReason.EVICTED)]
        assert await world.live_texts() == sorted([first.text, third.text])


async def test_a_prune_of_a_member_spares_the_name_and_says_why(world):
    await world.tell("使用者叫小明", Category.NAME)
    told = await world.tell("使用者喜歡爬山", Category.HOBBY)
    plan = await world.service.lifecycle.prune_plan(user_id="u1")
    (gone,) = await world.service.lifecycle.prune(plan, "admin:1")
    assert (gone.id, gone.archived_reason, gone.archived_by) == (told.id, ArchivedReason.PRUNED, "admin:1")


async def test_a_prune_leaves_alone_what_changed_since_its_plan(world):
    told = await world.tell("使用者喜歡爬山", Category.HOBBY)
    plan = await world.service.lifecycle.prune_plan(user_id="u1")
    await world.service.lifecycle.forget(told.id, "u")
    await world.service.lifecycle.restore(told.id, "u")
    assert await world.service.lifecycle.prune(plan, "admin:1") == ()
