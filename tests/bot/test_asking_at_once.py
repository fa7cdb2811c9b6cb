"""Two conversations of one person at once: what one of them is asking, the other does not ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.conversations import Conversations
from memory.follow_up_book import of_person
from memory.follow_ups import FollowUpState
from memory.messages import Message
from memory.model import Category
from memory.places import DM, Place
from persona.library import load_character
from persona.situation import Reply, Situation, Source
from tests.support.speakers import answered_by
from tests.support.world import World, fact, open_world

CHANNEL = Place("g1", "c1")
EXAM = fact("使用者有期末考", Category.SCHEDULE, when_text="下週二")


class Quiet:
    """A channel that only listens."""

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Take it."""

    async def has_replied(self, message: Message) -> bool:
        """Say no."""
        return False


class Curious:
    """Asks whatever is due; before it answers in the DM, the person writes in the channel as well."""

    character = load_character("lily")

    def __init__(self) -> None:
        self.talk: Conversations | None = None
        self.meanwhile: Message | None = None
        self.composed: list[tuple[str, tuple[str, ...]]] = []

    async def reply(self, situation: Situation) -> Reply:
        due = situation.recollection.due
        if self.meanwhile is not None and self.talk is not None and situation.recollection.place.is_dm:
            message, self.meanwhile = self.meanwhile, None
            await self.talk.handle(message, Quiet())
        asked = tuple(one.memory.id for one in due)
        self.composed.append((str(situation.recollection.place), asked))
        return Reply("考得怎麼樣？" if asked else "嗯。", Source.RULES, asked=asked)


def conversations(world: World, companion: Curious) -> Conversations:
    talk = Conversations(
        world.service,
        answered_by(companion),
        world.embedder,
        world.clock,
        recent_turns=10,
    )
    companion.talk = talk
    return talk


async def test_a_question_on_its_way_elsewhere_is_left_out_of_the_reply(tmp_path: Path) -> None:
    async with open_world(tmp_path / "data") as world:
        (exam,) = (await world.say("我下週二有期末考", EXAM, place=CHANNEL)).written
        world.later(days=3)
        companion = Curious()
        talk = conversations(world, companion)
        companion.meanwhile = world.message("嗨", place=CHANNEL)
        exchange = await talk.handle(world.message("嗨", place=DM), Quiet())
        async with world.service.database.read() as connection:
            (line,) = await of_person(connection, "u1")
    there, first, second = companion.composed
    assert there == (str(CHANNEL), (exam.id,))
    assert first == ("dm", (exam.id,))  # it was still due when this draft began
    assert second == ("dm", ())
    assert exchange.reply == ("嗯。",)
    assert (line.state, line.place) == (FollowUpState.ASKED, CHANNEL)


async def test_two_drafts_at_once_end_with_one_question(tmp_path: Path) -> None:
    async with open_world(tmp_path / "data") as world:
        (exam,) = (await world.say("我下週二有期末考", EXAM, place=CHANNEL)).written
        world.later(days=3)
        companion = Curious()
        talk = conversations(world, companion)
        here, there = world.message("嗨", place=DM), world.message("嗨", place=CHANNEL)
        for message in (here, there):
            await world.service.inbox.admit(message)
        # the one in the channel has written down what it is about to say, and is not yet through
        assert await world.service.inbox.replying(there.id, ("考得怎麼樣？",), (exam.id,)) == ()
        exchange = await talk.answer(here, Quiet())
    assert exchange.reply == ("嗯。",)
