"""Messages that belong together, one at a time in each conversation, and no endless queue."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")


class Taken(StrEnum):
    """What became of a message that was handed in."""

    QUEUED = "queued"
    FIRST_DROPPED = "first_dropped"
    DROPPED = "dropped"


@dataclass
class _Burst(Generic[T]):
    person: str
    last: float
    items: list[T] = field(default_factory=list)
    typing: float | None = None


@dataclass
class _Line(Generic[T]):
    bursts: deque[_Burst[T]] = field(default_factory=deque)
    told: bool = False
    task: asyncio.Task[None] | None = None
    handled: str | None = None
    handling: asyncio.Task[None] | None = None
    broken_off: bool = False

    @property
    def waiting(self) -> int:
        return sum(len(burst.items) for burst in self.bursts)


class Bursts(Generic[T]):
    """Queues of messages by conversation.

    What one person sends before they have been quiet for a while is one burst, handed to ``handle``
    whole. Bursts of a conversation go one after the other, in the order they began; conversations
    go side by side. ``quiet``: how many seconds after its last message a burst is over, by its
    messages; ``typing``: how many after its person was last seen typing. ``cap``: messages waiting
    in a conversation before one is dropped; the first one dropped since the queue was last empty
    says so.
    """

    def __init__(
        self,
        handle: Callable[[Sequence[T]], Awaitable[None]],
        *,
        quiet: Callable[[Sequence[T]], float],
        cap: int,
        typing: float = 0.0,
    ) -> None:
        self._handle = handle
        self._quiet = quiet
        self._typing = typing
        self._cap = cap
        self._lines: dict[str, _Line[T]] = {}
        self._closing = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many messages wait, all conversations together."""
        return sum(line.waiting for line in self._lines.values())

    def add(self, conversation: str, person: str, item: T) -> Taken:
        """Hand in a message."""
        line = self._lines.setdefault(conversation, _Line())
        if line.waiting >= self._cap:
            first, line.told = not line.told, True
            return Taken.FIRST_DROPPED if first else Taken.DROPPED
        now = asyncio.get_running_loop().time()
        burst = next((burst for burst in line.bursts if burst.person == person), None)
        if burst is None:
            burst = _Burst(person, now)
            line.bursts.append(burst)
        burst.items.append(item)
        burst.last, burst.typing = now, None
        if line.task is None:
            line.task = asyncio.create_task(self._work(conversation, line))
        return Taken.QUEUED

    def types(self, person: str, matches: Callable[[T], bool]) -> None:
        """Take notice that a person types: more may come to a burst of theirs with a matching message."""
        now = asyncio.get_running_loop().time()
        for line in self._lines.values():
            for burst in line.bursts:
                if burst.person == person and any(map(matches, burst.items)):
                    burst.typing = now

    def change(self, matches: Callable[[T], bool], new: Callable[[T], T | None]) -> bool:
        """Change a waiting message, or take it out where ``new`` gives None; tells whether it waited."""
        for line in self._lines.values():
            for burst in line.bursts:
                for number, item in enumerate(burst.items):
                    if matches(item):
                        changed = new(item)
                        burst.items[number : number + 1] = [] if changed is None else [changed]
                        return True
        return False

    async def drop(self, person: str) -> tuple[T, ...]:
        """Take out what waits of a person, break off what is being handled; returns what waited."""
        waited: list[T] = []
        broken_off: list[asyncio.Task[None]] = []
        for line in self._lines.values():
            for burst in line.bursts:
                if burst.person == person:
                    waited += burst.items
                    burst.items = []
            if line.handled == person and line.handling is not None:
                line.broken_off = True
                line.handling.cancel()
                broken_off.append(line.handling)
        await asyncio.gather(*broken_off, return_exceptions=True)
        return tuple(waited)

    async def close(self) -> None:
        """Wait for nothing more of a burst, finish what is queued."""
        self._closing.set()
        tasks = [line.task for line in self._lines.values() if line.task is not None]
        await asyncio.gather(*tasks)

    async def _work(self, conversation: str, line: _Line[T]) -> None:
        while line.bursts:
            burst = line.bursts[0]
            await self._until_quiet(burst)
            line.bursts.popleft()
            if burst.items:
                await self._hand_over(line, burst)
        self._lines.pop(conversation, None)

    async def _hand_over(self, line: _Line[T], burst: _Burst[T]) -> None:
        line.handled, line.broken_off = burst.person, False
        line.handling = asyncio.ensure_future(self._handle(tuple(burst.items)))
        try:
            await line.handling
        except asyncio.CancelledError:
            if not line.broken_off:
                raise
        except Exception:
            log.exception("a burst of %d messages failed", len(burst.items))
        finally:
            line.handled = line.handling = None

    async def _until_quiet(self, burst: _Burst[T]) -> None:
        """Wait until a burst is over: nothing more came for long enough, and its person doesn't type."""
        loop = asyncio.get_running_loop()
        while burst.items and not self._closing.is_set():
            until = burst.last + self._quiet(burst.items)
            if burst.typing is not None:
                until = max(until, burst.typing + self._typing)
            wait = until - loop.time()
            if wait <= 0:
                return
            try:
                await asyncio.wait_for(self._closing.wait(), wait)
            except TimeoutError:
                continue
