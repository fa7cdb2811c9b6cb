"""The parts the resolver is built of: numbers, frames, festivals, the calendar, speed."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.grounding import resolve
from memory.grounding.calendar import add_months, nth_weekday
from memory.grounding.festival_names import BY_ZONE, FESTIVALS_EN, FESTIVALS_JA, FESTIVALS_ZH
from memory.grounding.festivals import bridge_days, festival_days, lunar_day
from memory.grounding.frame import Clock, Frame, unite
from memory.grounding.numerals import cjk_number, cjk_pair, english_number
from memory.text import fold_same_length
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at

LONGEST_READING = 0.001
"""Seconds a sentence may take once the tables are loaded."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10),
        ("十五", 15),
        ("二十", 20),
        ("廿三", 23),
        ("三十一", 31),
        ("一百零五", 105),
        ("二〇二六", 2026),
        ("一一五", 115),
        ("两", 2),
        ("15", 15),
        ("卅", 30),
    ],
)
def test_chinese_numerals(text, value):
    assert cjk_number(text) == value


def test_what_is_no_numeral_has_no_value():
    assert cjk_number("甲") is None
    assert cjk_number("") is None


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("两三", (2, 3)),
        ("三五", (3, 5)),
        ("十二三", (12, 13)),
        ("二〇", None),
        ("一九", None),
        ("三二", None),
        ("12", None),
    ],
)
def test_loose_counts(text, pair):
    assert cjk_pair(text) == pair


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", 1),
        ("twelve", 12),
        ("twenty-one", 21),
        ("thirty first", 31),
        ("3rd", 3),
        ("a couple of", 2),
        ("nope", None),
    ],
)
def test_english_numbers(text, value):
    assert english_number(text) == value


def test_frames_that_say_the_same_slot_twice_do_not_join():
    assert unite(Frame(day_rel=1), Frame(day_rel=2)) is None
    assert unite(Frame(clock=Clock(3)), Frame(clock=Clock(4))) is None


def test_a_time_of_day_joins_a_day_and_nothing_coarser():
    assert unite(Frame(day_rel=1), Frame(daypart="evening")) == Frame(day_rel=1, daypart="evening")
    assert unite(Frame(month=3), Frame(daypart="evening")) is None


@given(day=st.dates(date(1900, 1, 1), date(2200, 1, 1)), count=st.integers(-600, 600))
def test_a_month_away_keeps_the_day_or_takes_the_last_of_the_month(day, count):
    moved = add_months(day, count)
    assert moved.day == day.day or (
        moved.day < day.day and add_months(moved.replace(day=1), 1).toordinal() - 1 == moved.toordinal()
    )


def test_a_fifth_weekday_exists_only_in_some_months():
    assert nth_weekday(2026, 10, 3, 5) == date(2026, 10, 29)
    assert nth_weekday(2026, 11, 3, 5) is None
    assert nth_weekday(2026, 10, 0, -1) == date(2026, 10, 26)


@pytest.mark.parametrize(
    ("name", "year", "expected"),
    [
        ("spring", 2025, date(2025, 1, 29)),
        ("spring", 2026, date(2026, 2, 17)),
        ("lunar_eve", 2026, date(2026, 2, 16)),
        ("mid_autumn", 2025, date(2025, 10, 6)),
        ("dragon_boat", 2025, date(2025, 5, 31)),
        ("qingming", 2025, date(2025, 4, 4)),
        ("winter_solstice", 2024, date(2024, 12, 21)),
        ("easter", 2024, date(2024, 3, 31)),
        ("easter", 2025, date(2025, 4, 20)),
        ("thanksgiving", 2024, date(2024, 11, 28)),
        ("mother", 2025, date(2025, 5, 11)),
        ("double_ninth", 2025, date(2025, 10, 29)),
    ],
)
def test_festivals_fall_on_their_days(name, year, expected):
    assert festival_days(name, year)[0] == expected


def test_a_lunar_day_its_month_lacks_is_none():
    assert lunar_day(2026, 13, 1) is None
    assert sum(lunar_day(year, 5, 30) is None for year in range(2020, 2030)) > 0


def test_a_leap_month_is_another_month():
    assert lunar_day(2025, 6, 1, leap=True) == date(2025, 7, 25)
    assert lunar_day(2025, 6, 1) == date(2025, 6, 25)


@pytest.mark.parametrize("year", range(2024, 2031))
@pytest.mark.parametrize(
    "name", ["national_tw", "new_year", "peace", "mid_autumn", "dragon_boat", "spring", "labour", "qingming"]
)
def test_a_long_weekend_holds_its_holiday_and_starts_after_a_working_day(name, year):
    holiday = festival_days(name, year)[0]
    first, after = bridge_days(name, year)
    assert first <= holiday < after
    assert (after - first).days < 12


@pytest.mark.parametrize(
    "text",
    [
        "我下週二下午三點要跟實驗室的人在台北車站討論期末報告，記得提醒我",
        "昨天晚上十點多才回到家，今天早上又要早起，最近真的好累喔，完全不想動",
        "國慶連假我們全家要去墾丁玩三天兩夜，期待很久了",
        "I'm having dinner with my sister next Friday at half past seven, can you remind me the day before?",
        "来週の火曜日の午後3時半に面接があるので、緊張しています",
    ],
)
def test_a_sentence_is_read_within_a_millisecond(text):
    moment = at(THURSDAY)
    resolve(text, moment, TAIPEI)
    fastest = min(_seconds(text, moment) for _ in range(30))
    assert fastest < LONGEST_READING


def _seconds(text: str, moment) -> float:
    begun = time.perf_counter()
    resolve(text, moment, TAIPEI)
    return time.perf_counter() - begun


@pytest.mark.parametrize("table", [FESTIVALS_ZH, FESTIVALS_EN, FESTIVALS_JA])
def test_every_named_festival_has_its_days_each_year(table):
    for name in set(table.values()):
        for row in BY_ZONE.get(name, (name,)):
            for year in (2024, 2026, 2033):
                first, after = festival_days(row, year)
                assert first < after
                assert first.year in {year, year + 1}  # the last lunar month runs into the next year


@pytest.mark.parametrize("table", [FESTIVALS_ZH, FESTIVALS_EN, FESTIVALS_JA])
def test_festival_names_are_written_as_texts_are_folded(table):
    assert [name for name in table if fold_same_length(name) != name] == []
