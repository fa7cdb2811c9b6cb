"""Follow-ups on their way out: said once, at the right hour, whatever goes wrong."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, select

from memory.clock import SettableClock
from memory.follow_ups import FollowUpState, due_now, reschedule
from memory.model import ArchivedReason
from memory.places import DM, Place
from memory.store.database import open_database
from memory.store.schema import memories, turns
from memory.store.writer import Writer
from persona.follow_up import Occasion
from scheduler.notifier import Delivery, Letter
from scheduler.steps import FollowUpStep
from tests.scheduler.street import EVENING, VECTOR, Street, open_street
from tests.support.post import Post

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


# --- what goes wrong -------------------------------------------------------------------------


async def test_a_closed_dm_is_undeliverable_and_left_for_the_next_chat(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.post.closed.add("u1")
    street.at(EVENING)
    assert await street.run() == ()
    line = await street.line(exam)
    assert (line.state, line.reason) == (FollowUpState.UNDELIVERABLE, "closed")
    street.later(days=1)
    await street.run()
    assert street.post.tries == 1
    async with street.database.read() as connection:
        assert await due_now(connection, "u1", "lily", street.clock.now(), street.policy) == (exam.id,)


async def test_a_refused_delivery_is_tried_again_later_and_later(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.post.trouble = lambda letter: "down"
    street.at(EVENING)
    await street.run()
    gaps = []
    for _ in range(4):
        line = await street.line(exam)
        assert line.next_at is not None
        gaps.append(line.next_at - street.clock.now())
        street.at(line.next_at)
        await street.run()
    assert gaps == [timedelta(minutes=m) for m in (5, 10, 20, 40)]
    assert (await street.line(exam)).reason == "not delivered"
    street.post.trouble = lambda letter: ""
    street.later(hours=2)
    assert len(await street.run()) == 1


async def test_an_answer_that_got_lost_is_looked_for_and_not_said_again(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.post.trouble = lambda letter: "cut"
    street.at(EVENING)
    assert await street.run() == ()
    street.post.trouble = lambda letter: ""
    assert await street.run() == ()
    street.later(minutes=11)
    await street.run()
    assert (await street.line(exam)).state is FollowUpState.SENT
    assert len(street.post.said) == 1
    message = await street.speak(answered=False)
    assert await street.inbox.her_turn_before(message) == "期末考怎麼樣了？"


async def test_a_message_that_got_lost_is_said_after_all(street: Street) -> None:
    await street.willing()
    await street.plan()
    street.post.trouble = lambda letter: "lost"
    street.at(EVENING)
    await street.run()
    street.post.trouble = lambda letter: ""
    street.later(minutes=11)
    await street.run()
    street.later(minutes=11)
    assert len(await street.run()) == 1
    assert len(street.post.said) == 1


async def test_where_nobody_can_tell_it_is_let_go_and_counts_as_said(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.post.trouble = lambda letter: "lost" if street.post.looks == 0 else "blind"
    street.at(EVENING)
    for _ in range(30):
        await street.run()
        street.later(hours=1)
    line = await street.line(exam)
    assert (line.state, line.reason) == (FollowUpState.SKIPPED, "uncertain")
    assert line.sent_at is not None
    assert street.post.said == []


@pytest.mark.parametrize("step", list(FollowUpStep)[:5])
async def test_whatever_step_it_dies_at_it_is_said_once(street: Street, step: FollowUpStep) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)

    def die(reached: FollowUpStep) -> None:
        if reached is step:
            raise Killed

    with pytest.raises(Killed):
        await street.engine(on_step=die).run_due()
    for _ in range(4):
        street.later(minutes=11)
        await street.run()
    assert len(street.post.said) == 1
    assert (await street.line(exam)).state is FollowUpState.SENT


@pytest.mark.parametrize("step", [FollowUpStep.TAKEN_OVER, FollowUpStep.SETTLED])
async def test_dying_while_it_settles_costs_nothing(street: Street, step: FollowUpStep) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)
    street.post.trouble = lambda letter: "cut"
    await street.run()
    street.post.trouble = lambda letter: ""
    street.later(minutes=11)

    def die(reached: FollowUpStep) -> None:
        if reached is step:
            raise Killed

    with pytest.raises(Killed):
        await street.engine(on_step=die).run_due()
    street.later(minutes=11)
    await street.run()
    assert (await street.line(exam)).state is FollowUpState.SENT
    assert len(street.post.said) == 1


async def test_a_process_that_slept_after_deciding_decides_anew(street: Street) -> None:
    await street.willing()
    await street.plan()
    street.at(EVENING)

    def sleep(reached: FollowUpStep) -> None:
        if reached is FollowUpStep.PREPARED:
            street.later(hours=9)  # the lid was closed; it is three in the morning now

    assert await street.engine(on_step=sleep).run_due() == ()
    assert street.post.said == []
    assert await street.run() == ()
    street.later(hours=7)
    assert len(await street.run()) == 1


async def test_no_words_for_one_leave_the_others_alone(street: Street) -> None:
    await street.willing("u1")
    await street.willing("u2")
    await street.plan(user="u1")
    await street.plan("使用者有面試", user="u2")
    street.at(EVENING)

    class Stuck:
        async def compose(self, occasion: Occasion) -> str:
            if occasion.memory.user_id == "u1":
                raise RuntimeError
            return "面試順利嗎？"

    (said,) = await street.engine(composer=Stuck()).run_due()
    assert said.user_id == "u2"


# --- several at once -------------------------------------------------------------------------


async def test_ten_schedulers_at_once_say_it_once(street: Street) -> None:
    await street.willing()
    await street.plan()
    await street.plan("使用者有面試")
    street.at(EVENING)
    done = await asyncio.gather(*(street.engine().run_due() for _ in range(10)))
    assert sum(map(len, done)) == len(street.post.said) == 1


async def test_schedulers_with_connections_of_their_own_say_it_once(street: Street) -> None:
    for n in range(6):
        await street.willing(f"u{n}")
        await street.plan(user=f"u{n}")
    street.at(EVENING)
    file = street.database.file
    async with open_database(f"sqlite:///{file}") as second, open_database(f"sqlite:///{file}") as third:
        done = await asyncio.gather(
            *(street.engine(database=database).run_due() for database in (street.database, second, third))
        )
    assert sum(map(len, done)) == len(street.post.said) == 6
    assert len({one.letter.memory_id for one in street.post.said}) == 6


async def test_a_full_evening_goes_out_over_several_wake_ups(street: Street) -> None:
    for n in range(7):
        await street.willing(f"u{n}")
        await street.plan(user=f"u{n}")
    street.at(EVENING)
    engine = street.engine(at_once=3)
    assert [len(await engine.run_due()) for _ in range(4)] == [3, 3, 1, 0]


async def test_a_claim_from_the_future_is_nobodys(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING + timedelta(hours=3))

    def die(reached: FollowUpStep) -> None:
        if reached is FollowUpStep.COMPOSED:
            raise Killed

    with pytest.raises(Killed):
        await street.engine(on_step=die).run_due()
    street.at(EVENING)  # the clock was wrong, and has been put right
    await street.run()
    street.later(minutes=6)
    assert len(await street.run()) == 1
    assert (await street.line(exam)).state is FollowUpState.SENT


async def test_an_erased_person_leaves_nothing_behind(street: Street) -> None:
    await street.willing()
    await street.plan()
    street.at(EVENING)

    class Erasing(Post):
        async def deliver(self, letter: Letter) -> Delivery:
            delivered = await super().deliver(letter)
            async with street.database.write() as connection:
                await connection.execute(delete(memories))
            return delivered

    await street.engine(notifier=Erasing(street.clock)).run_due()
    async with street.database.read() as connection:
        assert (await connection.execute(select(turns))).all() == []


async def test_down_over_the_due_moment_it_goes_out_when_the_house_is_back(tmp_path) -> None:
    async with open_street(tmp_path) as before:
        await before.willing()
        await before.plan()
    async with open_street(tmp_path) as after:
        after.at(EVENING + timedelta(days=2))
        assert len(await after.run()) == 1
        assert await after.run() == ()
    async with open_street(tmp_path) as again:
        again.clock = SettableClock(EVENING + timedelta(days=3))
        assert await again.run() == ()
