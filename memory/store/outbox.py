"""The outbox: what the index still has to mirror. Draining is idempotent, so a crash costs nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import Connection, bindparam, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.steps import OnStep, Step, ignore_step
from memory.store.database import Database
from memory.store.dialects import hold_alone
from memory.store.errors import IndexUnavailable, StoreError
from memory.store.gate import Stored, some
from memory.store.index import VectorIndex
from memory.store.schema import memories, outbox

log = logging.getLogger(__name__)

BATCH = 64
_MIRRORING = "outbox"
_FIRST_RETRY = 1.0
_LONGEST_RETRY = 60.0
_ENOUGH = 3


_PENDING = select(outbox.c.memory_id).where(outbox.c.user_id == bindparam("user"))


def pending_of(connection: Connection, user_id: str) -> frozenset[str]:
    """Return the ids of a person's memories that the index may not hold as they are now."""
    return frozenset(connection.scalars(_PENDING, {"user": user_id}))


class Outbox:
    """Carries changes from SQL to the index, in small batches."""

    def __init__(self, database: Database, index: VectorIndex, on_step: OnStep = ignore_step) -> None:
        self._database = database
        self._index = index
        self._on_step = on_step
        self._wake = asyncio.Event()
        self._draining = asyncio.Lock()

    def wake(self) -> None:
        """Tell the background task that there is something to mirror."""
        self._wake.set()

    async def drain(self) -> int:
        """Mirror all that is pending; returns how many memories. Raises ``IndexUnavailable``."""
        mirrored = 0
        async with self._draining:
            while done := await self._drain_batch():
                mirrored += done
        return mirrored

    @asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """Keep everybody from mirroring while inside, other processes too.

        What they had read before can't come after what is done to the index in here.
        """
        async with self._draining:
            if self._database.is_sqlite:  # whoever mirrors holds the folder
                yield
            else:
                async with self._database.write() as connection:
                    await hold_alone(connection, _MIRRORING)
                    yield

    async def lag(self) -> int:
        """Return how many changes the index is behind."""
        async with self._database.read() as connection:
            return int((await connection.execute(select(func.count()).select_from(outbox))).scalar_one())

    @asynccontextmanager
    async def running(self, repair: Callable[[], Awaitable[object]] | None = None) -> AsyncIterator[None]:
        """Drain in the background while inside; a last try is made at the end.

        ``repair`` fills the index anew: it is called where the index has lost something, and where
        it could not be used over and over.
        """
        task = asyncio.create_task(self._run(repair), name="outbox")
        self.wake()
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            with contextlib.suppress(StoreError):  # it waits in SQL for the next start
                await self.drain()

    async def _run(self, repair: Callable[[], Awaitable[object]] | None) -> None:
        wait, in_vain = _FIRST_RETRY, 0
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                if repair is not None and (self._index.has_lost or in_vain >= _ENOUGH):
                    log.warning("the index is damaged or incomplete: it is filled anew from the database")
                    in_vain = 0
                    await repair()
                    self._index.has_lost = False
                    log.info("the index is whole again")
                await self.drain()
                await self._look_after_renewal()
                wait, in_vain = _FIRST_RETRY, 0
            except StoreError as error:
                in_vain += isinstance(error, IndexUnavailable)
                # the index, or the database itself: either may be back in a while
                log.warning("the index waits (%s), next try in %.0f s", error, wait)
                self._wake.set()
                await asyncio.sleep(wait)
                wait = min(wait * 2, _LONGEST_RETRY)

    async def _look_after_renewal(self) -> None:
        """See whether a Chroma that was opened anew still holds what was mirrored; a folder may be gone."""
        if not self._index.renewed:
            return
        async with self._database.read() as connection:
            every = (await connection.execute(select(func.count()).select_from(memories))).scalar_one()
            waiting = (
                await connection.execute(select(func.count(outbox.c.memory_id.distinct())))
            ).scalar_one()
        if await self._index.held() < every - waiting:
            self._index.has_lost = True
            self._wake.set()
        self._index.renewed = False

    async def _drain_batch(self) -> int:
        if not self._database.is_sqlite:
            return await self._drain_shared()
        async with self._database.read() as connection:
            seqs, stored = await _next(connection)
        if not seqs:
            return 0
        await self._mirror(stored)
        async with self._database.write() as connection:
            await _settle(connection, seqs)
        self._on_step(Step.SETTLED)
        return len(stored) or len(seqs)

    async def _drain_shared(self) -> int:
        """Mirror a batch while no other process does: an older revision must not come after a newer one."""
        async with self._database.write() as connection:
            await hold_alone(connection, _MIRRORING)
            seqs, stored = await _next(connection)
            if seqs:
                await self._mirror(stored)
                await _settle(connection, seqs)
        if seqs:
            self._on_step(Step.SETTLED)
        return len(stored) or len(seqs)

    async def _mirror(self, stored: Sequence[Stored]) -> None:
        await self._index.mirror([(item.memory, item.vector) for item in stored])
        self._on_step(Step.MIRRORED)


async def _next(connection: AsyncConnection) -> tuple[list[int], list[Stored]]:
    rows = list(await connection.execute(select(outbox).order_by(outbox.c.seq).limit(BATCH)))
    stored = await some(connection, {row.memory_id for row in rows}) if rows else {}
    return [row.seq for row in rows], list(stored.values())


async def _settle(connection: AsyncConnection, seqs: Collection[int]) -> None:
    await connection.execute(delete(outbox).where(outbox.c.seq.in_(list(seqs))))
