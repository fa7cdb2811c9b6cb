"""What the house does by itself: its follow-ups and its jobs, wired for whoever carries the messages."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from bot.house import House
from bot.settings.policy import customs
from memory.store.errors import StoreError
from scheduler.follow_ups import FollowUps
from scheduler.jobs import Job, expiry_job, follow_ups_job, running_jobs, waiting_job
from scheduler.notifier import Notifier
from scheduler.waiting import Waiting

log = logging.getLogger(__name__)

RETRY_SECONDS = 30.0
"""How long to wait before looking again where what happens by itself could not begin."""

WAITING_EVERY = timedelta(minutes=1)
"""How often what waits in the inbox is tried again."""


def follow_ups_of(house: House, notifier: Notifier, *, at_once: int = 20) -> FollowUps:
    """Return the follow-ups of a house, said by ``notifier``, at most ``at_once`` of them at a time.

    Each goes out in the voice of the character whose memory it is.
    """
    schedule = house.settings.schedule
    return FollowUps(
        database=house.memory.database,
        inbox=house.memory.inbox,
        composer=house.cast,
        notifier=notifier,
        clock=house.clock,
        customs=customs(house.settings),
        language=house.settings.persona.language,
        lease=timedelta(minutes=schedule.lease_minutes),
        at_once=at_once,
        speaks_in=house.cast.speaks_in,
    )


def jobs_of(house: House, follow_ups: FollowUps) -> tuple[Job, ...]:
    """Return the jobs of a house, in the rhythm its settings give them."""
    schedule = house.settings.schedule
    memory = house.memory
    return (
        expiry_job(memory.lifecycle, memory.outbox, timedelta(minutes=schedule.expiry_every_minutes)),
        follow_ups_job(follow_ups, timedelta(minutes=schedule.follow_ups_every_minutes)),
        waiting_job(Waiting(memory.inbox, memory.observer, house.clock), WAITING_EVERY),
    )


async def happen_until(stop: asyncio.Event, house: House, notifier: Notifier) -> None:
    """Ask what is due and let expire what has passed, until ``stop``; what was begun is ended first."""
    follow_ups = follow_ups_of(house, notifier)
    ending = asyncio.create_task(stop.wait())
    try:
        while not stop.is_set() and not await _looked_anew(follow_ups):
            await asyncio.wait({ending}, timeout=RETRY_SECONDS)
        if not stop.is_set():
            async with running_jobs(jobs_of(house, follow_ups)):
                await ending
    finally:
        ending.cancel()


async def _looked_anew(follow_ups: FollowUps) -> bool:
    try:
        await follow_ups.start()
    except StoreError as error:
        log.warning("what happens by itself waits: %s", error)
        return False
    return True
