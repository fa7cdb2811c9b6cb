"""A person's data out and in."""

from __future__ import annotations

import json

import pytest

from memory.model import Category, Flag
from memory.policy import MemoryPolicy
from memory.store import gate
from memory.transfer import TransferError, export_lines, parse_lines
from tests.memory.test_recall import recalled
from tests.support.world import World, open_world

pytestmark = pytest.mark.usefixtures("store")


async def exported(world: World, user: str = "u1") -> list[str]:
    lines = export_lines(world.service.database, user, world.clock.now())
    return [json.dumps(line, default=str) async for line in lines]


def parse(*lines: str):
    return parse_lines(lines, "lily", MemoryPolicy())


async def test_what_is_exported_comes_back_equal(tmp_path):
    async with open_world(tmp_path / "a") as world:
        await world.tell("使用者叫小明", Category.NAME)
        await world.tell("使用者叫小華", Category.NAME)
        await world.tell("使用者要去看牙醫", Category.SCHEDULE)
        before, lines = await world.all(), await exported(world)
    async with open_world(tmp_path / "b") as world:
        imported = await world.service.importer.take(parse(*lines))
        assert len(imported.added) == len(before)
        assert await world.all() == before


async def test_what_was_known_on_a_day_travels_along(tmp_path):
    async with open_world(tmp_path / "a") as world:
        await world.tell("使用者叫小明", Category.NAME)
        then = world.clock.now()
        world.later(days=5)
        await world.tell("使用者叫小華", Category.NAME)
        lines = await exported(world)
    async with open_world(tmp_path / "b", clock=world.clock) as other:
        other.later(days=1)
        await other.service.importer.take(parse(*lines))
        async with other.service.database.read() as connection:
            known = await gate.as_of(connection, "u1", then)
        assert [m.text for m in known] == ["使用者叫小明"]


async def test_importing_twice_adds_nothing(world):
    lines = parse('{"user_id": "u1", "text": "使用者討厭香菜", "category": "preference"}')
    assert len((await world.service.importer.take(lines)).added) == 1
    again = await world.service.importer.take(lines)
    assert (again.added, again.known) == ((), 1)


async def test_an_imported_memory_is_recalled(world):
    await world.service.importer.take(parse('{"user_id": "u1", "text": "使用者討厭香菜"}'))
    assert await recalled(world, "我討厭香菜嗎") == ["使用者討厭香菜"]


async def test_an_import_cannot_leave_two_names_live(world):
    await world.tell("使用者叫小華", Category.NAME)
    line = (
        '{"user_id": "u1", "text": "使用者叫小明", "category": "name", "created_at": "2020-01-01T00:00:00Z"}'
    )
    await world.service.importer.take(parse(line))
    assert await world.live_texts() == ["使用者叫小華"]
    assert len(await world.all()) == 2


async def test_an_unknown_created_at_stays_null_and_a_broken_one_is_flagged():
    unknown, broken = parse(
        '{"user_id": "u1", "text": "甲"}', '{"user_id": "u1", "text": "乙", "created_at": "昨天"}'
    )
    assert unknown.memory.created_at is None
    assert unknown.memory.flags == ()
    assert broken.memory.created_at is None
    assert broken.memory.flags == (Flag.BROKEN_CREATED_AT,)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: expected a JSON object"),
        ('{"text": "甲"}', "line 1: user_id: required"),
        ('{"user_id": "u1"}', "line 1: text: required"),
        ('{"user_id": "u1", "text": "甲", "kategory": "name"}', "line 1: kategory: no such field"),
        ('{"user_id": "u1", "text": "甲", "category": "nam"}', "line 1: category: "),
        ('{"user_id": "u1", "text": "甲", "places": ["home"]}', "line 1: places: "),
        ('{"user_id": "u1", "text": "甲", "valid_from": "2026-01-01"}', "line 1: valid_from: "),
        ('{"type": "event", "at": 3}', "line 1: a broken event line"),
        ('{"type": "song"}', "line 1: type 'song' is unknown"),
    ],
)
def test_a_broken_line_is_named_with_its_field(line, told):
    with pytest.raises(TransferError) as caught:
        parse(line)
    assert caught.value.problems[0].startswith(told)
    assert "\n" not in caught.value.problems[0]


def test_every_broken_line_is_told_at_once():
    with pytest.raises(TransferError) as caught:
        parse("{", '{"user_id": "u1", "text": "甲"}', "[]")
    assert [problem.split(":")[0] for problem in caught.value.problems] == ["line 1", "line 3"]


async def test_settings_come_along_for_somebody_who_has_none_here(tmp_path):
    async with open_world(tmp_path / "a") as world:
        await world.service.people.change(
            "u1", zone="Asia/Tokyo", paused=True, snooze_until=world.clock.now()
        )
        lines, before = await exported(world), await world.service.people.get("u1")
    async with open_world(tmp_path / "b") as world:
        await world.service.importer.take(parse(*lines))
        assert await world.service.people.get("u1") == before
        await world.service.people.change("u1", zone="Europe/Berlin")
        await world.service.importer.take(parse(*lines))
        assert (await world.service.people.get("u1")).zone == "Europe/Berlin"


def test_a_broken_settings_line_is_named():
    with pytest.raises(TransferError, match="line 1: a broken settings line"):
        parse('{"type": "settings", "user_id": "u1", "zone": "Asia/Tapei"}')
