from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import Change, ExtractionRequest, Fact
from memory.model import Category


def facts(text: str, language: str = "zh-TW") -> tuple[Fact, ...]:
    said_at = datetime(2026, 9, 12, 20, tzinfo=ZoneInfo("Asia/Taipei"))
    request = ExtractionRequest(text=text, said_at=said_at, zone="Asia/Taipei", language=language)
    return extract_by_rules(request).facts


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("我不上瑜珈課了", "使用者不上瑜珈課了"),
        ("我没有在学钢琴了", "使用者没有在学钢琴了"),
        ("我不再抽菸了", "使用者不再抽菸了"),
        ("我早就不打羽球了", "使用者早就不打羽球了"),
        ("我妹妹不學鋼琴了", "使用者的妹妹不學鋼琴了"),
    ],
)
def test_what_is_done_no_more_is_kept_as_a_habit_that_ended(text: str, sentence: str) -> None:
    (fact,) = facts(text)
    assert (fact.text, fact.category) == (sentence, Category.HABIT)


def test_what_takes_its_place_is_a_fact_of_its_own() -> None:
    assert [fact.text for fact in facts("我現在不跑步了，改成每天晚上游泳")] == [
        "使用者不跑步了",
        "使用者改成每天晚上游泳",
    ]


@pytest.mark.parametrize(
    "text", ["我今天不跑步了", "我不打擾你了", "我不打開了", "我不想上班了", "你不上瑜珈課了"]
)
def test_what_is_left_out_once_ends_nothing(text: str) -> None:
    assert facts(text) == ()


def test_a_plan_that_is_off_is_no_habit() -> None:
    (fact,) = facts("我不去露營了")
    assert (fact.change, fact.category) == (Change.CANCELLED, Category.SCHEDULE)
