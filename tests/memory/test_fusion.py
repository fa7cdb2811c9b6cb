from __future__ import annotations

import pytest

from memory.fusion import (
    asks_only_for_a_time,
    named_spans,
    relevance,
    subject_matches,
    time_match,
)
from memory.grounding.types import TimeExpression
from memory.model import Precision
from tests.memory.recall_builders import at

NOW = at("2026-09-12 21:30")
LAST_WEEK = (at("2026-08-31 00:00"), at("2026-09-07 00:00"))


def named(text: str, phrase: str, *, resolved: bool = True) -> TimeExpression:
    start = text.index(phrase)
    bounds = LAST_WEEK if resolved else (None, None)
    return TimeExpression(phrase, (start, start + len(phrase)), *bounds, Precision.WEEK, None, "test")


def test_words_time_and_subject_each_add_to_the_meaning() -> None:
    alone = relevance(0.5, 0.0, 0.0)
    assert alone == 0.5
    assert all(relevance(0.5, *arms) > alone for arms in [(1, 0, 0), (0, 1, 0), (0, 0, 1)])


def test_what_was_said_in_a_named_time_matches_half_open() -> None:
    assert time_match([LAST_WEEK], [LAST_WEEK[0]]) == 1.0
    assert time_match([LAST_WEEK], [LAST_WEEK[1]]) == 0.0
    assert time_match([LAST_WEEK], [None, at("2026-09-01 10:00")]) == 1.0


def test_what_happens_in_a_named_time_matches_better_than_what_was_only_said_in_it() -> None:
    said = at("2026-09-01 10:00")
    later = (at("2026-10-01 00:00"), at("2026-10-02 00:00"))
    within = (at("2026-09-06 00:00"), at("2026-09-08 00:00"))
    assert time_match([LAST_WEEK], [None], within) == 1.0
    assert 0 < time_match([LAST_WEEK], [said], later) < 1.0
    assert time_match([LAST_WEEK], [None], later) == 0.0


def test_every_reading_of_an_ambiguous_time_is_looked_at_and_an_unresolved_one_is_none() -> None:
    other = (at("2026-09-07 00:00"), at("2026-09-08 00:00"))
    two = TimeExpression("週一", (0, 2), *LAST_WEEK, Precision.DAY, None, "t", True, None, (LAST_WEEK, other))
    assert named_spans([two], NOW) == (LAST_WEEK, other)
    assert named_spans([named("上週", "上週", resolved=False)], NOW) == ()


def day(phrase: str, start: str, end: str) -> TimeExpression:
    return TimeExpression(phrase, (0, len(phrase)), at(start), at(end), Precision.DAY, None, "test")


def test_a_date_without_its_year_may_lie_in_the_nearer_year() -> None:
    # Asked on 12 September 2026 why something happened "on 30 April".
    spans = named_spans([day("4月30號", "2027-04-30 00:00", "2027-05-01 00:00")], NOW)
    assert (at("2026-04-30 00:00"), at("2026-05-01 00:00")) in spans
    assert len(named_spans([day("2027年4月30日", "2027-04-30 00:00", "2027-05-01 00:00")], NOW)) == 1
    assert len(named_spans([day("9月30號", "2026-09-30 00:00", "2026-10-01 00:00")], NOW)) == 1


def test_a_leap_day_has_no_twin_in_the_year_beside_it() -> None:
    assert len(named_spans([day("2月29日", "2028-02-29 00:00", "2028-03-01 00:00")], NOW)) == 1


@pytest.mark.parametrize("text", ["上週我說了什麼？", "上週我們聊了哪些話題呢"])
def test_a_question_that_only_names_a_time_is_known_as_such(text: str) -> None:
    assert asks_only_for_a_time(text, [named(text, "上週")])


def test_a_question_with_a_topic_or_without_a_sure_time_is_not() -> None:
    assert not asks_only_for_a_time("上週的比賽如何", [named("上週的比賽如何", "上週")])
    assert not asks_only_for_a_time("我說了什麼", [])
    assert not asks_only_for_a_time("上週我說了什麼", [named("上週我說了什麼", "上週", resolved=False)])


@pytest.mark.parametrize(
    ("query", "subject", "match"),
    [
        ("妈妈的生日是哪天", "媽媽", 1.0),
        ("我妹最近好嗎", "妹妹", 1.0),
        ("我美嗎", "小美", 0.0),
        ("where does gina work?", "Gina", 1.0),
        ("What about Angina?", "Gina", 0.0),
        ("我的生日", "媽媽", 0.0),
        ("user settings", "user", 0.0),
        ("anything", "", 0.0),
    ],
)
def test_a_named_subject_is_found_in_either_script_as_a_whole_word(
    query: str, subject: str, match: float
) -> None:
    assert subject_matches(query, [subject]) == {subject: match}
