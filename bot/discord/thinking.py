"""The typing mark while she thinks. It is a courtesy: nothing that goes wrong with it is felt."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from typing import Any

log = logging.getLogger(__name__)

AGAIN_SECONDS = 8.0
"""Discord shows a typing mark for ten seconds."""


class Thinking:
    """Shows that she types in a channel for as long as anything there waits for her."""

    def __init__(self, again_seconds: float = AGAIN_SECONDS) -> None:
        self._again = again_seconds
        self._waiting: dict[int, set[Hashable]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def start(self, channel: Any, what: Hashable) -> None:
        """Begin to type for ``what`` in a channel (anything with an ``id`` and ``typing()``)."""
        self._waiting.setdefault(channel.id, set()).add(what)
        if channel.id not in self._tasks:
            self._tasks[channel.id] = asyncio.create_task(self._type(channel))

    def stop(self, channel_id: int, what: Hashable) -> None:
        """End typing for ``what``; the mark goes out when nothing else waits there."""
        waiting = self._waiting.get(channel_id)
        if waiting is None:
            return
        waiting.discard(what)
        if not waiting:
            del self._waiting[channel_id]
            task = self._tasks.pop(channel_id, None)
            if task is not None:
                task.cancel()

    async def close(self) -> None:
        """End all typing."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        self._waiting.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _type(self, channel: Any) -> None:
        while True:
            try:
                await channel.typing()
            except Exception as error:
                log.info("typing in %s failed: %s", channel.id, type(error).__name__)
            await asyncio.sleep(self._again)
