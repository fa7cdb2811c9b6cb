"""Leases: one holder at a time, freed by time where a holder dies."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from memory.clock import SettableClock
from memory.store.database import open_database
from memory.store.lease import LEASE, Leases
from tests.support.world import START, database_url

pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
async def two_houses(tmp_path):
    """Two processes' leases over one database, on one clock."""
    clock = SettableClock(START)
    url = database_url(tmp_path)

    async def wait(_seconds: float) -> None:
        clock.advance(timedelta(minutes=1))
        await asyncio.sleep(0)

    async with open_database(url) as one, open_database(url) as two:
        yield Leases(one, clock, sleep=wait), Leases(two, clock, sleep=wait), clock


async def test_a_second_holder_waits_for_the_first(tmp_path):
    clock, tried = SettableClock(START), asyncio.Event()
    order: list[str] = []

    async def wait(_seconds: float) -> None:
        tried.set()
        await asyncio.sleep(0)

    async def second(leases: Leases) -> None:
        async with leases.hold("k"):
            order.append("second")

    url = database_url(tmp_path)
    async with open_database(url) as one, open_database(url) as two:
        async with Leases(one, clock).hold("k"):
            task = asyncio.create_task(second(Leases(two, clock, sleep=wait)))
            await tried.wait()
            order.append("first")
        await task
    assert order == ["first", "second"]


async def test_two_keys_do_not_wait_for_each_other(two_houses):
    one, two, _ = two_houses
    async with one.hold("a"), two.hold("b"):
        pass


async def test_a_dead_holders_lease_is_free_once_it_has_lapsed(two_houses):
    one, two, clock = two_houses
    assert await one._take("k", "dead", LEASE)
    before = clock.now()
    async with two.hold("k"):
        pass
    assert LEASE <= clock.now() - before <= LEASE + timedelta(minutes=2)


async def test_a_holder_that_lives_keeps_its_lease_however_long_it_takes(two_houses):
    one, two, clock = two_houses
    renewed, again = asyncio.Event(), asyncio.Event()

    async def rest(_seconds: float) -> None:
        renewed.set()
        await again.wait()
        again.clear()

    one._rest = rest
    async with one.hold("k"):
        await renewed.wait()
        clock.advance(timedelta(seconds=50))
        renewed.clear()
        again.set()
        await renewed.wait()
        clock.advance(timedelta(seconds=50))
        assert not await two._take("k", "other", LEASE)


async def test_a_lease_is_not_taken_from_a_machine_whose_clock_is_ahead(two_houses):
    one, two, clock = two_houses
    clock.advance(timedelta(seconds=50))
    async with one.hold("k"):
        clock.advance(-timedelta(seconds=50))
        assert not await two._take("k", "other", LEASE)


async def test_a_lease_from_a_clock_that_went_back_does_not_hold_for_ever(two_houses):
    one, two, clock = two_houses
    assert await one._take("k", "dead", timedelta(minutes=5))
    clock.advance(-timedelta(days=400))
    async with two.hold("k"):
        pass


async def test_tasks_of_one_process_take_turns(two_houses):
    one, _, _ = two_houses
    inside = 0

    async def work() -> None:
        nonlocal inside
        async with one.hold("k"):
            inside += 1
            assert inside == 1
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(work() for _ in range(8)))
    assert one._local == {}
