"""Where the work on Chroma is done: in threads of this process, or in a process of its own.

An embedded write holds the interpreter for as long as it takes (25 to 200 ms), whatever thread it is
in: nothing else moves meanwhile, no heartbeat and no answer. In a process of its own it holds nobody up.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from memory.store.errors import IndexBusy, StoreError
from memory.store.frames import LENGTH, Failure, pack_frame, unpack_frame
from memory.store.shelves import Shelves

READING = frozenset({"nearest", "nearest_lore"})
_ROOT = Path(__file__).resolve().parents[2]
_CLOSING_SECONDS = 30.0
_MOST_WAITING = 32
"""Questions on their way to the other process; more would pile up while it can't answer."""


_ENDED = (
    "the process that has the index ended; it is started again by itself, recall goes on from the database"
)


class DeskError(Exception):
    """The work failed; the text names the kind of error, or says what happened."""


class Desk(Protocol):
    """Does the work of :class:`memory.store.shelves.Shelves`, by name.

    ``rows_at_once``: how many rows one write may hold. ``patience``: seconds after which a question
    is better answered without the index; None where it is always worth waiting for.
    """

    rows_at_once: int
    patience: float | None

    async def call(self, work: str, *arguments: Any) -> Any:
        """Do it. Raises ``StoreError`` kinds as they are, anything else is passed on or told by name."""
        ...

    async def close(self) -> None:
        """Let running work end and close the index."""
        ...


SERVER_PATIENCE = 2.0
"""Seconds a server may take over a question: a healthy one takes milliseconds, and SQL can answer too."""


class Threads:
    """In this process, or on a server: one thread writes, two read."""

    rows_at_once = 256

    def __init__(self, folder: Path | None, url: str | None) -> None:
        self.patience = SERVER_PATIENCE if url else None
        self._shelves = Shelves(folder, url)
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chroma-writer")
        self._readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="chroma-reader")

    async def call(self, work: str, *arguments: Any) -> Any:
        """Do it in a thread."""
        pool = self._readers if work in READING else self._writer
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool, getattr(self._shelves, work), *arguments)

    async def close(self) -> None:
        """Let running work end and stop the threads."""
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self._shelves.reset()


class Apart:
    """In a process of its own that has the folder to itself.

    Work is done in the order it was asked for. A process that has ended is started anew by the next
    call; when this one ends, however that happens, the other finds its pipe closed and ends too.
    """

    # so small that a question between two writes rarely waits longer than it is worth
    rows_at_once = 16
    patience: float | None = 0.05

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._starting = asyncio.Lock()

    @property
    def process_id(self) -> int | None:
        """The process that has the folder, while there is one."""
        return self._process.pid if self._process is not None else None

    async def start(self) -> asyncio.subprocess.Process:
        """Start it unless it runs; it opens the index by itself."""
        process = self._process
        if process is None:
            # by a task of its own: who loses patience meanwhile leaves no half of it behind
            process = await asyncio.shield(asyncio.ensure_future(self._started()))
        return process

    async def call(self, work: str, *arguments: Any) -> Any:
        """Have it done over there."""
        if work in READING and len(self._waiting) >= _MOST_WAITING:
            raise IndexBusy("Chroma has more questions than it can answer")
        process = await self.start()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        stdin = process.stdin
        if stdin is None or self._process is not process:
            raise DeskError(_ENDED)
        self._waiting.append(answer)
        stdin.write(pack_frame((work, arguments)))
        try:
            with contextlib.suppress(OSError):  # it has ended: the reader tells everybody who waits
                await stdin.drain()
            found = await answer
        finally:
            answer.cancel()  # who asked may have lost patience: then it is passed over when it comes
        if isinstance(found, Failure):
            raise StoreError(found.text) if found.is_ours else DeskError(found.text)
        return found

    async def close(self) -> None:
        """Let running work end; end the process."""
        process, reading = self._process, self._reading
        if process is None or process.stdin is None or reading is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(asyncio.shield(reading), _CLOSING_SECONDS)
        except TimeoutError:
            process.kill()
            await reading

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            return self._process or await self._start()

    async def _start(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "memory.store.index_process", str(self._folder),
            cwd=_ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        self._process = process
        self._reading = asyncio.create_task(self._read(process), name="index-process")
        return process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hand answers to those who wait, first asked first answered, until the process ends."""
        if process.stdout is None:
            return
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, OSError):
                while True:
                    head = await process.stdout.readexactly(LENGTH.size)
                    body = await process.stdout.readexactly(*LENGTH.unpack(head))
                    answer = self._waiting.popleft()
                    if not answer.done():  # else nobody waits for it any more
                        answer.set_result(unpack_frame(body))
        finally:
            self._process = None
            while self._waiting:
                answer = self._waiting.popleft()
                if not answer.done():
                    answer.set_exception(DeskError(_ENDED))
            await process.wait()
