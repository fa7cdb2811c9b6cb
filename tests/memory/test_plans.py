from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.grounding.types import TimeExpression
from memory.model import Flag, Memory, Phase, Precision
from memory.plans import SOON, UNDATED, asks_for_plans, plan_match
from memory.policy import MemoryPolicy, Thresholds
from memory.ranking import Candidate, Ranking, rank
from memory.recollection import Reading
from memory.temporal import event_window, phase
from tests.memory.recall_builders import at, event, exam, remember

POLICY = MemoryPolicy()
FLOOR = Thresholds(0.0, 0.65, 0.37, "test")
NOW = at("2026-09-12 21:30")
AHEAD = timedelta.max


def asked(query: str, *memories: Memory, reading: Reading = Reading()) -> Ranking:  # noqa: B008
    candidates = [Candidate(memory, 0.1) for memory in memories]
    return rank(query, reading, candidates, NOW, POLICY, FLOOR)


def matched(memory: Memory, within: timedelta = AHEAD) -> float:
    return plan_match(memory, event_window(memory, POLICY), phase(memory, NOW, POLICY), NOW, within)


@pytest.mark.parametrize(
    "text",
    [
        "我接下來有什麼行程？",
        "我最近有什麼計畫嗎",
        "我之后有什么安排",
        "你記得我有什麼計畫嗎？",
        "我這陣子要忙什麼",
        "What plans do I have?",
        "Do I have any plans coming up?",
        "what's on my schedule",
        "私の予定は何？",
        "今後の予定を教えて",
    ],
)
def test_a_question_for_whatever_is_coming_has_no_limit(text: str) -> None:
    assert asks_for_plans(text) == AHEAD


@pytest.mark.parametrize(
    "text", ["我等一下要做什麼？", "待會要幹嘛", "What am I doing later?", "このあと何がある？"]
)
def test_what_is_asked_for_the_next_hours_is_no_plan_for_next_week(text: str) -> None:
    assert asks_for_plans(text) == SOON


@pytest.mark.parametrize(
    "text",
    [
        "我要怎麼安排搬家",
        "我最近有什麼考試？",
        "我喜歡做什麼",
        "我住哪裡",
        "最近怎麼樣",
        "我之前有什麼計畫？",
        "你有什麼計畫？",
        "What are you doing?",
        "What do I do for work?",
        "",
    ],
)
def test_a_question_that_names_something_else_is_not_for_plans(text: str) -> None:
    assert asks_for_plans(text) is None


def test_a_plan_counts_the_less_the_further_ahead_it_lies() -> None:
    near = event("near", "使用者要去爬山", "2026-09-14", "2026-09-15")
    month = event("month", "使用者要開刀", "2026-10-12", "2026-10-13")
    running = event("running", "使用者在出差", "2026-09-11", "2026-09-14")
    assert matched(running) == 1.0
    assert 1.0 > matched(near) > matched(month) > 0.0
    assert matched(month) == pytest.approx(0.5, abs=0.02)


def test_what_is_no_plan_ahead_never_matches() -> None:
    past = event("past", "使用者去看電影", "2026-09-10", "2026-09-11")
    off = event("off", "使用者的聚餐取消了", "2026-09-14", "2026-09-15", flags=(Flag.CANCELLED,))
    assert [matched(one) for one in (past, off, remember("tea"))] == [0.0, 0.0, 0.0]


def test_a_plan_without_a_day_may_come_any_day() -> None:
    assert matched(event("some", "使用者改天要去看牙醫", None, None)) == UNDATED


@given(st.integers(0, 10_000))
def test_nothing_beyond_the_next_hours_is_meant_by_later(minutes: int) -> None:
    start = NOW + timedelta(minutes=minutes)
    soon = exam(valid_from=start, valid_to=start + timedelta(minutes=1), precision=Precision.MINUTE)
    assert (matched(soon, SOON) > 0) is (timedelta(minutes=minutes) <= SOON)


def test_plans_enter_under_the_floor_the_nearest_first() -> None:
    far = event("far", "使用者要結婚", "2027-02-01", "2027-03-01", precision=Precision.MONTH)
    near = event("near", "使用者要去爬山", "2026-09-14", "2026-09-15")
    past = event("past", "使用者去看電影", "2026-09-10", "2026-09-11")
    ranking = asked("我接下來有什麼行程？", far, past, near, remember("tea"))
    assert [one.memory.id for one in ranking.kept] == ["near", "far"]
    assert [one.phase for one in ranking.kept] == [Phase.UPCOMING, Phase.UPCOMING]
    assert {line.memory_id: line.cause for line in ranking.audit if not line.kept} == {
        "past": "below_floor",
        "tea": "below_floor",
    }


def test_a_day_that_is_named_goes_before_whatever_is_coming() -> None:
    tuesday = event("tuesday", "使用者有期末考", "2026-09-15", "2026-09-16")
    friday = event("friday", "使用者要去爬山", "2026-09-18", "2026-09-19")
    named = TimeExpression("下週五", (1, 4), at("2026-09-18"), at("2026-09-19"), Precision.DAY, None, "test")
    ranking = asked("我下週五有什麼行程？", tuesday, friday, reading=Reading(times=(named,)))
    assert [one.memory.id for one in ranking.kept] == ["friday"]
