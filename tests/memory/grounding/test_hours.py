"""Clock times and runs of hours. Said on Thursday 2026-10-15 at 10:00 unless told otherwise."""

from __future__ import annotations

import pytest

from memory.grounding import dates_memory, resolve
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at, said, start, stretch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三點到五點要上課", "2026-10-15T15:00..2026-10-15T17:00"),
        ("兩點半到四點有會", "2026-10-15T14:30..2026-10-15T16:00"),
        ("從五點半到六點", "2026-10-15T17:30..2026-10-15T18:00"),
        ("十一點到三點要顧店", "2026-10-15T11:00..2026-10-15T15:00"),
        ("早上九點到五點上班", "2026-10-15T09:00..2026-10-15T17:00"),
        ("今晚十一點到三點", "2026-10-15T23:00..2026-10-16T03:00"),
        ("22:00到2:00打工", "2026-10-15T22:00..2026-10-16T02:00"),
        ("from 11 to 3pm", "2026-10-15T11:00..2026-10-15T15:00"),
        ("the party runs from 11 pm to 3", "2026-10-15T23:00..2026-10-16T03:00"),
        ("5 to 6 p.m", "2026-10-15T17:00..2026-10-15T18:00"),
        ("I have class from 3 to 5", "2026-10-15T15:00..2026-10-15T17:00"),
        ("tomorrow from 10 to 11:30", "2026-10-16T10:00..2026-10-16T11:30"),
        ("between 1 and 4 on Friday", "2026-10-16T13:00..2026-10-16T16:00"),
        ("the talk is at 2pm for 2 hours", "2026-10-15T14:00..2026-10-15T16:00"),
    ],
)
def test_a_run_of_hours_lies_in_waking_hours_unless_told_otherwise(text, expected):
    assert stretch(text) == expected


def test_a_run_of_hours_on_one_day_dates_a_memory():
    assert dates_memory(said("三點到五點要上課"))


def test_a_run_of_hours_that_is_over_is_open_without_a_tense():
    found = said("三點到五點", "2026-10-15T20:00")
    assert found.ambiguous
    assert start("三點到五點要上課", "2026-10-15T20:00") == "2026-10-16T15:00"
    assert start("我三點到五點睡著了", "2026-10-15T20:00") == "2026-10-15T15:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at seven twenty-seven", "2026-10-15T19:27"),
        ("four oh five pm", "2026-10-15T16:05"),
        ("half past noon", "2026-10-15T12:30"),
        ("a quarter to midnight", "2026-10-15T23:45"),
        ("tomorrow at 8.30pm", "2026-10-16T20:30"),
        ("the train tomorrow at 08.45", "2026-10-16T08:45"),
        ("call me at 1130pm", "2026-10-15T23:30"),
        ("明天1130pm", "2026-10-16T23:30"),
        ("tomorrow at 15h", "2026-10-16T15:00"),
        ("18h30", "2026-10-15T18:30"),
        ("an hour and twenty minutes ago", "2026-10-15T08:40"),
        ("in three quarters of an hour", "2026-10-15T10:45"),
        ("5pm", "2026-10-15T17:00"),
        ("15:00開會", "2026-10-15T15:00"),
    ],
)
def test_more_ways_to_say_a_clock_time(text, expected):
    assert start(text) == expected


@pytest.mark.parametrize("text", ["15:00要開會", "I'll be there at 5pm"])
def test_a_clock_of_a_whole_day_goes_by_tense_and_is_sure(text):
    assert dates_memory(said(text))
    later = said(text, "2026-10-15T20:00")
    assert later.start.day == 16
    assert dates_memory(later)


@pytest.mark.parametrize(
    "text",
    [
        "rates rose from 3 to 5", "15h of sleep", "I bought it at 4.50 each", "rated at 4.30 out of 5",
        "I slept for 2 hours", "打兩點五折", "買了兩點五公升的水", "跑了三點二十公里", "Q1：這題怎麼寫",
        "I gave 3 to 5 people candy",
    ],
)  # fmt: skip
def test_numbers_that_are_no_clock_stay_undated(text):
    assert [item for item in resolve(text, at(THURSDAY), TAIPEI) if item.resolved] == []
