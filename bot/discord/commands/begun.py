"""What people have asked for and is still being answered: an orderly end waits for it."""

from __future__ import annotations

import asyncio
from typing import Any


class Begun:
    """The commands, presses and forms in hand, each a task of the library's."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def count(self) -> None:
        """Count the running task in, until it is done."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait until everything is answered."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
