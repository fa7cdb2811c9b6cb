"""Copies of all facts: consistent while somebody writes, whole or not at all, from any store into any."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import insert, select, update

from memory.store import snapshot
from memory.store.dialects import put
from memory.store.errors import StoreDamaged, StoreNewer
from memory.store.schema import lore, memories, meta, outbox
from tests.support.rows import rows_of, told_much

COPIES = 4


@pytest.mark.usefixtures("store")
async def test_a_copy_taken_while_somebody_writes_holds_whole_changes_only(world, tmp_path):
    first = await world.tell("使用者的第 0 個說法")
    taken = []

    async def replace_again_and_again():
        number = 0
        while len(taken) < COPIES:
            async with world.service.database.write() as connection:
                row = (await connection.execute(select(memories).where(memories.c.archived.is_(False)))).one()
                await connection.execute(
                    update(memories)
                    .where(memories.c.id == row.id)
                    .values(archived=True, archived_reason="contradicted")
                )
                await asyncio.sleep(0)  # between the two halves of one change
                number += 1
                successor = {**row._mapping, "id": f"{number:04}", "supersedes_id": row.id}
                await connection.execute(insert(memories).values(successor))

    async def copy_again_and_again():
        while len(taken) < COPIES:
            file = tmp_path / f"copy-{len(taken)}.db"
            await snapshot.take(world.service.database, file)
            taken.append(file)

    await asyncio.gather(replace_again_and_again(), copy_again_and_again())
    lengths = []
    for file in taken:
        snapshot.check_file(file)
        with closing(sqlite3.connect(file)) as copy:
            rows = copy.execute("SELECT id, supersedes_id, archived FROM memories ORDER BY supersedes_id")
            chain = {before: (after, archived) for after, before, archived in rows}
        at, (now, archived) = None, chain[None]
        assert now == first.id
        while archived:
            at = now
            now, archived = chain[at]
        lengths.append(len(chain))
        assert [row[1] for row in chain.values()].count(0) == 1
    assert lengths == sorted(lengths)
    assert lengths[-1] > 1


@pytest.mark.usefixtures("store")
async def test_what_a_store_held_comes_back_row_by_row(world, tmp_path):
    await told_much(world)
    before = await rows_of(world.service.database)
    assert [name for name, rows in before.items() if not rows and name != "lore"] == []
    await snapshot.take(world.service.database, tmp_path / "copy.db")
    await world.tell("使用者後來才說的事")
    await snapshot.make_ready(tmp_path / "copy.db")
    await snapshot.put_back(world.service.database, tmp_path / "copy.db")
    assert await rows_of(world.service.database) == before


@pytest.mark.usefixtures("store")
async def test_after_coming_back_every_memory_waits_for_the_index(world, tmp_path):
    await told_much(world)
    await world.service.outbox.drain()
    await snapshot.take(world.service.database, tmp_path / "copy.db")
    await snapshot.make_ready(tmp_path / "copy.db")
    await snapshot.put_back(world.service.database, tmp_path / "copy.db")
    async with world.service.database.read() as connection:
        waiting = {row.memory_id for row in await connection.execute(select(outbox))}
        known = {row.id for row in await connection.execute(select(memories.c.id))}
    assert waiting == known


async def test_what_somebody_said_counts_as_a_loss_and_lore_does_not(world):
    assert await snapshot.facts_in(world.service.database) == 0
    await world.say("今天好熱")
    assert await snapshot.facts_in(world.service.database) > 0


async def test_what_admins_have_set_counts_too(world):
    async with world.service.database.write() as connection:
        await put(connection, meta, key="server:1", value="{}")
        row = {"persona_id": "guild:1", "text": "週五是電影夜", "kind": "STATIC", "source": "admin"}
        await connection.execute(
            insert(lore).values(id="1", title="電影夜", digest="", vector=b"", **row),
        )
        await connection.execute(insert(lore).values(id="2", digest="", vector=b"", **row))
    assert await snapshot.facts_in(world.service.database) == 2


async def test_a_copy_of_a_newer_version_is_refused(world, tmp_path):
    copy = tmp_path / "copy.db"
    await snapshot.take(world.service.database, copy)
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreNewer, match="newer version"):
        await snapshot.make_ready(copy)


@pytest.mark.parametrize(
    "trouble",
    [
        "CREATE TRIGGER sly AFTER INSERT ON turns BEGIN DELETE FROM memories; END",
        "CREATE VIEW looks_like AS SELECT * FROM memories",
        "DROP TABLE memories",
    ],
)
async def test_a_file_that_holds_more_or_less_than_our_tables_is_refused(world, tmp_path, trouble):
    copy = tmp_path / "copy.db"
    await snapshot.take(world.service.database, copy)
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute(trouble)
    with pytest.raises(StoreDamaged, match="no store of Lily"):
        await snapshot.make_ready(copy)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 300])
async def test_a_file_that_is_no_database_is_refused(tmp_path, content):
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(StoreDamaged):
        await snapshot.make_ready(tmp_path / "copy.db")


async def test_a_page_that_was_changed_is_noticed(world, tmp_path):
    copy = tmp_path / "copy.db"
    for number in range(40):
        await world.tell(f"使用者第{number}件事")
    await snapshot.take(world.service.database, copy)
    data = bytearray(copy.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = bytes(4096)
    copy.write_bytes(data)
    with pytest.raises(StoreDamaged, match="damaged"):
        await snapshot.make_ready(copy)
