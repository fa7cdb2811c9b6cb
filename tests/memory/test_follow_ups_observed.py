"""What observing messages does to follow-ups: born, moved, answered, called off."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.extraction.types import Change
from memory.follow_up_book import FollowUp, of_person
from memory.follow_ups import FollowUpState
from memory.model import Category
from tests.support.world import World, fact

pytestmark = pytest.mark.usefixtures("store")

EVENING = datetime(2026, 9, 15, 18, tzinfo=ZoneInfo("Asia/Taipei"))
EXAM = fact("使用者有期末考", Category.SCHEDULE, when_text="下週二")


async def lines(world: World) -> tuple[FollowUp, ...]:
    async with world.service.database.read() as connection:
        return await of_person(connection, "u1")


async def test_an_event_is_born_with_its_follow_up(world: World) -> None:
    (exam,) = (await world.say("我下週二有期末考", EXAM)).written
    (line,) = await lines(world)
    assert (line.memory_id, line.state, line.due_at) == (exam.id, FollowUpState.PENDING, EVENING)


async def test_what_is_no_event_has_none(world: World) -> None:
    await world.tell("使用者討厭吃香菜", Category.PREFERENCE)
    assert await lines(world) == ()


async def test_telling_it_twice_makes_one(world: World) -> None:
    await world.say("我下週二有期末考", EXAM)
    await world.say("我下週二有期末考", EXAM, message_id="again")
    assert sum(line.state is FollowUpState.PENDING for line in await lines(world)) == 1


async def test_how_it_went_answers_it(world: World) -> None:
    await world.say("我下週二有期末考", EXAM)
    world.later(days=3, hours=1)
    told = fact("使用者期末考考得不錯", Category.SCHEDULE, change=Change.DONE, outcome="考得不錯")
    await world.say("期末考考完了，考得不錯", told)
    (line,) = await lines(world)
    assert (line.state, line.reason) == (FollowUpState.ANSWERED, "outcome told")


async def test_a_moved_one_is_cancelled_and_the_new_day_has_its_own(world: World) -> None:
    await world.say("我下週二有期末考", EXAM)
    moved = fact("使用者的期末考延到下週五", Category.SCHEDULE, when_text="下週五", change=Change.MOVED)
    await world.say("期末考延到下週五了", moved)
    old, new = await lines(world)
    assert (old.state, new.state) == (FollowUpState.CANCELLED, FollowUpState.PENDING)
    assert new.due_at == EVENING + timedelta(days=3)


async def test_a_cancelled_one_is_not_asked_about(world: World) -> None:
    await world.say("我下週二有期末考", EXAM)
    off = fact("使用者的期末考取消了", Category.SCHEDULE, change=Change.CANCELLED)
    await world.say("期末考取消了", off)
    assert [line.state for line in await lines(world)] == [FollowUpState.CANCELLED]


async def test_what_was_told_as_over_and_never_before_is_a_story(world: World) -> None:
    await world.say(
        "今天考完試了", fact("使用者考完試了", Category.SCHEDULE, when_text="今天", change=Change.DONE)
    )
    assert await lines(world) == ()


async def test_her_question_is_there_to_read_the_answer_by(world: World) -> None:
    await world.say("我下週二有期末考", EXAM)
    world.later(days=3, hours=1)
    message = world.message("我回來了")
    await world.service.inbox.admit(message)
    (line,) = await lines(world)
    await world.service.inbox.replying(message.id, ("期末考考得怎麼樣？",), (line.memory_id,))
    await world.service.inbox.replied(message, ("期末考考得怎麼樣？",), (line.memory_id,))
    answer = world.message("爆了")
    await world.service.inbox.admit(answer)
    assert await world.service.inbox.her_turn_before(answer) == "期末考考得怎麼樣？"
    (line,) = await lines(world)
    assert (line.state, line.reason) == (FollowUpState.ANSWERED, "replied")


async def test_expiry_and_restoring_go_along(world: World) -> None:
    (exam,) = (await world.say("我下週二有期末考", EXAM)).written
    await world.service.lifecycle.forget(exam.id, "u1")
    assert (await lines(world))[0].state is FollowUpState.CANCELLED
    await world.service.lifecycle.restore(exam.id, "u1")
    assert (await lines(world))[0].state is FollowUpState.PENDING
