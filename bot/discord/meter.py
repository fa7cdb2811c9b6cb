"""Which tokens were spent on whose message: models tell what a call cost, not for whom it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from llm.usage import Usage


@dataclass
class Count:
    """What was spent inside one block: requests to models, and the tokens they reported."""

    calls: int = 0
    tokens: int = 0


class Meter:
    """Counts by task. Give :meth:`sink` to the house; count inside :meth:`counting`."""

    def __init__(self) -> None:
        self._counts: ContextVar[Count | None] = ContextVar("count", default=None)
        self.total = Count()

    def sink(self, usage: Usage) -> None:
        """Take in one request to a model."""
        tokens = (usage.tokens.input or 0) + (usage.tokens.output or 0)
        for count in (self.total, self._counts.get()):
            if count is not None:
                count.calls += 1
                count.tokens += tokens

    @contextmanager
    def counting(self) -> Iterator[Count]:
        """Count what this task, and tasks it starts, spend inside the block."""
        count = Count()
        token = self._counts.set(count)
        try:
            yield count
        finally:
            self._counts.reset(token)
