from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction.types import Change
from memory.grounding import resolve
from memory.grounding.types import TimeExpression
from memory.model import Memory, Phase, Precision, TemporalState
from memory.policy import MemoryPolicy
from memory.recollection import Reading, Recalled
from memory.telling import apply_reading
from memory.temporal import classify, phase
from tests.memory.recall_builders import TAIPEI, at, event, exam, remember

POLICY = MemoryPolicy()
NOW = at("2026-09-12 21:30")


def expression(phrase: str, start: str, end: str, precision: Precision = Precision.DAY) -> TimeExpression:
    return TimeExpression(phrase, (0, len(phrase)), at(start), at(end), precision, None, "test")


def recall(memory: Memory, now: datetime) -> Recalled:
    state = classify(memory, now, False, POLICY)
    return Recalled(memory, state, phase(memory, now, POLICY), 0.6, 1.0, 0.7, "")


def told(change: Change, memory: Memory, *times: TimeExpression, now: datetime = NOW) -> Recalled:
    recalled = (recall(remember("other"), now), recall(memory, now))
    return apply_reading(recalled, Reading(change=change, times=times), memory.id, now)[1]


def test_done_makes_an_event_past_for_this_reply() -> None:
    one = told(Change.DONE, exam(), now=at("2026-09-15 10:00"))
    assert (one.phase, one.state, one.told_now) == (Phase.PAST, TemporalState.VALID, Change.DONE)
    assert one.why == "這句話剛說它結束了"


def test_cancelled_leaves_an_event_without_a_phase() -> None:
    one = told(Change.CANCELLED, exam())
    assert (one.phase, one.told_now) == (None, Change.CANCELLED)


def test_moved_takes_the_new_date_for_this_reply() -> None:
    one = told(Change.MOVED, exam(), expression("下週五", "2026-09-18 00:00", "2026-09-19 00:00"))
    assert (one.memory.valid_from, one.phase) == (at("2026-09-18 00:00"), Phase.UPCOMING)
    assert one.memory.when_text == "下週五"


def test_the_day_it_was_planned_for_is_not_the_new_date() -> None:
    friday = expression("下週五", "2026-09-18 00:00", "2026-09-19 00:00")
    tuesday = expression("下週二", "2026-09-15 00:00", "2026-09-16 00:00")
    assert told(Change.MOVED, exam(), friday, tuesday).memory.valid_from == at("2026-09-18 00:00")


@pytest.mark.parametrize("said_at", ["2026-09-12 09:00", "2026-09-12 21:30", "2026-09-15 09:00"])
def test_a_clock_time_alone_moves_an_event_within_its_own_day(said_at: str) -> None:
    now = at(said_at)
    moved = told(Change.MOVED, exam(), *resolve("考試改成下午三點", now, TAIPEI), now=now)
    assert moved.memory.valid_from == at("2026-09-15 15:00")
    assert (moved.memory.precision, moved.phase) == (Precision.MINUTE, Phase.UPCOMING)


def test_a_clock_time_with_its_day_moves_an_event_to_that_day() -> None:
    moved = told(Change.MOVED, exam(), *resolve("考試改成明天下午三點", NOW, TAIPEI))
    assert moved.memory.valid_from == at("2026-09-13 15:00")


def test_a_clock_time_alone_says_nothing_about_a_plan_for_some_day_of_a_month() -> None:
    move = event("m", "使用者要搬家", "2026-10-01", "2026-11-01", precision=Precision.MONTH)
    moved = told(Change.MOVED, move, *resolve("改成下午三點", NOW, TAIPEI))
    assert (moved.memory, moved.phase) == (move, None)


def test_moved_without_a_sure_date_claims_nothing() -> None:
    assert told(Change.MOVED, exam()).phase is None


def test_other_memories_are_left_as_they_are() -> None:
    recalled = (recall(exam(), NOW), recall(remember("other"), NOW))
    changed = apply_reading(recalled, Reading(change=Change.DONE), "exam", NOW)
    assert [one.told_now for one in changed if one.memory.id == "other"] == [None]
    assert apply_reading(recalled, Reading(change=Change.DONE), None, NOW) == recalled
    assert apply_reading(recalled, Reading(), "exam", NOW) == recalled
