"""Work about a person that can be broken off from elsewhere, for they are about to be erased."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, Result]]


class PeoplesWork:
    """What is being done about whom at this moment."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Any], str] = {}
        self._rounds: list[deque[tuple[str, Work[Any]]]] = []

    async def one_by_one(self, works: Iterable[tuple[str, Work[Result]]]) -> list[Result]:
        """Do pieces of work, each about a person, in order; returns what came of those that were done."""
        left, done = deque(works), list[Result]()
        self._rounds.append(left)
        try:
            while left:
                user_id, work = left.popleft()
                result = await self.of(user_id, work())
                done += [] if result is None else [result]
        finally:
            self._rounds = [one for one in self._rounds if one is not left]
        return done

    async def of(self, user_id: str, work: Coroutine[Any, Any, Result]) -> Result | None:
        """Do a piece of work about a person; None where it was broken off. Raises what it raises."""
        task = asyncio.create_task(work)
        self._tasks[task] = user_id
        try:
            return await task
        except asyncio.CancelledError:
            mine = asyncio.current_task()
            if mine is not None and mine.cancelling():
                raise
            return None
        finally:
            self._tasks.pop(task, None)

    async def break_off(self, user_id: str) -> None:
        """Cancel what is being done about a person and what is to be done, and wait until it has ended."""
        for left in self._rounds:
            others = [one for one in left if one[0] != user_id]
            left.clear()
            left.extend(others)
        theirs = [task for task, whose in self._tasks.items() if whose == user_id]
        for task in theirs:
            task.cancel()
        await asyncio.gather(*theirs, return_exceptions=True)
