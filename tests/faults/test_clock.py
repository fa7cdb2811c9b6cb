"""The machine's clock set back while she runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.discord.budget import Budget, Limit
from bot.discord.ids import CLIENT
from bot.settings.sections import DiscordSettings
from memory.clock import SystemClock
from memory.model import Category
from memory.store.lease import Leases
from scheduler.jobs import Job, running_jobs
from scheduler.waiting import Waiting
from tests.faults.lines import witness
from tests.support.world import fact, open_world

DAY = timedelta(days=1)


async def test_a_job_does_not_wait_until_the_clock_has_caught_up(caplog: pytest.LogCaptureFixture) -> None:
    rings, rung = 0, asyncio.Event()

    async def work() -> None:
        nonlocal rings
        rings += 1
        rung.set()

    async with running_jobs([Job("bell", timedelta(hours=1), work)], look_seconds=0.02) as scheduler:
        await asyncio.wait_for(rung.wait(), 5)
        rung.clear()
        # to the scheduler a clock set back by a year looks like a ring that lies a year ahead
        scheduler.get_job("bell").modify(next_run_time=SystemClock().now() + 365 * DAY)
        await asyncio.wait_for(rung.wait(), 5)
        ahead = scheduler.get_job("bell").next_run_time - SystemClock().now()
    assert rings == 2
    line = next(x for x in caplog.messages if "set back" in x)
    witness("clock", "set back while she runs", screen=line, person="nothing", after="by itself")
    assert timedelta() < ahead <= timedelta(hours=1)


async def test_a_lease_taken_by_the_clock_before_it_went_back_does_not_hold_for_a_day(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path) as world:
        slept = []

        async def sleep(seconds: float) -> None:
            slept.append(seconds)

        first, second = (Leases(world.service.database, world.clock, sleep=sleep) for _ in range(2))
        async with first.hold("reply|x"):
            world.clock.advance(-DAY)
            async with asyncio.timeout(5), second.hold("reply|x"):
                pass
        assert slept == []


async def test_what_was_received_by_the_clock_of_tomorrow_is_observed_today(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        await world.service.inbox.admit(world.message("你好"))
        world.clock.advance(-DAY)
        waiting = Waiting(world.service.inbox, world.service.observer, world.clock)
        assert await waiting.observe() == 1


async def test_the_order_of_a_conversation_is_the_order_it_was_heard_in(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        before = world.message("第一句")
        await world.service.inbox.admit(before)
        await world.service.inbox.replied(before, ("嗯。",))
        world.clock.advance(-DAY)
        after = world.message("第二句")
        await world.service.inbox.admit(after)
        turns = (await world.service.inbox.lead_up(after, 10)).turns
        assert [turn.text for turn in turns] == ["第一句", "嗯。", "第二句"]
        assert [one.message.text for one in await world.service.inbox.unobserved()] == ["第一句", "第二句"]


async def test_nothing_lived_is_lost_and_nothing_leaves_early(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        await world.say("我下週二有期末考", fact("使用者有期末考", Category.SCHEDULE, when_text="下週二"))
        (exam,) = await world.all()
        world.clock.advance(-30 * DAY)
        assert await world.service.lifecycle.expire("test") == ()
        await world.tell("使用者喜歡喝茶", Category.PREFERENCE)
        assert await world.live_texts() == ["使用者喜歡喝茶", "使用者有期末考"]
        created = {memory.text: memory.created_at for memory in await world.all()}
        assert created["使用者喜歡喝茶"] == world.clock.now()
        assert created["使用者有期末考"] == exam.created_at


async def test_the_budget_of_a_day_is_not_handed_out_twice(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        budget = Budget(world.service.database, DiscordSettings(messages_per_person_per_day=2), "Asia/Taipei")
        for number in range(2):
            said = replace(world.message(f"第 {number} 句"), client=CLIENT)
            await world.service.inbox.admit(said)
        world.clock.advance(-timedelta(hours=3))
        more = replace(world.message("還有嗎"), client=CLIENT)
        assert (await budget.allowance(more, world.clock.now())).limit is Limit.PERSON
