"""The database: versions, damage, aware instants, one transaction a change."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from datetime import datetime, timedelta, timezone

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import delete, select, text

from memory.store.database import open_database
from memory.store.dialects import put
from memory.store.errors import StoreDamaged, StoreError, StoreNewer, StoreUnavailable
from memory.store.schema import meta, metadata
from tests.support.world import database_url


def url(folder) -> str:
    return f"sqlite:///{folder / 'lily.db'}"


@pytest.fixture
def anywhere(store, tmp_path) -> str:
    """A database on each kind of store in turn."""
    return database_url(tmp_path)


async def test_the_migrations_make_exactly_the_tables_the_code_names(anywhere):
    async with open_database(anywhere) as database, database.read() as connection:
        difference = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
        )
    assert difference == []


async def test_opening_twice_migrates_once(anywhere):
    for _ in range(2):
        async with open_database(anywhere) as database, database.read() as connection:
            assert (await connection.execute(select(meta))).all() == []


async def test_data_of_a_newer_version_is_refused_and_left_alone(tmp_path):
    async with open_database(url(tmp_path)):
        pass
    with sqlite3.connect(tmp_path / "lily.db") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(StoreNewer, match="newer version"):
        async with open_database(url(tmp_path)):
            pass


async def test_a_damaged_file_is_told_with_its_name_and_what_to_do(tmp_path):
    (tmp_path / "lily.db").write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.raises(StoreDamaged, match=r"lily\.db.*back-up"):
        async with open_database(url(tmp_path)):
            pass


async def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(StoreUnavailable, match="--data"):
        async with open_database(url(tmp_path / "nowhere")):
            pass


@pytest.mark.parametrize("bad", ["no url", "oracle://x/y"])
async def test_a_url_nobody_can_open_is_told(bad):
    with pytest.raises(StoreError, match=r"storage\.database_url"):
        async with open_database(bad):
            pass


async def test_a_naive_instant_is_refused(tmp_path):
    from memory.store.types import UtcDateTime

    dialect = sqlite3  # only the name is looked at
    with pytest.raises(ValueError, match="naive"):
        UtcDateTime().process_bind_param(datetime(2026, 1, 1), dialect)  # type: ignore[arg-type]  # noqa: DTZ001


def test_an_instant_comes_back_equal_whatever_its_zone():
    from sqlalchemy.dialects.sqlite.base import SQLiteDialect

    from memory.store.types import UtcDateTime

    moment = datetime(2026, 9, 12, 23, 30, 5, 123456, tzinfo=timezone(timedelta(hours=8)))
    stored = UtcDateTime().process_bind_param(moment, SQLiteDialect())
    assert UtcDateTime().process_result_value(stored, SQLiteDialect()) == moment
    assert stored == "2026-09-12T15:30:05.123456+00:00"


async def test_a_failed_write_leaves_nothing_behind(anywhere):
    async with open_database(anywhere) as database:
        with pytest.raises(RuntimeError):
            async with database.write() as connection:
                await put(connection, meta, key="a", value="1")
                raise RuntimeError
        async with database.read() as connection:
            assert (await connection.execute(select(meta))).all() == []


async def test_writes_from_many_tasks_and_two_connections_all_arrive(anywhere):
    async with open_database(anywhere) as one, open_database(anywhere) as two:

        async def write(number: int) -> None:
            async with (one, two)[number % 2].write() as connection:
                await put(connection, meta, key=f"k{number}", value="x")

        await asyncio.gather(*(write(number) for number in range(40)))
        async with one.read() as connection:
            assert len((await connection.execute(select(meta))).all()) == 40


async def test_put_overwrites_the_row_with_the_same_key(anywhere):
    async with open_database(anywhere) as database:
        for value in ("1", "2"):
            async with database.write() as connection:
                await put(connection, meta, key="a", value=value)
        async with database.read() as connection:
            assert [row.value for row in await connection.execute(select(meta))] == ["2"]


async def test_a_snapshot_sees_one_state_and_can_change_nothing(anywhere):
    def read_twice(connection, ready, go_on):
        before = connection.scalar(select(meta.c.value))
        ready.set()
        go_on.wait(10)
        return before, connection.scalar(select(meta.c.value))

    async with open_database(anywhere) as database:
        async with database.write() as connection:
            await put(connection, meta, key="k", value="old")
        if database.is_sqlite:
            ready, go_on = threading.Event(), threading.Event()
            reading = asyncio.create_task(database.snapshot(read_twice, ready, go_on))
            await asyncio.to_thread(ready.wait, 10)
            async with database.write() as connection:
                await put(connection, meta, key="k", value="new")
            go_on.set()
            assert await reading == ("old", "old")
        with pytest.raises(StoreError):
            await database.snapshot(lambda connection: connection.execute(delete(meta)))
        assert await database.snapshot(lambda connection: connection.scalar(select(meta.c.key))) == "k"


async def test_an_error_in_a_snapshot_says_what_to_do_and_leaves_it_usable(tmp_path):
    async with open_database(url(tmp_path)) as database:
        with pytest.raises(StoreError, match=r"lily\.db"):
            await database.snapshot(lambda connection: connection.execute(text("SELECT * FROM nothing")))
        assert await database.snapshot(lambda connection: connection.scalar(select(meta.c.key))) is None
