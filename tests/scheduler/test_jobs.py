"""What wakes the work up: at once on the way in, in its rhythm, whatever happened before."""

from __future__ import annotations

import asyncio
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from memory.store.outbox import Outbox
from scheduler.follow_ups import FollowUps
from scheduler.jobs import EXPIRY, FOLLOW_UPS, Job, expiry_job, follow_ups_job, running_jobs
from tests.scheduler.street import EVENING, Street, open_street

LONG = timedelta(hours=1)


class Bell:
    """Counts its rings; a listener may wait for one."""

    def __init__(self, fail: int = 0) -> None:
        self.rings = 0
        self.fail = fail
        self.rung = asyncio.Event()

    async def __call__(self) -> None:
        self.rings += 1
        self.rung.set()
        if self.rings <= self.fail:
            raise RuntimeError


async def settled(engine: FollowUps) -> None:
    async with running_jobs([follow_ups_job(engine, LONG)]):
        pass  # the way out waits for the work in hand


async def test_everything_is_looked_at_once_on_the_way_in() -> None:
    bell = Bell()
    async with running_jobs([Job("bell", LONG, bell)]):
        await asyncio.wait_for(bell.rung.wait(), 5)
    assert bell.rings == 1


async def test_ids_zone_and_manners_towards_late_rings_are_explicit() -> None:
    async with running_jobs([Job("b", LONG, Bell()), Job("a", timedelta(minutes=1), Bell())]) as scheduler:
        assert scheduler.timezone is UTC
        jobs = {job.id: job for job in scheduler.get_jobs()}
        assert set(jobs) == {"a", "b"}
        for job in jobs.values():
            assert (job.coalesce, job.max_instances, job.misfire_grace_time) == (True, 1, None)
        assert jobs["a"].trigger.interval == timedelta(minutes=1)


async def test_it_rings_again_in_its_rhythm() -> None:
    bell = Bell()
    async with running_jobs([Job("bell", timedelta(seconds=1), bell)]):
        await asyncio.wait_for(bell.rung.wait(), 5)
        bell.rung.clear()
        await asyncio.wait_for(bell.rung.wait(), 5)
    assert bell.rings >= 2


async def test_a_failure_is_not_the_end(caplog: pytest.LogCaptureFixture) -> None:
    bell = Bell(fail=1)
    async with running_jobs([Job("bell", timedelta(seconds=1), bell)]):
        await asyncio.wait_for(bell.rung.wait(), 5)
        bell.rung.clear()
        await asyncio.wait_for(bell.rung.wait(), 5)
    assert bell.rings >= 2
    assert "job bell failed (RuntimeError)" in caplog.text


async def test_work_in_hand_is_finished_on_the_way_out() -> None:
    started, done = asyncio.Event(), []

    async def work() -> None:
        started.set()
        for _ in range(50):
            await asyncio.sleep(0)
        done.append(True)

    async with running_jobs([Job("slow", LONG, work)]):
        await started.wait()
    assert done == [True]


async def test_a_follow_up_due_while_the_house_was_closed_goes_out_once_when_it_opens(tmp_path: Path) -> None:
    async with open_street(tmp_path) as before:
        await before.willing()
        await before.plan()
        await settled(before.engine())
        assert before.post.said == []
    said = 0
    for days in (1, 2, 3):  # each time a new process, with no memory of rings but the database
        async with open_street(tmp_path) as street:
            street.at(EVENING + timedelta(days=days))
            await settled(street.engine())
            said += len(street.post.said)
    assert said == 1


async def test_two_houses_ring_at_once_and_it_is_said_once(street: Street) -> None:
    await street.willing()
    await street.plan()
    street.at(EVENING)
    await asyncio.gather(settled(street.engine()), settled(street.engine()))
    assert len(street.post.said) == 1


async def test_the_expiry_job_archives_what_has_passed(street: Street) -> None:
    exam = await street.plan()
    street.at(EVENING + timedelta(days=30))

    class Unused:
        def wake(self) -> None:
            woken.append(True)

    woken: list[bool] = []
    outbox: Outbox = Unused()  # type: ignore[assignment]
    job = expiry_job(street.lifecycle, outbox, LONG)
    async with running_jobs([job]):
        pass
    line = await street.line(exam)
    assert line.event is not None
    assert (line.event.archived, line.event.archived_by, line.state) == (
        True,
        "scheduler:expiry",
        "cancelled",
    )
    assert woken == [True]


def test_the_ids_are_stable() -> None:
    assert (EXPIRY, FOLLOW_UPS) == ("expiry", "follow_ups")
