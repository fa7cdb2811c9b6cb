"""The story of an exam on Discord: told on a Saturday, asked about on Tuesday, gone after two weeks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.by_itself import follow_ups_of, jobs_of
from bot.discord.notifying import DiscordNotifier
from memory.clock import SettableClock
from memory.follow_up_book import of_person
from memory.follow_ups import FollowUpState
from memory.model import ArchivedReason, Memory
from persona.follow_up import asks_about
from scheduler.expiry import ACTOR
from scheduler.jobs import Job
from tests.bot.discord.harness import SOON, Lily, Town, online, tells, town
from tests.standin import Message

TAIPEI = ZoneInfo("Asia/Taipei")
SATURDAY = datetime(2026, 9, 12, 21, 30, tzinfo=TAIPEI)
SUNDAY = datetime(2026, 9, 13, tzinfo=TAIPEI)
TUESDAY = datetime(2026, 9, 15, tzinfo=TAIPEI)
EVENING = datetime(2026, 9, 15, 18, tzinfo=TAIPEI)
WEDNESDAY = datetime(2026, 9, 16, 10, tzinfo=TAIPEI)
MIDNIGHT = datetime(2026, 9, 30, tzinfo=TAIPEI)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@dataclass
class Story:
    """One person's DM with her while she is online, on a clock that is Discord's too."""

    place: Town
    clock: SettableClock
    lily: Lily
    jobs: tuple[Job, ...]

    def read(self) -> list[Message]:
        """Return everything the person reads in the DM."""
        return self.place.ming.reads(self.place.ming.dm_channel())

    async def ring(self, moment: datetime) -> list[Message]:
        """Put the clock there and ring every job once; returns what she said by herself."""
        self.clock.set(moment)
        before = len(self.read())
        for job in self.jobs:
            await job.work()
        return self.read()[before:]

    async def stays_silent(self, start: datetime, end: datetime, why: str) -> None:
        """Ring every few hours, and in the minute before ``end``: she says nothing by herself."""
        moment = start
        while moment < end - MINUTE:
            assert await self.ring(moment) == [], f"{moment}: {why}"
            moment += 4 * HOUR
        assert await self.ring(end - MINUTE) == [], f"{end - MINUTE}: {why}"

    async def exam(self) -> Memory:
        """Return the one thing she holds."""
        (memory,) = await self.lily.memories(self.place.ming)
        return memory

    async def asking(self) -> FollowUpState:
        """Return how it stands with asking about it."""
        async with self.lily.house.memory.database.read() as connection:
            (line,) = await of_person(connection, str(self.place.ming.id))
        return line.state


@asynccontextmanager
async def started(place: Town, folder: Path, clock: SettableClock) -> AsyncIterator[Story]:
    """Start her with a scheduler that is rung by hand; what one wrote the next one reads."""
    async with online(place.discord, folder, clock=clock, scheduled=False) as lily:
        follow_ups = follow_ups_of(lily.house, DiscordNotifier(lily.service.parts.client))
        await follow_ups.start()
        yield Story(place, clock, lily, jobs_of(lily.house, follow_ups))


@pytest.mark.parametrize(
    ("answered", "leaves"),
    [
        pytest.param(EVENING + HOUR, EVENING + HOUR + 14 * DAY, id="told before its day was over"),
        pytest.param(WEDNESDAY, MIDNIGHT, id="told the next morning"),
    ],
)
async def test_an_exam_is_asked_about_once_and_leaves_after_two_weeks_and_may_come_back(
    tmp_path: Path, answered: datetime, leaves: datetime
) -> None:
    clock = SettableClock(SATURDAY)
    async with town(now=clock.now) as place:
        async with started(place, tmp_path, clock) as story:
            exam = await tells_of_the_exam(story)
            await story.stays_silent(SUNDAY, EVENING, "not before the exam is over")
        async with started(place, tmp_path, clock) as story:
            await is_asked(story, exam)
            await story.stays_silent(EVENING + MINUTE, answered, "once is enough")
            told = await tells_how_it_went(story, exam, answered)
            assert told.expires_at == leaves, "two weeks after it was over"
            await story.stays_silent(answered + 2 * HOUR, leaves, "the answer is known")
            assert await story.exam() == told, "it stays as it is until then"
        async with started(place, tmp_path, clock) as story:
            await finds_it_gone(story, leaves)
            await brings_it_back(story, told)
            await story.stays_silent(leaves + 2 * HOUR, leaves + 8 * DAY, "nor is what came back asked about")
            assert await story.lily.texts(place.ming) == [exam.text], "it stays for good"


async def tells_of_the_exam(story: Story) -> Memory:
    """Tell of the exam and let her ask: it is dated and will leave by itself."""
    ming = story.place.ming
    await tells(story.lily, ming, "我下週二有期末考")
    (offer,) = [message for message in story.read() if message.components]
    await ming.click(offer, "好啊").reply(SOON)
    exam = await story.exam()
    assert (exam.valid_from, exam.valid_to) == (TUESDAY, TUESDAY + DAY)
    assert exam.expires_at == MIDNIGHT
    return exam


async def is_asked(story: Story, exam: Memory) -> None:
    """Be asked on the evening of the exam, in private."""
    (asked,) = await story.ring(EVENING)
    assert asked.author is story.place.discord.bot.user
    assert asked.at == EVENING
    assert asks_about(asked.content, exam, "zh-TW"), asked.content
    assert await story.asking() is FollowUpState.SENT


async def tells_how_it_went(story: Story, exam: Memory, moment: datetime) -> Memory:
    """Answer her: the same exam now has an outcome, and nothing is left to ask."""
    story.clock.set(moment)
    await tells(story.lily, story.place.ming, "考得還不錯")
    told = await story.exam()
    assert (told.id, told.archived) == (exam.id, False)
    assert told.outcome is not None
    assert "不錯" in told.outcome
    assert not asks_about(story.read()[-1].content, told, "zh-TW"), story.read()[-1].content
    return told


async def finds_it_gone(story: Story, moment: datetime) -> None:
    """Let the two weeks be over: the sweep takes the exam out without a word."""
    assert await story.ring(moment) == []
    gone = await story.exam()
    assert (gone.archived, gone.archived_reason) == (True, ArchivedReason.EXPIRED)
    assert (gone.archived_at, gone.archived_by) == (moment, ACTOR)


async def brings_it_back(story: Story, told: Memory) -> None:
    """Find it among what is archived and press its button: it lives again, for good."""
    ming = story.place.ming
    shown = await ming.slash(ming.dm_channel(), "memory archived").reply(SOON)
    assert "期末考" in shown.content
    back = await ming.click(shown).reply(SOON)
    assert "期末考" in back.content
    restored = await story.exam()
    assert (restored.id, restored.archived, restored.archived_reason) == (told.id, False, None)
    assert (restored.expires_at, restored.outcome) == (None, told.outcome)
