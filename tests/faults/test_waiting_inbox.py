"""What had to wait is taken up by itself once its cause is gone: nobody writes again, nothing restarts."""

from __future__ import annotations

from pathlib import Path

import pytest

from llm.errors import ModelDown, ModelError, ModelTimeout
from memory.model import Category
from scheduler.waiting import ENOUGH, Waiting
from tests.support.world import World, fact, open_world


def waiting_of(world: World) -> Waiting:
    return Waiting(world.service.inbox, world.service.observer, world.clock)


@pytest.mark.parametrize("error", [ModelDown("away"), ModelTimeout("slow")])
async def test_what_waited_for_a_model_is_observed_once_it_is_back(tmp_path: Path, error: ModelError) -> None:
    async with open_world(tmp_path) as world:
        waiting = waiting_of(world)
        world.extractor.error = error
        seen = await world.say("我對花生過敏", fact("使用者對花生過敏", Category.IDENTITY))
        assert seen.waiting == type(error).__name__
        world.later(minutes=2)
        assert await waiting.observe() == 0
        world.extractor.error = None
        assert await waiting.observe() == 1
        assert await world.live_texts() == ["使用者對花生過敏"]
        assert await waiting.observe() == 0


async def test_what_was_said_just_now_is_left_to_the_one_who_heard_it(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        await world.service.inbox.admit(world.message("你好"))
        assert await waiting_of(world).observe() == 0
        world.later(minutes=2)
        assert await waiting_of(world).observe() == 1


async def test_a_model_that_is_away_is_not_asked_for_everybody_but_for_everybody_in_turn(
    tmp_path: Path,
) -> None:
    async with open_world(tmp_path) as world:
        world.extractor.error = ModelDown("away")
        people = [f"u{number}" for number in range(8)]
        for person in people:
            await world.service.inbox.admit(world.message("你好", user=person))
        world.later(minutes=2)
        waiting = waiting_of(world)
        world.extractor.calls.clear()
        await waiting.observe()
        assert len(world.extractor.calls) == ENOUGH
        await waiting.observe()
        await waiting.observe()
        assert len(world.extractor.calls) == 3 * ENOUGH
        world.extractor.error = None
        assert await waiting.observe() == len(people)


async def test_one_message_that_always_fails_does_not_hold_up_the_others(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        await world.service.inbox.admit(world.message("你好", user="a"))
        await world.service.inbox.admit(world.message("再見", user="b"))
        world.later(minutes=2)
        extract = world.extractor.extract

        async def stubborn(request):  # type: ignore[no-untyped-def]
            if request.text == "你好":
                raise ModelTimeout("slow")
            return await extract(request)

        world.extractor.extract = stubborn  # type: ignore[method-assign]
        assert await waiting_of(world).observe() == 1
        (left,) = await world.service.inbox.unobserved()
        assert left.message.user_id == "a"
