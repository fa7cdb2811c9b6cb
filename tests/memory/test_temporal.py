from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model import Category, Kind, Phase, Precision, TemporalState
from memory.policy import MemoryPolicy
from memory.temporal import classify, decay, event_window, expiry_of, phase
from tests.memory.recall_builders import TAIPEI, at, event, exam, remember

POLICY = MemoryPolicy()
moments = st.datetimes(datetime.fromisoformat("2020-01-01"), datetime.fromisoformat("2035-01-01")).map(
    lambda moment: at(moment.isoformat(sep=" ", timespec="minutes"))
)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-09-14 23:59", Phase.UPCOMING),
        ("2026-09-15 00:00", Phase.ONGOING),
        ("2026-09-15 23:59", Phase.ONGOING),
        ("2026-09-16 00:00", Phase.PAST),
    ],
)
def test_a_day_event_changes_phase_at_the_midnights_of_its_own_calendar(now: str, expected: Phase) -> None:
    assert phase(exam(), at(now), POLICY) is expected


def test_a_day_event_keeps_its_calendar_when_the_person_travels() -> None:
    # 15 September begins in Taipei while it is still the 14th in New York.
    assert phase(exam(), at("2026-09-14 12:30", "America/New_York"), POLICY) is Phase.ONGOING


@pytest.mark.parametrize("end", [None, "2026-09-15 14:01", "2026-09-15 14:00"])
def test_a_clock_time_without_an_end_lasts_two_hours(end: str | None) -> None:
    dentist = event("d", "使用者要看牙醫", "2026-09-15 14:00", end, precision=Precision.MINUTE)
    assert phase(dentist, at("2026-09-15 15:59"), POLICY) is Phase.ONGOING
    assert phase(dentist, at("2026-09-15 16:00"), POLICY) is Phase.PAST


def test_a_clock_range_ends_when_it_was_said_to_end() -> None:
    meeting = event("m", "使用者要開會", "2026-09-15 15:00", "2026-09-15 17:30", precision=Precision.RANGE)
    assert phase(meeting, at("2026-09-15 17:29"), POLICY) is Phase.ONGOING
    assert phase(meeting, at("2026-09-15 17:30"), POLICY) is Phase.PAST


def test_a_day_without_an_end_lasts_one_day_even_when_the_clocks_change() -> None:
    hike = event("h", "hike", "2026-10-25", None, zone="Europe/Berlin")
    window = event_window(hike, POLICY)
    assert window is not None
    assert window[1] - window[0] == timedelta(hours=25)


def test_what_is_no_event_has_no_phase() -> None:
    assert phase(remember("p"), at("2026-09-15 10:00"), POLICY) is None


def test_an_undated_event_has_no_phase() -> None:
    assert phase(event("t", "使用者想去日本玩", None, None), at("2026-09-15 10:00"), POLICY) is None


def test_a_told_outcome_makes_an_event_past_before_its_planned_day() -> None:
    assert phase(exam(outcome="考得不錯"), at("2026-09-13 10:00"), POLICY) is Phase.PAST


def test_an_event_known_only_by_its_end_runs_since_it_was_said() -> None:
    sale = event("s", "全館免運", None, "2026-09-12", created_at=at("2026-09-09 20:00"))
    assert phase(sale, at("2026-09-10 20:00"), POLICY) is Phase.ONGOING


@pytest.mark.parametrize(
    "fields",
    [{"archived": True}, {"expires_at": at("2026-09-15 10:00")}],
    ids=["archived", "at its expiry"],
)
def test_archived_and_expired_memories_are_expired(fields: dict[str, object]) -> None:
    assert classify(remember("p", **fields), at("2026-09-15 10:00"), False, POLICY) is TemporalState.EXPIRED


def test_a_superseded_memory_is_expired() -> None:
    assert classify(remember("p"), at("2026-09-15 10:00"), True, POLICY) is TemporalState.EXPIRED


def test_only_an_event_inside_its_window_is_temporal() -> None:
    window = {"valid_from": at("2026-09-15 00:00"), "valid_to": at("2026-09-16 00:00")}
    now = at("2026-09-15 10:00")
    assert classify(exam(), now, False, POLICY) is TemporalState.TEMPORAL
    assert classify(exam(), at("2026-09-14 10:00"), False, POLICY) is TemporalState.VALID
    for kind in (Kind.VERSIONED, Kind.STATIC):
        assert classify(remember("p", kind=kind, **window), now, False, POLICY) is TemporalState.VALID


def test_freshness_halves_with_the_half_life_of_the_category() -> None:
    hobby = remember("h", category=Category.HOBBY, created_at=at("2026-01-01 00:00"))
    assert decay(hobby, at("2026-06-30 00:00"), POLICY) == pytest.approx(0.5)


def test_a_source_may_bring_its_own_half_life() -> None:
    news = remember("n", category=Category.OTHER, created_at=at("2026-01-01 00:00"))
    assert decay(news, at("2026-01-11 00:00"), POLICY, half_life_days=10) == pytest.approx(0.5)


def test_age_runs_from_the_last_confirmation() -> None:
    now = at("2026-09-15 10:00")
    confirmed = remember("h", category=Category.HOBBY, created_at=at("2025-01-01 00:00"), updated_at=now)
    assert decay(confirmed, now, POLICY) == 1.0


def test_an_upcoming_event_is_fresh_however_long_ago_it_was_said() -> None:
    operation = event("o", "使用者要開刀", "2026-12-01", "2026-12-02", created_at=at("2026-01-01 00:00"))
    assert decay(operation, at("2026-11-30 10:00"), POLICY) == 1.0


def test_a_past_event_ages_from_its_end() -> None:
    assert decay(exam(), at("2026-09-23 00:00"), POLICY) == pytest.approx(0.5)


@pytest.mark.parametrize("category", [Category.NAME, Category.IDENTITY])
def test_what_has_no_half_life_is_neutral(category: Category) -> None:
    assert decay(remember("n", category=category), at("2030-01-01 00:00"), POLICY) == 0.5


def test_an_unknown_age_is_neutral() -> None:
    assert decay(remember("n", created_at=None), at("2030-01-01 00:00"), POLICY) == 0.5


@given(moments, st.sampled_from(Category), st.integers(0, 4000), st.integers(0, 4000))
def test_freshness_lies_between_zero_and_one_and_never_grows_with_time(
    said: datetime, category: Category, first: int, second: int
) -> None:
    memory = remember("m", category=category, created_at=said)
    earlier, later = sorted((first, second))
    fresh = decay(memory, said + timedelta(days=earlier), POLICY)
    faded = decay(memory, said + timedelta(days=later), POLICY)
    assert 0 <= faded <= fresh <= 1


@given(moments, moments, st.integers(1, 100_000))
def test_an_event_is_upcoming_before_it_ongoing_in_it_and_past_after_it(
    now: datetime, start: datetime, minutes: int
) -> None:
    end = start + timedelta(minutes=minutes)
    stands = phase(event("e", "x", None, None, valid_from=start, valid_to=end), now, POLICY)
    expected = Phase.UPCOMING if now < start else Phase.ONGOING if now < end else Phase.PAST
    assert stands is expected


def test_a_plan_expires_fourteen_days_after_its_end() -> None:
    end = at("2026-09-16 00:00")
    expires = expiry_of(Category.SCHEDULE, Kind.EVENT, at("2026-09-09 20:00"), end, POLICY, TAIPEI)
    assert expires == at("2026-09-30 00:00")


def test_an_undated_plan_expires_fourteen_days_after_it_was_said() -> None:
    said = at("2026-09-12 23:30")
    assert expiry_of(Category.SCHEDULE, Kind.EVENT, said, None, POLICY, TAIPEI) == at("2026-09-26 23:30")


def test_expiry_follows_the_clock_of_the_person_over_a_change_to_winter_time() -> None:
    end = at("2026-10-20 00:00", "Europe/Berlin")
    expires = expiry_of(Category.SCHEDULE, Kind.EVENT, None, end, POLICY, "Europe/Berlin")
    assert expires == at("2026-11-03 00:00", "Europe/Berlin")


@pytest.mark.parametrize("category", [one for one in Category if one is not Category.SCHEDULE])
def test_what_is_no_plan_never_expires(category: Category) -> None:
    said = at("2026-09-12 23:30")
    assert expiry_of(category, Kind.VERSIONED, said, None, POLICY, TAIPEI) is None


def test_a_plan_of_unknown_age_and_date_stays() -> None:
    assert expiry_of(Category.SCHEDULE, Kind.EVENT, None, None, POLICY, TAIPEI) is None
