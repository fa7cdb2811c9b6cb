from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

from bot.discord.budget import TOKENS, Allowance, Budget, Limit
from bot.discord.meter import Meter
from bot.settings.sections import DiscordSettings
from llm.usage import Purpose, Tokens, Usage
from memory.messages import Message
from memory.places import DM, Place
from tests.support.world import World, open_world

HARBOUR = Place("1", "2")
OPEN = Allowance()


def budget(world: World, **limits: int) -> Budget:
    nothing = {
        f"{what}_per_{whose}_per_day": 0 for what in ("messages", "tokens") for whose in ("person", "server")
    }
    return Budget(world.service.database, DiscordSettings(**{**nothing, **limits}), "Asia/Taipei")


def message(world: World, user: str = "u1", place: Place = DM, at: datetime | None = None) -> Message:
    world.said += 1
    return Message(
        f"discord:{world.said}", user, "lily", "嗨", at or world.clock.now(), place, client="discord"
    )


async def answered(world: World, user: str = "u1", place: Place = DM, **amounts: int) -> None:
    said = message(world, user, place)
    await world.service.inbox.admit(said)
    await world.service.inbox.replied(said, ("嗯",))
    await world.service.inbox.count(said.id, **amounts)


async def test_a_person_gets_so_many_answers_a_day_and_is_told_once(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        limits = budget(world, messages_per_person_per_day=2)
        for _ in range(2):
            assert await limits.allowance(message(world), world.clock.now()) == OPEN
            await answered(world)
        reached = await limits.allowance(message(world), world.clock.now())
        assert reached == Allowance(Limit.PERSON, said=False)
        await answered(world, **{Limit.PERSON.value: 1})
        assert (await limits.allowance(message(world), world.clock.now())).said
        assert await limits.allowance(message(world, "u2"), world.clock.now()) == OPEN


async def test_tokens_count_like_answers(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        limits = budget(world, tokens_per_person_per_day=100)
        await answered(world, **{TOKENS: 60})
        assert await limits.allowance(message(world), world.clock.now()) == OPEN
        await answered(world, **{TOKENS: 40})
        assert (await limits.allowance(message(world), world.clock.now())).limit is Limit.PERSON


async def test_a_server_has_a_budget_of_its_own(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        limits = budget(world, messages_per_server_per_day=1)
        await answered(world, "u1", HARBOUR)
        now = world.clock.now()
        assert (await limits.allowance(message(world, "u2", HARBOUR), now)).limit is Limit.SERVER
        assert await limits.allowance(message(world, "u2", Place("12", "2")), now) == OPEN
        assert await limits.allowance(message(world, "u1"), now) == OPEN


async def test_a_new_day_begins_at_midnight_in_the_zone_of_the_house(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:  # it is 21:30 in Taipei
        limits = budget(world, messages_per_person_per_day=1)
        await answered(world)
        world.later(hours=2, minutes=29)
        assert (await limits.allowance(message(world), world.clock.now())).limit is Limit.PERSON
        world.later(minutes=1)
        assert await limits.allowance(message(world), world.clock.now()) == OPEN


async def test_what_a_task_spends_is_counted_apart_from_others() -> None:
    meter = Meter()

    async def spend(tokens: int) -> int:
        with meter.counting() as count:
            await asyncio.sleep(0)
            meter.sink(Usage("m", Purpose.REPLY, 0.1, Tokens(tokens, 1)))
            await asyncio.sleep(0)
            meter.sink(Usage("m", Purpose.ANSWER, 0.1, Tokens(None, None)))
        return count.tokens

    assert await asyncio.gather(spend(10), spend(20)) == [11, 21]
    assert (meter.total.calls, meter.total.tokens) == (4, 32)
