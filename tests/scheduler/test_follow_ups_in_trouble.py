"""Follow-ups when things go wrong, and when several schedulers are at it: said once all the same."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from memory.clock import SettableClock
from memory.follow_ups import FollowUpState, due_now
from memory.places import Place
from memory.store.database import open_database
from memory.store.schema import memories, turns
from persona.follow_up import Occasion
from scheduler.notifier import Delivery, Letter
from scheduler.steps import FollowUpStep
from tests.scheduler.street import EVENING, Street, open_street
from tests.support.post import Post
from tests.support.world import database_url

pytestmark = pytest.mark.usefixtures("store")

CHANNEL = Place("g1", "c1")


class Killed(BaseException):
    """The process is gone."""


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
    due = await street.database.snapshot(due_now, "u1", "lily", street.clock.now(), street.policy)
    assert due == (exam.id,)


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


async def test_schedulers_with_connections_of_their_own_say_it_once(street: Street, tmp_path: Path) -> None:
    for n in range(6):
        await street.willing(f"u{n}")
        await street.plan(user=f"u{n}")
    street.at(EVENING)
    url = database_url(tmp_path)
    async with open_database(url) as second, open_database(url) as third:
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


async def test_a_claim_of_a_machine_whose_clock_is_a_little_ahead_is_left_to_it(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING + timedelta(seconds=30))

    def slower(reached: FollowUpStep) -> None:
        if reached is FollowUpStep.COMPOSED:
            raise Killed

    with pytest.raises(Killed):
        await street.engine(on_step=slower).run_due()
    street.at(EVENING)  # as the other machine's clock has it
    await street.run()
    assert (await street.line(exam)).state is FollowUpState.CLAIMED
    assert street.post.said == []
