from __future__ import annotations

from datetime import UTC, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.by_itself import follow_ups_of
from bot.discord.notifying import DiscordNotifier
from bot.discord.shards import shards_of
from bot.settings.sections import DiscordSettings
from memory.clock import SettableClock, SystemClock
from memory.places import DM
from scheduler.follow_ups import Said
from tests.bot.discord.harness import SOON, Lily, Town, online, tells, town
from tests.standin import Message


def evening(days: int) -> SettableClock:
    """Return a clock that stands at eight in the evening, some days from now, in Taipei."""
    local = SystemClock().now().astimezone(ZoneInfo("Asia/Taipei")) + timedelta(days=days)
    return SettableClock(local.replace(hour=20, minute=0).astimezone(UTC))


def exam() -> str:
    """Return news of an exam tomorrow, by its date: 明天 means two days to who is awake after midnight."""
    day = SystemClock().now().astimezone(ZoneInfo("Asia/Taipei")) + timedelta(days=1)
    return f"我{day.month}月{day.day}日有期末考"


async def offer_of(place: Town) -> Message:
    """Return the message with the buttons that ask whether she may ask."""

    def offered() -> Message | None:
        found = [one for one in place.ming.reads(place.ming.dm_channel()) if one.components]
        return found[0] if found else None

    return await place.discord.world.until(offered, SOON, "an offer")


async def rings(lily: Lily) -> tuple[Said, ...]:
    """Do at once what is due, as a ring of the clock does; returns what was asked."""
    follow_ups = follow_ups_of(lily.house, DiscordNotifier(lily.service.parts.client))
    await follow_ups.start()
    return await follow_ups.run_due()


async def test_who_says_yes_is_asked_once_after_the_event(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path, scheduled=False) as lily:
            place.ming.dm(exam())
            await place.ming.click(await offer_of(place), "好啊").reply(SOON)
            await lily.settled()
            assert await rings(lily) == ()  # it lies ahead
        before = len(place.ming.reads(place.ming.dm_channel()))
        async with online(place.discord, tmp_path, clock=evening(2), scheduled=False) as lily:
            assert [one.user_id for one in await rings(lily)] == [str(place.ming.id)]
            assert await rings(lily) == ()
        asked = place.ming.reads(place.ming.dm_channel())[-1]
        assert "考" in asked.content
        for days in (2, 3):  # after a restart, and when she might ask something again
            async with online(place.discord, tmp_path, clock=evening(days), scheduled=False) as lily:
                assert await rings(lily) == ()
        assert len(place.ming.reads(place.ming.dm_channel())) == before + 1


async def test_who_said_nothing_is_not_asked(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path, scheduled=False) as lily:
            place.ming.dm(exam())
            offer = await offer_of(place)
            await lily.settled()
        before = len(place.ming.reads(place.ming.dm_channel()))
        async with online(place.discord, tmp_path, clock=evening(2), scheduled=False) as lily:
            assert await rings(lily) == ()
            assert len(place.ming.reads(place.ming.dm_channel())) == before
            await place.ming.click(offer, "好啊").reply(SOON)
            assert len(await rings(lily)) == 1  # it was the missing yes that kept her silent


async def test_what_is_due_is_asked_without_anybody_ringing(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path, scheduled=False) as lily:
            place.ming.dm(exam())
            await place.ming.click(await offer_of(place), "好啊").reply(SOON)
            await lily.settled()
        before = len(place.ming.reads(place.ming.dm_channel()))
        async with online(place.discord, tmp_path, clock=evening(2)):
            await place.discord.world.until(
                lambda: len(place.ming.reads(place.ming.dm_channel())) > before, SOON, "a follow-up"
            )


async def test_she_offers_to_ask_with_the_first_event_only(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells(lily, place.ming, exam())
        await tells(lily, place.ming, "我12月24日要去看牙醫")
        assert len(await lily.texts(place.ming)) == 2
        offers = [one for one in place.ming.reads(place.ming.dm_channel()) if one.components]
        assert len(offers) == 1


async def test_a_new_server_gets_one_welcome(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path):
        other = place.discord.server("Lab", [place.ann], locale="en-US", with_bot=False)
        other.invite(place.discord.bot)
        hello = await place.ann.hears(other.general, within=SOON)
        assert "/lily channels add" in hello.content


def test_of_several_processes_the_one_with_the_first_shard_does_the_scheduled_work() -> None:
    assert shards_of(DiscordSettings()).hold(DM)
    assert shards_of(DiscordSettings(shard_count=4, shard_ids=(0, 1))).hold(DM)
    assert not shards_of(DiscordSettings(shard_count=4, shard_ids=(2, 3))).hold(DM)
