"""Events moved by an amount: what is read, and which day they stand on afterwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model import Memory, Precision
from memory.shift import Amount, Shift, shift_in, shifted
from memory.text import fold_same_length
from tests.memory.recall_builders import event
from tests.memory.test_events_spoken import MONDAY, TAIPEI, day_of, tell

ZONES = ("Asia/Taipei", "America/New_York", "Europe/London", "Australia/Lord_Howe")
WALLS = st.integers(0, 2 * 365 * 24 * 60).map(
    lambda minutes: datetime.fromisoformat("2026-01-01") + timedelta(minutes=minutes)
)


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("面試延後一週", Amount(days=7)),
        ("面試往後延兩天", Amount(days=2)),
        ("考試延了三天", Amount(days=3)),
        ("考試延期兩個月", Amount(months=2)),
        ("婚禮延後半年", Amount(months=6)),
        ("婚禮延後半個月", Amount(days=15)),
        ("會議延後十五分鐘", Amount(minutes=15)),
        ("會議提早半小時", Amount(minutes=-30)),
        ("会议提前一个半小时", Amount(minutes=-90)),
        ("比賽提前兩個禮拜", Amount(days=-14)),
        ("the exam got pushed back a week", Amount(days=7)),
        ("it was postponed by two days", Amount(days=2)),
        ("the exam was put off for two weeks", Amount(days=14)),
        ("the meeting was moved up an hour", Amount(minutes=-60)),
        ("the meeting was delayed half an hour", Amount(minutes=30)),
        ("the trip got moved a month later", Amount(months=1)),
        ("試験が三日延びた", Amount(days=3)),
        ("面接が一週間延期になった", Amount(days=7)),
        ("会議が一時間早まった", Amount(minutes=-60)),
    ],
)
def test_an_amount_and_its_direction_are_read(said: str, amount: Amount) -> None:
    shift = shift_in(fold_same_length(said))
    assert shift is not None
    assert shift.amount == amount


@pytest.mark.parametrize(
    "said",
    [
        "面試延後", "面試延後幾天", "面試延後兩三天", "面試延到下週三", "考試延期到三月",
        "延後三月", "我等了一週", "考試12月3日延期", "12月3日延期になった",
        "再兩天就考試", "I waited two days",
        "the meeting was moved forward a week", "it was moved to next week",
    ],
)  # fmt: skip
def test_what_names_no_amount_or_no_direction_moves_nothing(said: str) -> None:
    assert shift_in(fold_same_length(said)) is None


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        (["我禮拜五有面試", "面試延後一週"], 25),
        (["我禮拜五有面試", "可惡，又延後兩天"], 20),
        (["我禮拜五有面試", "面試提前一天"], 17),
        (["我23號要看牙", ("看牙延了三天", (16, 9))], 26),
        (["我禮拜五有面試", "面試延後一週", "又延後兩天"], 27),
        (["我禮拜五有面試", "面試延後一週", ("面試延後一週了", (15, 9))], 25),
        (["我禮拜五有面試", "面試延後一週", ("面試再延後一週", (15, 9))], 25 + 7 - 30),
        (["I have an interview on Friday", "it got pushed back a week"], 25),
        (["I have an interview on Friday", "my interview got moved a week later"], 25),
        (["金曜日に面接があります", "面接が一週間延期になった"], 25),
    ],
)
async def test_an_event_stands_as_much_later_as_it_was_moved(world, lines, day):
    (event,) = await tell(world, *lines)
    assert day_of(event) == day


async def test_an_hour_is_moved_and_the_day_kept(world):
    (event,) = await tell(world, "明天下午三點開會", "會議提早半小時")
    assert event.valid_from.astimezone(TAIPEI) == MONDAY.replace(day=15, hour=14, minute=30)


async def test_minutes_leave_an_event_that_has_a_day_alone_on_its_day(world):
    (event,) = await tell(world, "我禮拜五有面試", "面試延後一小時")
    assert (day_of(event), event.precision) == (18, Precision.DAY)


async def test_an_event_without_a_date_stays_without_one(world):
    (event,) = await tell(world, "我過陣子要面試", "面試延後一週")
    assert event.valid_from is None


@pytest.mark.parametrize("change", ["面試延後九千年", "面試提前9999年", "面試延後九千九百九十九個月"])
async def test_what_leads_out_of_the_calendar_leads_to_no_day(world, change):
    (event,) = await tell(world, "我禮拜五有面試", change)
    assert event.valid_from is None or day_of(event) == 18


def event_at(local: datetime, precision: Precision) -> Memory:
    end = local + timedelta(hours=1)  # an hour later on the clock
    dates = {"valid_from": local.astimezone(UTC), "valid_to": end.astimezone(UTC), "precision": precision}
    return event("m", "使用者要面試", None, None, zone=str(local.tzinfo), **dates)


@given(
    WALLS.map(lambda wall: wall.replace(hour=12)),
    st.sampled_from(ZONES),
    st.integers(-60, 60),
)
def test_days_keep_the_hour_on_the_clock(wall: datetime, zone: str, days: int) -> None:
    local = wall.replace(tzinfo=ZoneInfo(zone))
    moved = shifted(event_at(local, Precision.MINUTE), Shift(Amount(days=days), (0, 1)))
    assert moved is not None
    there = moved["valid_from"].astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert there == wall + timedelta(days=days)


@given(
    WALLS,
    st.sampled_from(ZONES),
    st.one_of(
        st.builds(Amount, days=st.integers(-60, 60)), st.builds(Amount, minutes=st.integers(-600, 600)),
        st.builds(Amount, months=st.integers(-12, 12)),
    ),
)  # fmt: skip
def test_an_event_never_ends_before_it_begins(wall: datetime, zone: str, amount: Amount) -> None:
    moved = shifted(event_at(wall.replace(tzinfo=ZoneInfo(zone)), Precision.MINUTE), Shift(amount, (0, 1)))
    assert moved is not None
    assert moved["valid_from"] <= moved["valid_to"]
