"""A phrase pointed at by an extractor, a model's own offset, and what may date a memory."""

from __future__ import annotations

import pytest

from memory.extraction.types import Offset
from memory.grounding import dates_memory, ground_phrase, offset_agrees
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at, said


def _pointed(text: str, phrase: str):
    return ground_phrase(text, phrase, at(THURSDAY), TAIPEI)


def test_a_phrase_is_grounded_with_the_words_around_it():
    assert _pointed("週二我去面試了", "週二").start == at("2026-10-13T00:00")
    assert _pointed("週二我要去面試", "週二").start == at("2026-10-20T00:00")


def test_a_phrase_shorter_than_the_expression_gets_the_whole_of_it():
    found = _pointed("我下週二下午三點有期末考", "下週二")
    assert found.phrase == "下週二下午三點"
    assert found.start == at("2026-10-20T15:00")


def test_of_several_expressions_the_one_pointed_at_is_taken():
    assert _pointed("昨天報名，下週五要考試", "下週五").start == at("2026-10-23T00:00")
    assert _pointed("昨天報名，下週五要考試", "昨天").start == at("2026-10-14T00:00")


def test_a_phrase_in_the_other_script_is_found_in_the_text():
    assert _pointed("我下個禮拜三要考試", "下个礼拜三").start == at("2026-10-21T00:00")


def test_a_phrase_the_text_does_not_hold_is_read_by_itself():
    assert _pointed("我要考試", "明天").start == at("2026-10-16T00:00")


@pytest.mark.parametrize("phrase", ["", "   ", "考試", "小美"])
def test_a_phrase_without_time_grounds_to_nothing(phrase):
    assert _pointed("我要考試", phrase) is None


def test_a_vague_phrase_is_found_and_stays_unresolved():
    found = _pointed("小時候住台南", "小時候")
    assert found is not None
    assert not found.resolved


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下週二要考試", True),
        ("12月24日下午三點要開會", True),
        ("下個月要搬家", True),
        ("每週二要上課", False),
        ("週二上課", False),
        ("改天再說", False),
        ("三點到五點要開會", True),
    ],
)
def test_only_sure_dates_date_a_memory(text, expected):
    assert dates_memory(said(text)) is expected


@pytest.mark.parametrize(
    ("text", "amount", "unit", "expected"),
    [
        ("明天", 1, "day", True),
        ("明天", 2, "day", False),
        ("下週二", 5, "day", True),
        ("下週二", 1, "week", True),
        ("下週二", 0, "week", False),
        ("下週二", 6, "day", False),
        ("昨天", -1, "days", True),
        ("上個月", -1, "month", True),
        ("上個月", 1, "month", False),
        ("兩週後", 2, "weeks", True),
        ("兩週後", 14, "day", True),
        ("明年", 1, "year", True),
        ("半小時後", 30, "minute", True),
        ("半小時後", 3, "hour", False),
        ("三小時後", 3, "hours", True),
        ("下週二", 1, "lightyear", False),
        ("改天", 1, "day", False),
        ("明天", 10**9, "day", False),
        ("明天", 10**9, "year", False),
        ("明天", 10**9, "month", False),
        ("明天", 10**15, "hour", False),
    ],
)
def test_a_models_own_offset_is_compared_at_the_grain_of_its_unit(text, amount, unit, expected):
    assert offset_agrees(said(text), Offset(amount=amount, unit=unit), at(THURSDAY), TAIPEI) is expected
