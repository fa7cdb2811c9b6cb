"""Times told by another place's clock."""

from __future__ import annotations

import pytest

from memory.grounding import dates_memory, resolve
from tests.memory.grounding.saying import TAIPEI, at, said, start, stretch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("日本時間明天晚上八點開賣", "2026-10-16T19:00"),
        ("用日本時間的話是明天晚上八點", "2026-10-16T19:00"),
        ("明天晚上八點（日本時間）開賣", "2026-10-16T19:00"),
        ("台灣時間10月20號早上九點發表", "2026-10-20T09:00"),
        ("英國時間10/20下午三點", "2026-10-20T22:00"),
        ("英國時間11/20下午三點", "2026-11-20T23:00"),
        ("美西時間10/20早上十點", "2026-10-21T01:00"),
        ("October 20, 9am PST", "2026-10-21"),
        ("October 20 at 15:00 UTC", "2026-10-20T23:00"),
        ("October 20, 15:00 UTC+9", "2026-10-20T14:00"),
        ("October 20 at 8pm Tokyo time", "2026-10-20T19:00"),
        ("日本時間で10月20日の夜8時", "2026-10-20T19:00"),
    ],
)
def test_a_time_told_by_another_clock_is_turned_to_the_persons_own(text, expected):
    assert start(text) == expected


def test_a_run_of_hours_is_told_by_one_clock():
    assert stretch("日本時間10/20晚上八點到十點") == "2026-10-20T19:00..2026-10-20T21:00"


def test_the_clock_belongs_to_the_phrase():
    assert said("日本時間明天晚上八點開賣").phrase == "日本時間明天晚上八點"


def test_a_country_of_several_clocks_leaves_the_time_open():
    found = said("美國時間10/20早上九點發表")
    assert {moment.hour for moment, _ in found.readings} == {21, 0}
    assert not dates_memory(found)


def test_tomorrow_by_a_clock_that_is_a_day_ahead_may_be_either_places():
    found = said("台灣時間明天早上九點開會", "2026-03-07T20:00", "America/New_York")
    assert {moment.day for moment, _ in found.readings} == {7, 8}
    assert not dates_memory(found)


def test_cst_is_the_own_clock_where_china_standard_time_is_kept():
    assert start("October 20, 3pm CST") == "2026-10-20T15:00"
    assert start("October 20, 3pm CST", zone="America/New_York") == "2026-10-20T16:00"


@pytest.mark.parametrize(
    "text", ["I have pt at 3pm today", "give us time until 3pm today", "今天下午三點，我在日本時間很多"]
)
def test_words_that_only_look_like_a_clock_change_nothing(text):
    found = [item for item in resolve(text, at("2026-10-15T10:00"), TAIPEI) if item.resolved]
    assert found[0].start == at("2026-10-15T15:00")
