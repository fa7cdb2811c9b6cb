"""What was spent on whose message: models tell what a call used, not for whom it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from llm.usage import Price, Spending, Usage, spending_of

TOKENS = "tokens"
CALLS = "calls"
UNPRICED = "unpriced"
MICRODOLLARS = "microdollars"
"""What the spending on a message is kept under, in the inbox."""


@dataclass
class Count:
    """What was spent inside one block."""

    spent: Spending = field(default_factory=Spending)

    @property
    def tokens(self) -> int:
        """The tokens that were reported."""
        return self.spent.tokens

    @property
    def amounts(self) -> dict[str, int]:
        """The same as whole numbers, to be kept with a message."""
        amounts = {
            TOKENS: self.spent.tokens,
            CALLS: self.spent.calls,
            UNPRICED: self.spent.unpriced,
            MICRODOLLARS: round(self.spent.known_cost * 1_000_000),
        }
        return {name: amount for name, amount in amounts.items() if amount}


class Meter:
    """Counts by task. Give :meth:`sink` to the house; count inside :meth:`counting`."""

    def __init__(self, prices: Mapping[str, Price] | None = None) -> None:
        self._prices = prices or {}
        self._counts: ContextVar[Count | None] = ContextVar("count", default=None)
        self.total = Spending()

    def sink(self, usage: Usage) -> None:
        """Take in one request to a model."""
        spent = spending_of([usage], self._prices)
        self.total += spent
        count = self._counts.get()
        if count is not None:
            count.spent += spent

    @contextmanager
    def counting(self) -> Iterator[Count]:
        """Count what this task, and tasks it starts, spend inside the block."""
        count = Count()
        token = self._counts.set(count)
        try:
            yield count
        finally:
            self._counts.reset(token)
