from __future__ import annotations

import pytest

from llm.usage import Price, Purpose, Tokens, Usage
from memory.evaluation.spending import role_of, spending_report

PRICES = {"m": Price(input=1.0, output=2.0)}


def usage(purpose: Purpose, shape: str | None = None, **fields: object) -> Usage:
    values = {"tokens": Tokens(1000, 500), **fields}
    return Usage("m", purpose, 0.1, shape=shape, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("purpose", "shape", "role"),
    [
        (Purpose.REPLY, None, "chat"),
        (Purpose.ANSWER, "FoundFacts", "extract"),
        (Purpose.ANSWER, "Judgement", "judge"),
        (Purpose.ANSWER, "SomethingElse", "chat"),
        (Purpose.EMBED_DOCUMENTS, None, "embed"),
        (Purpose.EMBED_QUERY, None, "embed"),
    ],
)
def test_every_request_has_a_role(purpose: Purpose, shape: str | None, role: str) -> None:
    assert role_of(usage(purpose, shape)) == role


def test_calls_tokens_and_cost_are_told_by_role_and_per_message() -> None:
    used = [usage(Purpose.REPLY), usage(Purpose.ANSWER, "FoundFacts"), usage(Purpose.ANSWER, "FoundFacts")]
    report = spending_report(used, PRICES, messages=2)
    assert (report["calls"], report["calls_per_message"]) == (3, 1.5)
    assert (report["input_tokens"], report["output_tokens"]) == (3000, 1500)
    assert report["cost_usd"] == pytest.approx(0.006)
    assert report["cost_usd_per_message"] == pytest.approx(0.003)
    assert report["by_role"]["extract"]["calls"] == 2
    assert report["by_role"]["judge"]["calls"] == 0


def test_what_is_computed_here_is_no_call_and_what_has_no_price_no_zero() -> None:
    here = [usage(Purpose.EMBED_QUERY, local=True)]
    assert spending_report(here, {}, 1)["by_role"]["embed"]["computed"] == 1
    assert spending_report(here, {}, 1)["cost_usd"] == 0
    unknown = spending_report([usage(Purpose.REPLY)], {}, 1)
    assert unknown["cost_usd"] is None
    assert unknown["cost_usd_per_message"] is None
    assert unknown["calls_of_unknown_cost"] == 1


def test_a_failed_call_is_counted_and_no_messages_divide_nothing() -> None:
    report = spending_report([usage(Purpose.REPLY, failure="ModelDown")], PRICES, messages=0)
    assert (report["calls"], report["failed"], report["calls_per_message"]) == (1, 1, 0.0)
