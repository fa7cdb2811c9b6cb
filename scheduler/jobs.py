"""What wakes the work up. APScheduler only rings; the database says what is due.

So nothing is kept in a job store, and a restart, a missed ring or a second process changes nothing:
everything is looked at once on the way in, then at every ring.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

from memory.clock import Clock, SystemClock
from memory.lifecycle import Lifecycle
from memory.store.outbox import Outbox
from scheduler.expiry import sweep
from scheduler.follow_ups import FollowUps
from scheduler.waiting import Waiting

log = logging.getLogger(__name__)

EXPIRY = "expiry"
FOLLOW_UPS = "follow_ups"
WAITING = "waiting"

LOOK_SECONDS = 30.0
"""How often the rhythm itself is looked at, in seconds no clock can take back."""


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work with the id and rhythm it is woken up by."""

    id: str
    every: timedelta
    work: Callable[[], Awaitable[object]]


def expiry_job(lifecycle: Lifecycle, outbox: Outbox, every: timedelta) -> Job:
    """Return the job that archives what has passed its time."""

    async def work() -> None:
        left = await sweep(lifecycle, outbox)
        if left:
            log.info("expiry: %d archived", len(left))

    return Job(EXPIRY, every, work)


def follow_ups_job(follow_ups: FollowUps, every: timedelta) -> Job:
    """Return the job that asks what is due."""

    async def work() -> None:
        said = await follow_ups.run_due()
        if said:
            log.info("follow-ups: %d sent", len(said))

    return Job(FOLLOW_UPS, every, work)


def waiting_job(waiting: Waiting, every: timedelta) -> Job:
    """Return the job that takes up what waits in the inbox."""

    async def work() -> None:
        taken = await waiting.observe()
        if taken:
            log.info("waiting: %d messages observed", taken)

    return Job(WAITING, every, work)


@asynccontextmanager
async def running_jobs(
    jobs: Sequence[Job], clock: Clock | None = None, look_seconds: float = LOOK_SECONDS
) -> AsyncIterator[AsyncIOScheduler]:
    """Run jobs on this loop while inside: each at once, then in its rhythm.

    A ring that comes late or while the work is still running costs nothing: it is made up for by
    one, or by the next. On the way out the work in hand is waited for, so that nothing is left
    half-said. A failure is logged and tried again at the next ring. A clock that is set back does
    not silence a job until it has caught up: its next ring is brought near again.
    """
    scheduler = AsyncIOScheduler(timezone=UTC, event_loop=asyncio.get_running_loop())
    running = {job.id: asyncio.Lock() for job in jobs}
    for job in jobs:
        scheduler.add_job(
            _ring,
            IntervalTrigger(seconds=max(1, int(job.every.total_seconds())), timezone=UTC),
            args=[job, running[job.id]],
            id=job.id,
            name=job.id,
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
            replace_existing=True,
        )
    scheduler.start()
    first = [asyncio.create_task(_ring(job, running[job.id]), name=job.id) for job in jobs]
    minding = asyncio.create_task(_mind(scheduler, jobs, clock or SystemClock(), look_seconds), name="rhythm")
    try:
        yield scheduler
    finally:
        minding.cancel()
        scheduler.remove_all_jobs()
        await asyncio.gather(*first)
        for lock in running.values():
            async with lock:
                pass
        scheduler.shutdown(wait=False)


async def _mind(scheduler: AsyncIOScheduler, jobs: Sequence[Job], clock: Clock, seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        now = clock.now()
        for job in jobs:
            entry = scheduler.get_job(job.id)
            if entry is not None and entry.next_run_time > now + max(job.every, timedelta(seconds=1)):
                log.warning("the clock was set back: job %s rings now", job.id)
                entry.modify(next_run_time=now)


async def _ring(job: Job, running: asyncio.Lock) -> None:
    if running.locked():
        return
    async with running:
        try:
            await job.work()
        except Exception as error:  # the next ring tries again; a job that dies would stay silent for ever
            log.error("job %s failed (%s)", job.id, type(error).__name__)
