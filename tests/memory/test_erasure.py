"""Erasing a person, proved byte by byte; the others untouched."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select

from memory.erasure import ERASED_ACTOR, ErasureUnproven
from memory.model import ArchivedReason, Category
from memory.places import Place
from memory.store.schema import events, metadata
from tests.memory.test_recall import recalled

pytestmark = pytest.mark.usefixtures("store")

SECRET = "使用者的秘密是收集鯨魚骨頭"


async def test_nothing_of_the_person_is_found_in_any_table_or_file(world, tmp_path):
    told = await world.tell(SECRET, Category.HOBBY, user="alice-4711")
    await world.tell("使用者喜歡鯨魚紀錄片", Category.HOBBY, user="alice-4711", place=Place("1", "2"))
    await world.service.people.change("alice-4711", zone="Asia/Tokyo")
    await world.tell("使用者喜歡爬山", Category.HOBBY, user="bob-4712")
    await world.service.outbox.drain()
    erased = await world.service.eraser.erase("alice-4711")
    assert erased.removed["memories"] == 2
    assert erased.traces > 0
    async with world.service.database.read() as connection:
        for table in metadata.sorted_tables:
            if "user_id" in table.c:
                left = await connection.execute(
                    select(func.count()).select_from(table).where(table.c.user_id == "alice-4711")
                )
                assert (table.name, left.scalar_one()) == (table.name, 0)
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        data = file.read_bytes()
        for trace in (SECRET, "alice-4711", told.id):
            assert trace.encode() not in data, file


async def test_the_others_keep_everything(world):
    for user in ("alice-4711", "bob-4712", "carol-4713"):
        await world.tell(f"使用者{user}喜歡爬山", Category.HOBBY, user=user)
    await world.service.outbox.drain()
    before = [await world.all(user) for user in ("bob-4712", "carol-4713")]
    await world.service.eraser.erase("alice-4711")
    assert [await world.all(user) for user in ("bob-4712", "carol-4713")] == before
    assert await recalled(world, "爬山", user="bob-4712") == ["使用者bob-4712喜歡爬山"]
    assert set(await world.service.index.contents()) == {m.id for group in before for m in group}


async def test_erasing_somebody_unknown_removes_nothing(world):
    await world.tell("使用者喜歡爬山", Category.HOBBY)
    erased = await world.service.eraser.erase("nobody")
    assert set(erased.removed.values()) == {0}
    assert len(await world.all()) == 1


@pytest.mark.parametrize("form", ["id", "words", "escaped"])
async def test_what_is_still_found_is_named(world, tmp_path, form):
    told = await world.tell(SECRET, Category.HOBBY)
    await world.service.outbox.drain()
    left = {"id": told.id, "words": told.text, "escaped": json.dumps(told.text)}[form]
    (tmp_path / "data" / "copy-of-mine.db").write_bytes(f"xx{left}xx".encode())
    with pytest.raises(ErasureUnproven, match=r"copy-of-mine\.db"):
        await world.service.eraser.erase("u1")


async def test_what_an_admin_did_to_others_stays_done_without_naming_who(world, tmp_path):
    told = await world.tell("使用者喜歡爬山", Category.HOBBY, user="bob-4712")
    plan = [(told, ArchivedReason.PRUNED)]
    await world.service.lifecycle.prune(plan, "admin:discord:9988776655")
    await world.tell("使用者喜歡看海", Category.HOBBY, user="9988776655")
    await world.service.outbox.drain()
    await world.service.eraser.erase("9988776655")
    (kept,) = await world.all("bob-4712")
    assert (kept.archived_reason, kept.archived_by) == (ArchivedReason.PRUNED, ERASED_ACTOR)
    async with world.service.database.read() as connection:
        log = (await connection.execute(select(events.c.actor, events.c.snapshot))).all()
    assert [(row.actor, row.snapshot["archived_by"]) for row in log][-1] == (ERASED_ACTOR, ERASED_ACTOR)
    assert not any(b"9988776655" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
