"""Leases: one holder at a time, across tasks and processes, freed by time where a holder dies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import uuid4

from sqlalchemy import delete, select, update

from memory.clock import Clock
from memory.store.database import Database
from memory.store.dialects import insert_if_absent
from memory.store.errors import StoreUnavailable
from memory.store.schema import leases

LEASE = timedelta(minutes=1)
"""How long a holder that died keeps others waiting; a living one renews it three times in that time."""

CLOCKS_DIFFER = timedelta(minutes=1)
"""How far the clocks of two machines may be apart: what lies further ahead was written by one gone back."""

_FIRST_WAIT = 0.02
_LONGEST_WAIT = 1.0


class Leases:
    """Hands out leases.

    ``shared`` False: this process alone has the data (it holds the folder's lock), so a lock in
    memory is the lease and no row is written. ``sleep`` is how a waiter passes the time, ``rest``
    how a holder does before it renews.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        shared: bool = True,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._clock = clock
        self._shared = shared
        self._sleep = sleep
        self._rest = rest
        self._local: dict[str, asyncio.Lock] = {}
        self._waiting: dict[str, int] = {}

    @asynccontextmanager
    async def hold(self, key: str, length: timedelta = LEASE) -> AsyncIterator[None]:
        """Wait for the lease of ``key``, hold it, give it back."""
        lock = self._local.setdefault(key, asyncio.Lock())
        self._waiting[key] = self._waiting.get(key, 0) + 1
        try:
            async with lock:
                if not self._shared:
                    yield
                    return
                holder = uuid4().hex
                wait = _FIRST_WAIT
                while not await self._take(key, holder, length):
                    await self._sleep(wait)
                    wait = min(wait * 2, _LONGEST_WAIT)
                renewing = asyncio.create_task(self._renew(key, holder, length), name="lease")
                try:
                    yield
                finally:
                    renewing.cancel()
                    await asyncio.gather(renewing, return_exceptions=True)
                    await self._give_back(key, holder)
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key], self._local[key]

    async def _take(self, key: str, holder: str, length: timedelta) -> bool:
        now = self._clock.now()
        async with self._database.write() as connection:
            if await insert_if_absent(connection, leases, key=key, holder=holder, expires_at=now + length):
                return True
            held = (await connection.execute(select(leases.c.expires_at).where(leases.c.key == key))).first()
            if held is None or now < held.expires_at <= now + length + CLOCKS_DIFFER:
                return False
            # lapsed, or written by a clock that has since gone back: the holder is gone
            taken = await connection.execute(
                update(leases)
                .where(leases.c.key == key, leases.c.expires_at == held.expires_at)
                .values(holder=holder, expires_at=now + length)
            )
            return taken.rowcount == 1

    async def _renew(self, key: str, holder: str, length: timedelta) -> None:
        mine = update(leases).where(leases.c.key == key, leases.c.holder == holder)
        while True:
            await self._rest(length.total_seconds() / 3)
            with contextlib.suppress(StoreUnavailable):  # then it lapses, unless the next try comes in time
                async with self._database.write() as connection:
                    await connection.execute(mine.values(expires_at=self._clock.now() + length))

    async def _give_back(self, key: str, holder: str) -> None:
        """Give it back; what was done under it stands, whether or not that works: it lapses by itself."""
        with contextlib.suppress(StoreUnavailable):
            async with self._database.write() as connection:
                await connection.execute(delete(leases).where(leases.c.key == key, leases.c.holder == holder))
