"""English. Said on Thursday 2026-10-15 at 10:00 in Taipei unless told otherwise."""

from __future__ import annotations

import pytest

from memory.grounding import dates_memory, resolve
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at, said, start, stretch

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


@pytest.mark.parametrize("weekday", range(7))
def test_weekdays_of_this_last_and_next_week(weekday):
    name = WEEKDAYS[weekday]
    assert start(f"the class of this {name}") == f"2026-10-{12 + weekday:02d}"
    assert start(f"I went there last {name}") == f"2026-10-{5 + weekday:02d}"
    assert start(f"I'm going there next {name}") == f"2026-10-{19 + weekday:02d}"
    assert said(f"I'm going there on {name}").start.weekday() == weekday
    assert said(f"I went there on {name[:3] if weekday != 5 else name}.").start < at(THURSDAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "2026-10-15..2026-10-16"),
        ("tomorrow", "2026-10-16..2026-10-17"),
        ("the day after tomorrow", "2026-10-17..2026-10-18"),
        ("yesterday", "2026-10-14..2026-10-15"),
        ("the day before yesterday", "2026-10-13..2026-10-14"),
        ("tonight", "2026-10-15T18:00..2026-10-16"),
        ("last night", "2026-10-14T18:00..2026-10-15"),
        ("tomorrow morning", "2026-10-16T06:00..2026-10-16T12:00"),
        ("this afternoon", "2026-10-15T12:00..2026-10-15T18:00"),
        ("on Friday night", "2026-10-16T18:00..2026-10-17"),
        ("next week", "2026-10-19..2026-10-26"),
        ("last weekend", "2026-10-10..2026-10-12"),
        ("this weekend", "2026-10-17..2026-10-19"),
        ("the week after next", "2026-10-26..2026-11-02"),
        ("next month", "2026-11-01..2026-12-01"),
        ("early next month", "2026-11-01..2026-11-11"),
        ("the end of the month", "2026-10-21..2026-11-01"),
        ("late November", "2026-11-21..2026-12-01"),
        ("the end of the year", "2026-12-01..2027-01-01"),
        ("next year", "2027-01-01..2028-01-01"),
        ("last summer", "2026-06-01..2026-09-01"),
        ("in 2019", "2019-01-01..2020-01-01"),
        ("three days ago", "2026-10-12..2026-10-13"),
        ("in ten days", "2026-10-25..2026-10-26"),
        ("in two weeks", "2026-10-26..2026-11-02"),
        ("a month ago", "2026-09-01..2026-10-01"),
        ("in half an hour", "2026-10-15T10:30..2026-10-15T10:31"),
        ("in an hour and a half", "2026-10-15T11:30..2026-10-15T11:31"),
        ("twenty minutes ago", "2026-10-15T09:40..2026-10-15T09:41"),
        ("two hours from now", "2026-10-15T12:00..2026-10-15T12:01"),
        ("the past two days", "2026-10-13..2026-10-15"),
        ("over the next three days", "2026-10-16..2026-10-19"),
        ("within three days", "2026-10-15..2026-10-19"),
        ("the week of October 26th", "2026-10-26..2026-11-02"),
        ("Q4", "2026-10-01..2027-01-01"),
        ("October 20-23", "2026-10-20..2026-10-24"),
        ("from October 20 to October 23", "2026-10-20..2026-10-24"),
        ("from 3 to 5pm", "2026-10-15T15:00..2026-10-15T17:00"),
        ("9am to 5pm tomorrow", "2026-10-16T09:00..2026-10-16T17:00"),
        ("from Monday to Wednesday we will rest", "2026-10-19..2026-10-22"),
    ],
)
def test_days_weeks_months_distances_and_ranges(text, expected):
    assert stretch(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dec 24", "2026-12-24"),
        ("December 24th", "2026-12-24"),
        ("the 24th of December", "2026-12-24"),
        ("24 Dec 2026", "2026-12-24"),
        ("December 24, 2026", "2026-12-24"),
        ("12/24/2026", "2026-12-24"),
        ("24/12/2026", "2026-12-24"),
        ("2026-12-24", "2026-12-24"),
        ("Christmas Eve", "2026-12-24"),
        ("the 24th of next month", "2026-11-24"),
        ("the second Saturday of November", "2026-11-14"),
        ("the last Friday of this month", "2026-10-30"),
        ("three days after Christmas", "2026-12-28"),
        ("two weeks from tomorrow", "2026-10-30"),
        ("Thanksgiving", "2026-11-26"),
        ("Halloween", "2026-10-31"),
        ("Mother's Day", "2027-05-09"),
        ("Easter", "2027-03-28"),
        ("next Christmas", "2026-12-25"),
        ("Lunar New Year", "2027-02-06"),
        ("New Year's Eve", "2026-12-31"),
        ("Black Friday", "2026-11-27"),
    ],
)
def test_dates_and_festivals(text, expected):
    assert start(f"I will see her on {text}") == expected
    assert said(f"I will see her on {text}").precision.value == "day"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tomorrow at 3pm", "15:00"),
        ("at 3:30 p.m. tomorrow", "15:30"),
        ("tomorrow at noon", "12:00"),
        ("half past six tomorrow evening", "18:30"),
        ("tomorrow at quarter to nine", "08:45"),
        ("tomorrow at 15:20", "15:20"),
        ("tomorrow morning at 8", "08:00"),
        ("tomorrow night at 8", "20:00"),
        ("10 o'clock tomorrow", "10:00"),
        ("tomorrow at 7:05 am", "07:05"),
    ],
)
def test_clocks_join_the_day_in_either_order(text, expected):
    found = said(text)
    assert found.start.date().isoformat() == "2026-10-16"
    assert found.start.strftime("%H:%M") == expected
    assert found.precision.value == "minute"


def test_midnight_tonight_is_the_end_of_the_day():
    assert start("tonight at midnight") == "2026-10-16"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("every Monday", "weekly:0"),
        ("on Fridays", "weekly:4"),
        ("every day", "daily"),
        ("on weekdays", "weekly:0,1,2,3,4"),
        ("every year", "yearly"),
    ],
)
def test_what_repeats_is_no_date(text, expected):
    assert said(f"I swim {text}").recurrence == expected


def test_a_distance_from_something_untold_is_no_date():
    found = resolve("three days after the surgery", at(THURSDAY), TAIPEI)
    assert not any(item.resolved for item in found)


def test_next_weekend_is_flagged():
    assert not dates_memory(said("we're hiking next weekend"))
