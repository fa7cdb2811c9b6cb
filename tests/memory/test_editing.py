from __future__ import annotations

from pathlib import Path

import pytest

from memory.editing import Editor
from memory.model import ArchivedReason, Category, Memory
from memory.store.errors import NoSuchMemory
from tests.support.world import World, open_world

pytestmark = pytest.mark.usefixtures("store")


async def edit(world: World, memory: Memory, text: str, edit_id: str = "discord:edit:1") -> Memory:
    service = world.service
    editor = Editor(service.database, service.embedder, world.clock, service.policy)
    return await editor.edit(memory.id, text, actor="person", edit_id=edit_id, zone="Asia/Taipei")


async def test_an_edit_keeps_the_old_version_archived_and_linked(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        old = await world.tell("使用者喜歡爬山", Category.HOBBY)
        new = await edit(world, old, "使用者喜歡爬百岳")
        found = {memory.id: memory for memory in await world.all()}
        assert (new.supersedes_id, new.places, new.category) == (old.id, old.places, Category.HOBBY)
        assert found[old.id].archived_reason is ArchivedReason.CONTRADICTED
        assert await world.live_texts() == ["使用者喜歡爬百岳"]


async def test_the_same_edit_twice_changes_nothing_more(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        old = await world.tell("使用者喜歡爬山", Category.HOBBY)
        new = await edit(world, old, "使用者喜歡爬百岳")
        assert await edit(world, old, "使用者喜歡爬百岳") == new
        assert len(await world.all()) == 2


async def test_an_edited_name_takes_the_place_of_the_live_one(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        old = await world.tell("使用者叫小明", Category.NAME)
        await edit(world, old, "使用者叫小華")
        assert await world.live_texts() == ["使用者叫小華"]


async def test_an_edited_event_has_the_date_its_new_words_name(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        old = await world.tell("使用者有期末考", Category.SCHEDULE)
        new = await edit(world, old, "使用者9月20日有期末考")
        assert new.valid_from is not None
        assert f"{new.valid_from:%Y-%m-%dT%H:%M}" == "2026-09-19T16:00"
        assert new.expires_at is not None
        kept = await edit(world, new, "使用者9月20日有數學期末考", "discord:edit:2")
        assert kept.valid_from == new.valid_from


async def test_what_is_archived_already_can_not_be_edited(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        old = await world.tell("使用者喜歡爬山", Category.HOBBY)
        await edit(world, old, "使用者喜歡爬百岳")
        with pytest.raises(NoSuchMemory):
            await edit(world, old, "使用者喜歡游泳", "discord:edit:2")
