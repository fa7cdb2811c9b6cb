"""What the house does by itself: its follow-ups and its jobs, wired for whoever carries the messages."""

from __future__ import annotations

from datetime import timedelta

from bot.house import House
from bot.settings.policy import customs
from scheduler.follow_ups import FollowUps
from scheduler.jobs import Job, expiry_job, follow_ups_job, waiting_job
from scheduler.notifier import Notifier
from scheduler.waiting import Waiting

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
