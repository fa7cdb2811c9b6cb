"""Many messages at once: some are answered and learned from side by side, the others wait their turn."""

from __future__ import annotations

import asyncio

from bot.conversations import Conversations
from memory.observe import AT_ONCE
from persona.situation import Reply, Situation, Source
from tests.bot.test_asking_at_once import Quiet
from tests.support.crash_child import Plain
from tests.support.speakers import answered_by
from tests.support.world import open_world


class Counting(Plain):
    """Counts how many replies it is asked for side by side."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def reply(self, situation: Situation) -> Reply:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(20):
            await asyncio.sleep(0)
        self.now -= 1
        return Reply("嗯。", Source.RULES)


async def test_so_many_replies_are_under_way_side_by_side_and_all_are_said(tmp_path):
    async with open_world(tmp_path) as world:
        companion = Counting()
        talk = Conversations(
            world.service, answered_by(companion), world.embedder, world.clock, recent_turns=4, at_once=3
        )
        messages = [world.message("嗨", user=f"u{n}") for n in range(12)]
        done = await asyncio.gather(*(talk.handle(one, Quiet()) for one in messages))
    assert [exchange.reply for exchange in done] == [("嗯。",)] * 12
    assert companion.most <= 3


async def test_so_many_people_are_observed_side_by_side_and_none_is_left_out(tmp_path):
    async with open_world(tmp_path) as world:
        people = [f"u{n}" for n in range(AT_ONCE + 8)]
        for user in people:
            await world.service.inbox.admit(world.message("嗨", user=user))
        observer = world.service.observer
        await asyncio.gather(*(observer.observe_person(user, "lily") for user in people))
        assert await world.service.inbox.waiting() == 0
