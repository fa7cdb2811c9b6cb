"""English as people type it in a chat. Said on Thursday 2026-10-15 at ten unless told otherwise."""

from __future__ import annotations

import pytest

from memory.grounding import resolve, warm
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at, start, stretch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two Sundays from now", "2026-10-25"),
        ("two Thursdays from now", "2026-10-29"),
        ("3 Fridays ago", "2026-09-25"),
        ("2 Thursdays ago", "2026-10-01"),
        ("let's do 9 tomorrow morning", "2026-10-16T09:00"),
        ("how about this evening @ 8", "2026-10-15T20:00"),
        ("see you tomorrow at 3ish", "2026-10-16T15:00"),
        ("tomorrow at half three", "2026-10-16T15:30"),
        ("tomorrow around ten thirty", "2026-10-16T10:30"),
        ("tomorrow at 730 in the evening", "2026-10-16T19:30"),
        ("noonish tomorrow", "2026-10-16T12:00"),
        ("20 of next month", "2026-11-20"),
        ("October, 22nd", "2026-10-22"),
        ("Thursday 22.10", "2026-10-22"),
        ("I was born in nineteen eighty-six", "1986-01-01"),
        ("on September the 21st, nineteen oh five", "1905-09-21"),
        ("in two thousand and twelve", "2012-01-01"),
        ("new year eve", "2026-12-31"),
        ("pancake day 2027", "2027-02-09"),
        ("Tuesday, Oct 20 at 1105am", "2026-10-20T11:05"),
        ("Oct 20 (Tue) at 5pm", "2026-10-20T17:00"),
    ],
)
def test_what_people_type_lands_where_the_calendar_says(text, expected):
    assert start(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tomorrow AM", "2026-10-16T06:00..2026-10-16T12:00"),
        ("tomorrow at lunch", "2026-10-16T11:00..2026-10-16T14:00"),
        ("Oct 20 AM", "2026-10-20T06:00..2026-10-20T12:00"),
        ("the rest of the day", "2026-10-15T10:00..2026-10-16"),
        ("tomorrow 9 to 5", "2026-10-16T09:00..2026-10-16T17:00"),
        ("10/20/2026 between 10 and 11:30", "2026-10-20T10:00..2026-10-20T11:30"),
        ("Friday from 9:30 untill 11:00", "2026-10-16T09:30..2026-10-16T11:00"),
        ("by EOD", "2026-10-15..2026-10-16"),
        ("by the end of the day", "2026-10-15..2026-10-16"),
        ("over the next couple weeks", "2026-10-16..2026-10-30"),
        ("in 2017 q1", "2017-01-01..2017-04-01"),
        ("in the late 1990s", "1997-01-01..2000-01-01"),
        ("the nineteen seventies", "1970-01-01..1980-01-01"),
        ("next decade", "2030-01-01..2040-01-01"),
        ("busy from now until 8pm", "2026-10-15T10:00..2026-10-15T20:00"),
        ("I've been here since 9am until now", "2026-10-15T09:00..2026-10-15T10:00"),
    ],
)
def test_what_people_type_lasts_as_long_as_said(text, expected):
    assert stretch(text) == expected


@pytest.mark.parametrize("text", ["Fri", "sat.", "25th", "on 24th"])
def test_a_bare_answer_is_read_but_not_sure(text):
    (found,) = resolve(text, at(THURSDAY), TAIPEI)
    assert found.resolved
    assert found.ambiguous


@pytest.mark.parametrize("text", ["Thursday 23.10", "Monday 11.30"])
def test_figures_with_a_dot_are_a_date_only_where_the_weekday_agrees(text):
    assert not any(item.resolved for item in resolve(text, at(THURSDAY), TAIPEI))


def test_warming_reads_nothing_and_may_be_done_twice():
    warm()
    warm()
    assert start("tomorrow") == "2026-10-16"
