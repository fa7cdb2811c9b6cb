"""When an event is to be asked about, what its own changes do to that, and how a reply asks it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, inspect

from memory.follow_up_book import FollowUp, of_person
from memory.follow_ups import FollowUpState, counts, due_at, due_now, expect, reschedule
from memory.inbox import ReplyState
from memory.model import ArchivedReason, Category, Flag, Kind, Memory, Precision
from memory.places import DM, Place
from memory.policy import MemoryPolicy
from memory.store.schema import metadata
from memory.store.writer import Writer
from scheduler.settling import PATIENCE
from tests.scheduler.street import EVENING, TUESDAY, VECTOR, Street, open_street

pytestmark = pytest.mark.usefixtures("store")
POLICY = MemoryPolicy()
TAIPEI = ZoneInfo("Asia/Taipei")


@pytest.fixture
async def street(tmp_path: Path):
    async with open_street(tmp_path) as opened:
        yield opened


def event(
    start: str | None, end: str | None, precision: Precision | None, zone: str = "Asia/Taipei", **fields
) -> Memory:
    def moment(text: str | None) -> datetime | None:
        return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)) if text else None

    return Memory(
        id="m1",
        user_id="u1",
        persona_id="lily",
        places=("dm",),
        text="使用者有期末考",
        category=Category.SCHEDULE,
        kind=Kind.EVENT,
        created_at=datetime(2026, 9, 12, 13, 30, tzinfo=UTC),
        valid_from=moment(start),
        valid_to=moment(end),
        precision=precision,
        zone=zone,
        **fields,
    )


@pytest.mark.parametrize(
    ("start", "end", "precision", "due"),
    [
        ("2026-09-15T00:00", "2026-09-16T00:00", Precision.DAY, "2026-09-15T18:00"),
        ("2026-09-15T15:00", "2026-09-15T15:01", Precision.MINUTE, "2026-09-15T17:00"),
        ("2026-09-15T15:00", "2026-09-15T16:00", Precision.HOUR, "2026-09-15T17:00"),
        ("2026-09-15T15:00", None, Precision.MINUTE, "2026-09-15T17:00"),
        ("2026-09-15T14:00", "2026-09-15T20:30", Precision.RANGE, "2026-09-15T20:30"),
        ("2026-09-15T09:00", "2026-09-15T11:00", Precision.RANGE, "2026-09-15T18:00"),
        ("2026-09-15T12:00", "2026-09-15T18:00", Precision.DAYPART, "2026-09-15T18:00"),
        ("2026-09-15T18:00", "2026-09-16T00:00", Precision.DAYPART, "2026-09-16T00:00"),
        ("2026-09-19T00:00", "2026-09-21T00:00", Precision.WEEKEND, "2026-09-20T18:00"),
        ("2026-09-14T00:00", "2026-09-21T00:00", Precision.WEEK, "2026-09-20T18:00"),
        ("2026-10-01T00:00", "2026-11-01T00:00", Precision.MONTH, "2026-10-31T18:00"),
        ("2026-10-01T00:00", "2026-10-05T00:00", Precision.RANGE, "2026-10-04T18:00"),
        ("2026-09-15T00:00", "2026-09-15T21:00", Precision.DAY, "2026-09-15T21:00"),
        (None, None, None, "2026-09-15T21:30"),
    ],
)
def test_it_is_due_after_the_end(start, end, precision, due) -> None:
    wanted = datetime.fromisoformat(due).replace(tzinfo=TAIPEI)
    assert due_at(event(start, end, precision), POLICY) == wanted


@pytest.mark.parametrize(
    "fields",
    [{"outcome": "不錯"}, {"archived": True}, {"flags": (Flag.CANCELLED,)}, {"flags": (Flag.RECURRING,)}],
)
def test_there_is_nothing_to_ask(fields) -> None:
    assert due_at(event("2026-09-15T00:00", "2026-09-16T00:00", Precision.DAY, **fields), POLICY) is None


def test_a_day_without_a_midnight_is_still_asked_about_in_its_evening() -> None:
    # in Cairo the clocks go from 00:00 to 01:00 on 2026-04-24
    cairo = ZoneInfo("Africa/Cairo")
    start = datetime(2026, 4, 23, tzinfo=cairo).astimezone(UTC)
    end = datetime(2026, 4, 24, tzinfo=cairo).astimezone(UTC)
    one = event(None, None, Precision.DAY, "Africa/Cairo").model_copy(
        update={"valid_from": start, "valid_to": end}
    )
    assert due_at(one, POLICY) == datetime(2026, 4, 23, 18, tzinfo=cairo)


def test_a_zone_that_is_not_there_breaks_nothing() -> None:
    one = event("2026-09-15T00:00", "2026-09-16T00:00", Precision.DAY).model_copy(
        update={"zone": "Asia/Tapei"}
    )
    assert due_at(one, POLICY) is not None


@given(
    st.integers(0, 365 * 24 * 4),
    st.integers(1, 40 * 24 * 4),
    st.sampled_from(["Asia/Taipei", "Europe/Berlin", "America/St_Johns", "Africa/Cairo", "Pacific/Apia"]),
    st.sampled_from([Precision.RANGE, Precision.DAY, Precision.DAYPART]),
)
@settings(max_examples=200, deadline=None)
def test_it_is_never_due_before_the_last_day_has_come_nor_before_a_clock_time_is_over(
    start, length, zone, precision
) -> None:
    begins = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=15 * start)
    ends = begins + timedelta(minutes=15 * length)
    one = event(None, None, precision, zone).model_copy(update={"valid_from": begins, "valid_to": ends})
    due = due_at(one, POLICY)
    assert due is not None
    local = ends.astimezone(ZoneInfo(zone))
    if local.hour or local.minute:
        assert due >= ends
    else:
        assert due >= ends - timedelta(hours=7)


# --- what the event's changes do ---------------------------------------------------------------


async def test_a_new_event_waits_for_its_evening(street: Street) -> None:
    line = await street.line(await street.plan())
    assert (line.state, line.due_at) == (FollowUpState.PENDING, EVENING)


async def test_an_event_that_was_over_when_it_was_told_is_a_story(street: Street) -> None:
    await street.plan(valid_from=TUESDAY - timedelta(days=9), valid_to=TUESDAY - timedelta(days=8))
    assert await lines(street) == ()


async def test_an_event_read_late_is_still_asked_about(street: Street) -> None:
    said = street.clock.now()
    street.at(EVENING + timedelta(hours=20))  # the message waited for a model over the exam
    exam = await street.plan(created_at=said, updated_at=said)
    assert (await street.line(exam)).due_at == EVENING


async def test_a_later_date_moves_it(street: Street) -> None:
    exam = await street.plan()
    day = timedelta(days=1)
    await street.change(exam, valid_from=TUESDAY + day, valid_to=TUESDAY + 2 * day)
    assert (await street.line(exam)).due_at == EVENING + day


async def test_an_undated_plan_that_gets_a_date_waits_for_it(street: Street) -> None:
    plan = await street.plan(valid_from=None, valid_to=None, precision=None)
    await street.change(
        plan, valid_from=TUESDAY, valid_to=TUESDAY + timedelta(days=1), precision=Precision.DAY
    )
    assert (await street.line(plan)).due_at == EVENING


async def test_calling_it_off_cancels_it(street: Street) -> None:
    exam = await street.plan()
    await street.change(exam, flags=(Flag.CANCELLED,))
    assert (await street.line(exam)).state is FollowUpState.CANCELLED


async def test_expiry_cancels_it_and_restoring_does_not_bring_a_stale_question_back(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING + timedelta(days=20))
    await street.lifecycle.expire()
    assert (await street.line(exam)).state is FollowUpState.CANCELLED
    await street.lifecycle.restore(exam.id, "u1")
    assert await due(street) == ()


async def test_pruning_cancels_it(street: Street) -> None:
    exam = await street.plan()
    await street.lifecycle.prune(await street.lifecycle.prune_plan("u1"), "admin")
    assert (await street.line(exam)).state is FollowUpState.CANCELLED


async def reworded(street: Street, old: Memory, **fields: object) -> Memory:
    """Let a person put an event into other words: a new version in the place of the old."""
    new = old.model_copy(
        update={"id": f"{old.id}-new", "supersedes_id": old.id, "created_at": street.clock.now(), **fields}
    )
    async with street.database.write() as connection:
        writer = Writer(connection, street.clock.now(), "u1")
        current = await writer.current(old.id)
        assert current is not None
        await writer.archive(current, ArchivedReason.CONTRADICTED, "edited")
        await writer.add(new, VECTOR)
        await reschedule(connection, writer.touched, street.policy, street.clock.now())
    return new


async def test_other_words_for_an_event_still_to_be_asked_about_take_its_place(street: Street) -> None:
    old = await street.plan()
    new = await reworded(street, old, text="使用者有微積分期末考")
    assert (await street.line(old)).state is FollowUpState.CANCELLED
    assert (await street.line(new)).state is FollowUpState.PENDING


async def test_other_words_for_what_was_asked_do_not_ask_again(street: Street) -> None:
    await street.willing()
    old = await street.plan()
    street.at(EVENING)
    await street.run()
    await reworded(street, old, text="使用者有微積分期末考")
    street.later(days=1)
    assert await street.run() == ()
    assert len(await lines(street)) == 1


async def test_another_date_for_what_was_asked_is_another_question(street: Street) -> None:
    await street.willing()
    old = await street.plan()
    street.at(EVENING)
    await street.run()
    await street.speak("改到禮拜五了")
    friday = TUESDAY + timedelta(days=3)
    new = await reworded(street, old, valid_from=friday, valid_to=friday + timedelta(days=1))
    street.later(days=3)
    assert [said.memory_id for said in await street.run()] == [new.id]


async def test_what_was_brought_along_is_asked_about_only_if_it_lies_ahead(street: Street) -> None:
    base = event("2026-09-15T00:00", "2026-09-16T00:00", Precision.DAY)
    past = base.model_copy(update={"id": "past", "valid_from": TUESDAY - timedelta(days=5),
                                   "valid_to": TUESDAY - timedelta(days=4),
                                   "created_at": TUESDAY - timedelta(days=9)})  # fmt: skip
    async with street.database.write() as connection:
        writer = Writer(connection, street.clock.now(), "import")
        for one in (base, past):
            await writer.add(one, VECTOR)
        await expect(connection, (base, past), street.policy, street.clock.now())
    assert [line.memory_id for line in await lines(street)] == ["m1"]


async def test_what_is_a_week_late_is_not_nudged_any_more(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING + timedelta(days=7, seconds=-1))
    assert await due(street) == (exam.id,)
    street.later(seconds=1)
    assert await due(street) == ()


# --- asking in a chat --------------------------------------------------------------------------


async def test_a_reply_claims_what_it_asks_before_it_is_said(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    assert await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,)) == ()
    assert (await street.line(exam)).state is FollowUpState.CLAIMED
    assert await due(street) == ()
    await street.inbox.replied(message, ("考得怎麼樣？",), (exam.id,))
    line = await street.line(exam)
    assert (line.state, line.place, line.claimed_by) == (FollowUpState.ASKED, DM, None)


async def test_two_replies_at_once_do_not_both_ask(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING)
    here = await street.speak(answered=False)
    there = await street.speak(place=Place("g1", "c1"), answered=False)
    assert await street.inbox.replying(here.id, ("考得怎麼樣？",), (exam.id,)) == ()
    assert await street.inbox.replying(there.id, ("考得怎麼樣？",), (exam.id,)) == (exam.id,)


async def test_a_reply_composed_anew_gives_back_what_it_no_longer_asks(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    await street.inbox.replying(message.id, ("嗯",), ())
    assert await due(street) == (exam.id,)


async def test_a_reply_that_is_never_given_gives_it_back(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    await street.inbox.ignore(message.id)
    assert await due(street) == (exam.id,)


async def test_an_undeliverable_one_that_a_reply_gives_back_is_not_sent_again(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.post.closed.add("u1")
    street.at(EVENING)
    await street.run()
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    await street.inbox.ignore(message.id)
    assert (await street.line(exam)).state is FollowUpState.UNDELIVERABLE


async def test_what_was_asked_in_a_chat_is_not_sent(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    await street.inbox.replied(message, ("考得怎麼樣？",), (exam.id,))
    street.later(days=1)
    assert await street.run() == ()


async def test_a_reply_cut_short_keeps_its_claim_until_it_is_taken_up(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    street.later(hours=5)  # the process died; nobody knows yet whether it was said
    street.at(EVENING + timedelta(hours=15))
    assert await street.run() == ()
    assert (await street.line(exam)).state is FollowUpState.CLAIMED
    await street.inbox.replied(message, ("考得怎麼樣？",), (exam.id,))
    assert (await street.line(exam)).state is FollowUpState.ASKED


async def test_a_reply_nobody_takes_up_is_let_go_as_uncertain(street: Street) -> None:
    await street.willing()
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    street.later(days=PATIENCE.days, seconds=1)
    await street.run()
    line = await street.line(exam)
    assert (line.state, line.reason) == (FollowUpState.SKIPPED, "uncertain")
    assert street.post.said == []


async def test_a_claim_left_by_a_settled_reply_is_settled_by_it(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING)
    message = await street.speak(answered=False)
    await street.inbox.replying(message.id, ("考得怎麼樣？",), (exam.id,))
    await street.inbox._set(message.id, state=str(ReplyState.REPLIED))
    await street.run()
    assert (await street.line(exam)).state is FollowUpState.ASKED


async def test_it_counts_by_state(street: Street) -> None:
    await street.plan()
    await street.plan("使用者有面試")
    async with street.database.read() as connection:
        assert await counts(connection) == {"pending": 2}


def test_a_letter_names_the_same_nonce_at_every_try() -> None:
    line = FollowUp("m1", "u", "lily", EVENING, FollowUpState.PENDING, 0, *([None] * 8))
    again = FollowUp("m1", "u", "lily", EVENING, FollowUpState.CLAIMED, 7, *([None] * 8))
    assert line.nonce == again.nonce
    assert len(line.nonce) == 24


async def test_the_migrations_make_exactly_the_tables_the_code_knows(street: Street) -> None:
    def look(connection: Connection) -> None:
        found = inspect(connection)
        for table in metadata.sorted_tables:
            assert {c["name"] for c in found.get_columns(table.name)} == {c.name for c in table.columns}
            assert {i["name"] for i in found.get_indexes(table.name)} >= {i.name for i in table.indexes}

    async with street.database.read() as connection:
        await connection.run_sync(look)


async def lines(street: Street) -> tuple[FollowUp, ...]:
    async with street.database.read() as connection:
        return await of_person(connection, "u1")


async def due(street: Street) -> tuple[str, ...]:
    return await street.database.snapshot(due_now, "u1", "lily", street.clock.now(), street.policy)
