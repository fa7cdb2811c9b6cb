"""What only a server can do: clash, be restarted, keep two processes apart."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Iterator

import pytest
from sqlalchemy import select, update

import memory.store.database
from memory.store.database import PATIENCE, Database, open_database
from memory.store.dialects import hold_alone, put
from memory.store.errors import StaleRevision, StoreError, StoreUnavailable
from memory.store.schema import meta
from tests.support.postgres import PostgresServer


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.fresh()


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    async with open_database(url) as opened:
        yield opened


@pytest.fixture
def mortal() -> Iterator[PostgresServer]:
    """A server that may be stopped and killed."""
    with PostgresServer(safe=True) as server:
        yield server


async def values(database: Database) -> dict[str, str]:
    async with database.read() as connection:
        return {row.key: row.value for row in await connection.execute(select(meta))}


async def write(database: Database, key: str, value: str) -> None:
    async with database.write() as connection:
        await put(connection, meta, key=key, value=value)


async def test_two_processes_that_open_an_empty_database_at_once_migrate_it_once(postgres):
    postgres.execute("CREATE DATABASE untouched")

    async def opened() -> dict[str, str]:
        async with open_database(postgres.url("untouched")) as database:
            return await values(database)

    assert await asyncio.gather(*(opened() for _ in range(4))) == [{}] * 4


async def test_a_read_sees_one_moment_whatever_is_written_meanwhile(database):
    async with database.read() as connection:
        assert (await connection.execute(select(meta))).all() == []
        await write(database, "a", "1")
        assert (await connection.execute(select(meta))).all() == []
    assert await values(database) == {"a": "1"}


async def test_nothing_is_written_while_reading(database):
    with pytest.raises(StoreError, match="read-only"):
        async with database.read() as connection:
            await put(connection, meta, key="a", value="1")


async def test_writes_go_side_by_side(database):
    async with database.write() as one:
        await put(one, meta, key="a", value="1")
        await write(database, "b", "2")
    assert await values(database) == {"a": "1", "b": "2"}


async def test_what_is_held_alone_waits_for_the_other_holder(database):
    order: list[str] = []

    async def second() -> None:
        async with database.write() as connection:
            await hold_alone(connection, "work")
            order.append("second")

    async with database.write() as connection:
        await hold_alone(connection, "work")
        task = asyncio.create_task(second())
        await write(database, "a", "1")
        order.append("first")
    await task
    assert order == ["first", "second"]


async def test_two_changes_that_wait_for_each_other_are_planned_anew(database):
    await write(database, "a", "0")
    await write(database, "b", "0")
    met = asyncio.Barrier(2)

    async def change(first: str, then: str) -> None:
        async with database.write() as connection:
            await connection.execute(update(meta).where(meta.c.key == first).values(value="1"))
            await met.wait()
            await connection.execute(update(meta).where(meta.c.key == then).values(value="1"))

    done = await asyncio.gather(change("a", "b"), change("b", "a"), return_exceptions=True)
    assert [type(one) for one in done if one is not None] == [StaleRevision]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_server_that_is_restarted_is_waited_for(mortal, how):
    async with open_database(mortal.fresh()) as database:
        await asyncio.gather(*(write(database, f"k{n}", "1") for n in range(5)))
        await asyncio.to_thread(mortal.stop, how)
        later = [asyncio.create_task(write(database, f"l{n}", "1")) for n in range(50)]
        await asyncio.sleep(0)
        await asyncio.to_thread(mortal.start)
        await asyncio.gather(*later)
        assert len(await values(database)) == 55


async def test_a_server_that_stays_away_is_told_and_used_again_once_it_is_back(mortal):
    waits: list[float] = []

    async def no_wait(seconds: float) -> None:
        waits.append(seconds)

    async with open_database(mortal.fresh()) as database:
        database._sleep, database._timer = no_wait, lambda: sum(waits)
        await asyncio.to_thread(mortal.stop)
        with pytest.raises(StoreUnavailable, match=r"storage\.database_url"):
            await write(database, "a", "1")
        patient = len(waits)
        assert sum(waits) >= PATIENCE
        with pytest.raises(StoreUnavailable):  # it is known to be away: nobody is kept waiting again
            await values(database)
        assert len(waits) == patient
        await asyncio.to_thread(mortal.start)
        await write(database, "a", "1")
        assert await values(database) == {"a": "1"}


async def test_a_change_that_is_cut_off_is_told_as_a_server_away_and_leaves_nothing(mortal):
    async with open_database(mortal.fresh()) as database:
        with pytest.raises(StoreUnavailable):
            async with database.write() as connection:
                await put(connection, meta, key="a", value="1")
                await asyncio.to_thread(mortal.stop, signal.SIGQUIT)
                await asyncio.to_thread(mortal.start)
                await put(connection, meta, key="b", value="1")
        assert await values(database) == {}


async def test_a_wrong_password_or_database_is_told_at_once(postgres):
    with pytest.raises(StoreError, match="nowhere"):
        async with open_database(postgres.url("nowhere")):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="the server's children are found by /proc")
async def test_a_server_that_hangs_counts_as_away(mortal, monkeypatch):
    monkeypatch.setattr(memory.store.database, "ANSWER_SECONDS", 0.3)
    async with open_database(mortal.fresh()) as database:
        await write(database, "a", "1")
        mortal.hang()
        with pytest.raises(StoreUnavailable):
            await write(database, "b", "1")
        mortal.go_on()
        await write(database, "c", "1")
        assert {"a", "c"} <= (await values(database)).keys()
