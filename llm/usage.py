"""What each call to a model cost, told to whoever counts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

logger = logging.getLogger(__name__)


class Purpose(StrEnum):
    """What a model was called for."""

    REPLY = "reply"
    ANSWER = "answer"
    EMBED_DOCUMENTS = "embed_documents"
    EMBED_QUERY = "embed_query"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens as the provider counts them; None where it doesn't say. Thoughts count as output."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """One request to a model, answered or not.

    ``shape`` names the answer asked for (``Extraction``, ``Verdicts``); ``failure`` is the name of
    the :class:`llm.errors.ModelError` it ended in, None when the provider answered. A retry is a
    request of its own. ``local``: computed in this process, so nobody was asked and nothing is owed.
    """

    model: str
    purpose: Purpose
    seconds: float
    tokens: Tokens = Tokens()
    shape: str | None = None
    failure: str | None = None
    local: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars per million tokens; 0 where nobody knows."""

    input: float = 0.0
    output: float = 0.0


@dataclass(frozen=True, slots=True)
class Spending:
    """What some requests used up. What is computed locally is no call and costs nothing.

    ``known_cost`` is in US dollars and holds the ``calls`` but for the ``unpriced`` ones: those
    whose price, or whose tokens, nobody told.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    known_cost: float = 0.0
    unpriced: int = 0

    @property
    def tokens(self) -> int:
        """All tokens that were reported."""
        return self.input_tokens + self.output_tokens

    @property
    def cost(self) -> float | None:
        """US dollars; None where that is not known of every call: an unknown cost is never shown as 0."""
        return None if self.unpriced else self.known_cost

    def __add__(self, other: Spending) -> Spending:
        """Return both together."""
        return Spending(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.known_cost + other.known_cost,
            self.unpriced + other.unpriced,
        )


def cost_of(usage: Usage, prices: Mapping[str, Price]) -> float | None:
    """Return what one request cost in US dollars, by the price of its model; None where nobody knows.

    A request that failed counts as free: no provider bills what it did not answer. So does what is
    computed locally. A side of the price (in, out) is only needed where there are tokens of it.
    """
    if usage.local or usage.failure is not None:
        return 0.0
    if usage.tokens.input is None and usage.tokens.output is None:
        return None
    price = prices.get(usage.model, Price())
    used = ((usage.tokens.input or 0, price.input), (usage.tokens.output or 0, price.output))
    if any(tokens and not each for tokens, each in used):
        return None
    return sum(tokens * each for tokens, each in used) / 1_000_000


def spending_of(usages: Iterable[Usage], prices: Mapping[str, Price]) -> Spending:
    """Return what requests used up together: the one count behind every display of calls and cost."""
    total = Spending()
    for usage in usages:
        if usage.local:
            continue
        cost = cost_of(usage, prices)
        total += Spending(
            calls=1,
            input_tokens=usage.tokens.input or 0,
            output_tokens=usage.tokens.output or 0,
            known_cost=cost or 0.0,
            unpriced=int(cost is None),
        )
    return total


UsageSink = Callable[[Usage], None]


def report(sink: UsageSink | None, usage: Usage) -> None:
    """Hand ``usage`` to ``sink``; a counter that fails is logged and costs nobody an answer."""
    if sink is None:
        return
    try:
        sink(usage)
    except Exception as error:
        logger.warning("the usage counter failed: %s", type(error).__name__)
