"""Midnight, changes of clocks, month ends, leap years, tense, ambiguity."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.grounding import Direction, dates_memory, resolve
from tests.memory.grounding.saying import at, said, start, stretch


def test_one_oclock_said_just_before_midnight_is_the_one_that_comes():
    assert start("一點要去機場", "2026-10-15T23:50") == "2026-10-16T01:00"


def test_one_oclock_said_at_noon_is_this_afternoon():
    found = said("一點要開會", "2026-10-15T12:00")
    assert found.start == at("2026-10-15T13:00")
    assert dates_memory(found)


def test_tonight_said_after_midnight_is_the_coming_evening():
    found = said("今晚要看電影", "2026-10-15T00:30")
    assert found.start == at("2026-10-15T18:00")
    assert dates_memory(found)


@pytest.mark.parametrize("text", ["今晚睡不著", "昨天去看了牙醫", "今天去看了牙醫"])
def test_days_named_in_the_small_hours_are_flagged(text):
    late, early = said(text, "2026-10-15T23:30"), said(text, "2026-10-15T00:30")
    assert not late.ambiguous
    assert early.ambiguous
    assert not dates_memory(early)
    assert early.readings[0][0].date() == late.start.date()


@pytest.mark.parametrize("text", ["明天要考試", "後天要出國", "明早八點要開會", "明天下午三點要剪頭髮"])
@pytest.mark.parametrize("wall", ["2026-10-15T00:30", "2026-10-15T03:46"])
def test_what_is_planned_late_at_night_is_flagged_and_most_likely_after_the_next_sleep(text, wall):
    evening, night = said(text, "2026-10-14T23:30"), said(text, wall)
    assert night.ambiguous
    assert not dates_memory(night)
    assert night.readings[0] == evening.readings[0]
    assert said(text, "2026-10-15T04:30").readings[0] != evening.readings[0]


@pytest.mark.parametrize(
    "text", ["還沒睡，明天早上八點要考試", "睡不著…明天早上八點要考試", "先去睡了，明天早上八點要考試"]
)
def test_who_has_not_slept_yet_means_the_coming_daylight_for_sure(text):
    found = said(text, "2026-10-15T02:10")
    assert dates_memory(found)
    assert found.start == at("2026-10-15T08:00")


@pytest.mark.parametrize("text", ["早安，明天早上八點要考試", "剛睡醒，明天早上八點要考試"])
def test_who_has_got_up_before_dawn_means_the_calendar_day_for_sure(text):
    found = said(text, "2026-10-15T04:10")
    assert dates_memory(found)
    assert found.start == at("2026-10-16T08:00")


def test_today_said_in_the_small_hours_about_what_is_ahead_is_the_calendar_day():
    assert dates_memory(said("今天要考試", "2026-10-15T00:30"))


@pytest.mark.parametrize(
    ("wall", "expected"),
    [
        ("2026-10-15T23:59", "2026-10-16"),
        ("2026-10-16T06:00", "2026-10-17"),
        ("2026-12-31T23:59", "2027-01-01"),
        ("2028-02-28T12:00", "2028-02-29"),
    ],
)
def test_tomorrow_turns_with_the_persons_own_midnight(wall, expected):
    assert start("明天要搬家", wall) == expected


def test_the_same_instant_is_another_day_in_another_zone():
    instant = datetime(2026, 10, 15, 20, 0, tzinfo=UTC)
    (taipei,) = resolve("明天", instant, "Asia/Taipei")
    (york,) = resolve("明天", instant, "America/New_York")
    assert (taipei.start.day, york.start.day) == (17, 16)


@pytest.mark.parametrize(
    ("text", "wall", "expected"),
    [
        ("一個月後要回診", "2026-01-31T10:00", "2026-02-01..2026-03-01"),
        ("下個月31號要交", "2026-10-15T10:00", "-"),
        ("31號要交房租", "2026-10-31T10:00", "2026-10-31..2026-11-01"),
        ("30號要交房租", "2026-01-31T10:00", "2026-03-30..2026-03-31"),
        ("月底要交", "2026-02-10T10:00", "2026-02-21..2026-03-01"),
        ("2月29日要慶生", "2026-10-15T10:00", "2028-02-29..2028-03-01"),
        ("2月29日慶生了", "2026-10-15T10:00", "2024-02-29..2024-03-01"),
        ("三天後要出國", "2028-02-27T10:00", "2028-03-01..2028-03-02"),
        ("下週三要回診", "2026-12-30T10:00", "2027-01-06..2027-01-07"),
        ("上個月", "2026-01-05T10:00", "2025-12-01..2026-01-01"),
    ],
)
def test_month_ends_leap_days_and_year_ends(text, wall, expected):
    assert stretch(text, wall) == expected


def test_a_wall_time_the_clocks_skip_moves_forward_by_the_gap():
    found = said("明天凌晨兩點半要出發", "2026-03-07T20:00", "America/New_York")
    assert found.start.astimezone(UTC) == datetime(2026, 3, 8, 7, 30, tzinfo=UTC)


def test_of_a_wall_time_that_happens_twice_the_one_still_ahead_is_meant():
    instant = datetime(2026, 11, 1, 5, 45, tzinfo=UTC)  # 01:45, the first time
    (found,) = resolve("今天凌晨一點半要出發", instant, "America/New_York")
    assert found.start.astimezone(UTC) == datetime(2026, 11, 1, 6, 30, tzinfo=UTC)


def test_hours_from_now_are_hours_though_the_clocks_change():
    (found,) = resolve("三小時後要出發", datetime(2026, 3, 8, 5, 0, tzinfo=UTC), "America/New_York")
    assert found.start.astimezone(UTC) == datetime(2026, 3, 8, 8, 0, tzinfo=UTC)
    assert found.start.strftime("%H:%M") == "04:00"


def test_a_day_with_a_change_of_clocks_is_one_day_long_on_the_wall():
    found = said("明天要休息", "2026-03-07T20:00", "America/New_York")
    assert (found.end.astimezone(UTC) - found.start.astimezone(UTC)).total_seconds() == 23 * 3600


def test_a_naive_moment_is_refused():
    with pytest.raises(ValueError, match="naive"):
        resolve("明天", datetime(2026, 10, 15, 10, 0), "Asia/Taipei")  # noqa: DTZ001


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("週三要面試", "2026-10-21"),
        ("週三面試了", "2026-10-14"),
        ("星期四去看了牙醫", "2026-10-08"),
        ("星期四要看牙醫", "2026-10-22"),
        ("9月3日去了花蓮", "2026-09-03"),
        ("9月3日要去花蓮", "2027-09-03"),
        ("三月要去花蓮", "2027-03-01"),
        ("三月去了花蓮", "2026-03-01"),
        ("十五號要繳費", "2026-10-15"),
        ("二十號繳費了", "2026-09-20"),
        ("早上八點要開會", "2026-10-16T08:00"),
        ("早上八點開完會了", "2026-10-15T08:00"),
        ("晚上八點要開會", "2026-10-15T20:00"),
        ("晚上八點才到家", "2026-10-14T20:00"),
        ("週末要爬山", "2026-10-17"),
        ("週末去爬山了", "2026-10-10"),
    ],
)
def test_what_comes_again_goes_by_the_tense(text, expected):
    assert start(text) == expected


def test_without_a_tense_a_weekday_is_the_coming_one_and_flagged():
    found = said("禮拜二面試")
    assert found.start == at("2026-10-20T00:00")
    assert found.ambiguous
    assert {start.day for start, _ in found.readings} == {13, 20}


def test_without_a_tense_a_date_well_ahead_of_its_twin_is_certain():
    assert dates_memory(said("11月2日面試"))
    assert not dates_memory(said("6月2日面試"))


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("昨天", Direction.PAST),
        ("今天", Direction.PRESENT),
        ("明天", Direction.FUTURE),
        ("這週", Direction.PRESENT),
        ("上個月", Direction.PAST),
        ("今天早上八點", Direction.PAST),
    ],
)
def test_direction_is_seen_from_the_moment_of_speaking(text, direction):
    assert said(text).direction is direction


def test_next_weekday_in_english_that_could_be_this_week_is_flagged():
    found = said("I have an exam next Saturday", "2026-10-13T10:00")
    assert found.start == at("2026-10-24T00:00")
    assert found.ambiguous


@pytest.mark.parametrize("text", ["面試改成三點", "會議延到下午四點", "the meeting was moved to 3pm"])
def test_a_time_of_day_something_is_moved_to_names_no_day_and_dates_nothing(text):
    found = said(text)
    assert found.resolved
    assert not found.names_day
    assert not dates_memory(found)


def test_a_day_something_is_moved_to_dates_it():
    found = said("面試改到下週五三點")
    assert found.names_day
    assert found.start == at("2026-10-23T15:00")
    assert dates_memory(found)


@pytest.mark.parametrize("text", ["未來0天", "0分鐘內", "next 0 weeks", "0天內要交", "五分以內到3/4"])
def test_an_empty_stretch_is_no_date(text):
    assert not any(item.resolved for item in resolve(text, at("2026-10-15T10:00"), "Asia/Taipei"))
