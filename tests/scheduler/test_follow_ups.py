"""Follow-ups on their way out: said once, at the right hour, whatever goes wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memory.follow_ups import FollowUpState, reschedule
from memory.model import ArchivedReason
from memory.places import DM, Place
from memory.store.writer import Writer
from persona.follow_up import Occasion
from tests.scheduler.street import EVENING, VECTOR, Street

CHANNEL = Place("g1", "c1")


class Killed(BaseException):
    """The process is gone."""


async def test_it_goes_out_on_the_evening_and_once(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING - timedelta(seconds=1))
    assert await street.run() == ()
    street.at(EVENING)
    (said,) = await street.run()
    assert (said.memory_id, said.user_id, said.place, said.text) == (exam.id, "u1", DM, "期末考怎麼樣了？")
    for _ in range(3):
        street.later(hours=20)
        assert await street.run() == ()
    assert len(street.post.said) == 1
    assert (await street.line(exam)).state is FollowUpState.SENT


async def test_what_she_said_is_a_turn_of_hers(street: Street) -> None:
    await street.willing()
    await street.plan()
    street.at(EVENING)
    await street.run()
    message = await street.speak("還不錯", answered=False)
    assert await street.inbox.her_turn_before(message) == "期末考怎麼樣了？"


async def test_who_has_not_opted_in_is_left_alone_and_the_event_dropped_in_the_end(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING)
    assert await street.run() == ()
    assert (await street.line(exam)).reason == "not opted in"
    street.later(days=7)
    await street.run()
    line = await street.line(exam)
    assert (line.state, line.reason) == (FollowUpState.SKIPPED, "stale")


async def test_opting_in_late_is_noticed_at_once(street: Street) -> None:
    await street.plan()
    street.at(EVENING)
    await street.run()
    await street.willing()
    street.later(minutes=1)
    assert len(await street.run()) == 1


async def test_a_house_that_starts_with_other_rules_looks_at_everything_anew(street: Street) -> None:
    await street.plan()
    street.at(EVENING)
    await street.run()
    engine = street.engine(customs=replace(street.customs, default_check_ins=True))
    assert await engine.run_due() == ()
    await engine.start()
    assert len(await engine.run_due()) == 1


async def test_two_events_of_a_day_go_out_on_two_days(street: Street) -> None:
    await street.willing()
    await street.plan()
    await street.plan("使用者有面試")
    street.at(EVENING)
    assert len(await street.run()) == 1
    assert await street.run() == ()
    await street.speak("還行")
    street.later(days=1)
    assert len(await street.run()) == 1


async def test_after_two_without_an_answer_she_is_silent_until_they_speak(street: Street) -> None:
    await street.willing()
    plans = [await street.plan(f"使用者有第{n}場考試") for n in range(3)]
    street.at(EVENING)
    sent = []
    for _ in range(4):
        sent += await street.run()
        street.later(days=1)
    assert len(sent) == 2
    assert (await street.line(plans[2])).reason == "unanswered"
    await street.speak("抱歉，最近好忙")
    street.later(hours=2)
    assert len(await street.run()) == 1


async def test_it_is_said_openly_only_where_it_was_said_openly(street: Street) -> None:
    await street.willing()
    await street.plan(place=CHANNEL)
    street.at(EVENING)
    (said,) = await street.run()
    assert said.place == CHANNEL


async def test_what_is_painful_is_asked_in_the_dm(street: Street) -> None:
    await street.willing()
    await street.plan("使用者要參加告別式", place=CHANNEL, sensitive=True)
    street.at(EVENING)
    (said,) = await street.run()
    assert said.place == DM


async def test_an_event_told_in_private_meanwhile_is_no_longer_asked_openly(street: Street) -> None:
    await street.willing()
    exam = await street.plan(place=CHANNEL)
    street.at(EVENING)

    class Slow:
        async def compose(self, occasion: Occasion) -> str:
            await street.change(exam, places=(str(CHANNEL), "dm"))
            return "考得怎麼樣？"

    assert await street.engine(composer=Slow()).run_due() == ()
    street.later(minutes=1)
    (said,) = await street.run()
    assert said.place == DM


# --- what the event does ---------------------------------------------------------------------


async def test_an_outcome_told_before_is_not_asked_for(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    await street.change(exam, outcome="考得不錯")
    street.at(EVENING)
    assert await street.run() == ()
    assert (await street.line(exam)).state is FollowUpState.ANSWERED


async def test_an_outcome_told_while_she_looks_for_words_stops_her(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)

    class Slow:
        async def compose(self, occasion: Occasion) -> str:
            await street.change(exam, outcome="考得不錯")
            return "考得怎麼樣？"

    assert await street.engine(composer=Slow()).run_due() == ()
    assert street.post.said == []
    assert (await street.line(exam)).state is FollowUpState.ANSWERED


async def test_a_chat_that_begins_while_she_looks_for_words_stops_her(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)

    class Slow:
        async def compose(self, occasion: Occasion) -> str:
            await street.speak()
            return "考得怎麼樣？"

    assert await street.engine(composer=Slow()).run_due() == ()
    line = await street.line(exam)
    assert (line.state, line.reason) == (FollowUpState.PENDING, "a chat is running")
    street.later(hours=1)
    assert len(await street.run()) == 1


async def test_a_moved_event_is_asked_about_on_its_new_day_and_the_old_one_never(street: Street) -> None:
    await street.willing()
    old = await street.plan()
    friday = timedelta(days=3)
    async with street.database.write() as connection:
        writer = Writer(connection, street.clock.now(), "test")
        await writer.archive(old, ArchivedReason.CONTRADICTED, "moved")
        assert old.valid_from is not None
        assert old.valid_to is not None
        new = old.model_copy(
            update={"id": "moved", "valid_from": old.valid_from + friday, "valid_to": old.valid_to + friday}
        )
        await writer.add(new, VECTOR)
        await reschedule(connection, writer.touched, street.policy, street.clock.now())
    street.at(EVENING)
    assert await street.run() == ()
    street.later(days=3)
    (said,) = await street.run()
    assert said.memory_id == "moved"
    assert (await street.line(old)).state is FollowUpState.CANCELLED


async def test_a_forgotten_event_is_not_asked_about_and_a_restored_one_is(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    await street.lifecycle.forget(exam.id, "u1")
    street.at(EVENING)
    assert await street.run() == ()
    assert (await street.line(exam)).state is FollowUpState.CANCELLED
    await street.lifecycle.restore(exam.id, "u1")
    assert len(await street.run()) == 1


async def test_what_was_asked_stays_asked_when_it_is_restored(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)
    await street.run()
    await street.lifecycle.forget(exam.id, "u1")
    await street.lifecycle.restore(exam.id, "u1")
    street.later(days=1)
    assert await street.run() == ()


async def test_their_next_words_there_are_the_answer(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)
    await street.run()
    await street.speak(place=CHANNEL)
    assert (await street.line(exam)).state is FollowUpState.SENT
    await street.speak()
    assert (await street.line(exam)).state is FollowUpState.ANSWERED
