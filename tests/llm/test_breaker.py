"""When a model that is down is left alone, when it is asked again, and what counts as being down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.breaker import Breaker, Leave, Rest, Standing
from llm.errors import (
    ModelAway,
    ModelBlocked,
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelMisconfigured,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
)

REST = Rest(failures=3, first=5.0, longest=20.0, longest_quota=600.0)


def fails(breaker: Breaker, now: float, error: ModelError) -> None:
    leave = breaker.ask(now)
    assert isinstance(leave, Leave)
    breaker.failed(error, leave, now)


def opened(error: ModelError | None = None) -> Breaker:
    breaker = Breaker(REST)
    for _ in range(REST.failures):
        fails(breaker, 0.0, error or ModelDown("503"))
    return breaker


@pytest.mark.parametrize("error", [ModelDown("503"), ModelTimeout("30 s")], ids=["down", "timeout"])
def test_after_so_many_failures_in_a_row_nobody_is_asked(error: ModelError) -> None:
    breaker = opened(error)
    refusal = breaker.ask(4.9)
    assert isinstance(refusal, ModelAway)
    assert refusal.transient
    assert str(error) in str(refusal)
    assert (breaker.standing, breaker.cause) == (Standing.AWAY, str(error))


def test_one_answer_between_failures_begins_the_count_anew() -> None:
    breaker = Breaker(REST)
    for _ in range(5):
        fails(breaker, 0.0, ModelDown("503"))
        fails(breaker, 0.0, ModelDown("503"))
        breaker.answered()
    assert breaker.ask(0.0) == Leave()
    assert breaker.standing is Standing.FINE


@pytest.mark.parametrize(
    "error",
    [ModelRefused("400"), ModelBlocked("x"), ModelEmpty("x"), ModelMalformed("x"), ModelMisconfigured("401")],
    ids=lambda error: type(error).__name__,
)
def test_what_is_wrong_with_a_request_or_an_answer_never_opens_it(error: ModelError) -> None:
    breaker = Breaker(REST)
    for _ in range(20):
        fails(breaker, 0.0, error)
    assert breaker.ask(0.0) == Leave()


def test_a_wrong_key_is_remembered_until_something_is_answered() -> None:
    breaker = Breaker(REST)
    fails(breaker, 0.0, ModelMisconfigured("401: check the key"))
    assert (breaker.standing, breaker.cause) == (Standing.REFUSED, "401: check the key")
    breaker.answered()
    assert (breaker.standing, breaker.cause) == (Standing.FINE, "")


def test_after_the_pause_one_request_is_the_probe_and_the_others_wait_for_none() -> None:
    breaker = opened()
    assert breaker.ask(5.0) == Leave(probe=True)
    assert isinstance(breaker.ask(5.0), ModelAway)
    breaker.answered()
    assert breaker.ask(5.0) == breaker.ask(5.0) == Leave()


def test_each_probe_that_fails_doubles_the_pause_up_to_the_longest() -> None:
    breaker, now = opened(), 0.0
    pauses = []
    for _ in range(5):
        pauses.append(breaker.rests(now))
        now += breaker.rests(now)
        fails(breaker, now, ModelTimeout("30 s"))
    assert pauses == [5.0, 10.0, 20.0, 20.0, 20.0]


def test_a_probe_that_was_cancelled_lets_the_next_one_go() -> None:
    breaker = opened()
    leave = breaker.ask(5.0)
    assert isinstance(leave, Leave)
    breaker.broken_off(leave)
    assert breaker.ask(5.0) == Leave(probe=True)


def test_what_was_under_way_when_it_opened_makes_the_pause_no_longer() -> None:
    breaker = Breaker(REST)
    late = breaker.ask(0.0)
    assert isinstance(late, Leave)
    for _ in range(REST.failures):
        fails(breaker, 0.0, ModelDown("503"))
    breaker.failed(ModelTimeout("30 s"), late, 4.0)
    assert breaker.rests(4.0) == 1.0


def test_a_late_answer_of_before_closes_it() -> None:
    breaker = opened()
    breaker.answered()
    assert breaker.ask(0.1) == Leave()


def test_a_quota_is_left_alone_as_long_as_the_provider_says() -> None:
    breaker = Breaker(REST)
    fails(breaker, 0.0, ModelRateLimited("429", 40.0))
    refusal = breaker.ask(10.0)
    assert isinstance(refusal, ModelRateLimited)
    assert refusal.retry_after == 30.0
    standings = [breaker.standing]
    assert breaker.ask(40.0) == breaker.ask(40.0) == Leave()
    assert [*standings, breaker.standing] == [Standing.QUOTA, Standing.FINE]


def test_no_provider_keeps_her_silent_for_ever() -> None:
    breaker = Breaker(REST)
    fails(breaker, 0.0, ModelRateLimited("429", 1e9))
    assert breaker.rests(0.0) == REST.longest_quota


def test_limits_that_say_nothing_count_as_failures() -> None:
    breaker = opened(ModelRateLimited("429"))
    refusal = breaker.ask(1.0)
    assert isinstance(refusal, ModelRateLimited)
    assert refusal.retry_after == 4.0


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ask", "answer", "down", "quota", "cancel"]), st.floats(0, 60), st.integers(0, 3)
        )
    )
)
def test_whatever_happens_it_asks_again_and_never_two_probes_at_once(
    steps: list[tuple[str, float, int]],
) -> None:
    breaker, now, under_way = Breaker(REST), 0.0, []
    for what, later, which in steps:
        now += later
        if what == "ask":
            leave = breaker.ask(now)
            under_way += [leave] if isinstance(leave, Leave) else []
        elif under_way:
            leave = under_way.pop(which % len(under_way))
            match what:
                case "answer":
                    breaker.answered()
                case "down":
                    breaker.failed(ModelDown("503"), leave, now)
                case "quota":
                    breaker.failed(ModelRateLimited("429", later), leave, now)
                case "cancel":
                    breaker.broken_off(leave)
        assert breaker.rests(now) <= REST.longest_quota
    for leave in under_way:
        breaker.broken_off(leave)
    assert isinstance(breaker.ask(now + REST.longest_quota), Leave)
