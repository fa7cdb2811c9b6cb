"""A server's own lore: written by its admins, found there, used nowhere else."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from memory.lorebook import LoreDocument
from memory.model import Category
from memory.server_lore import MOST_ENTRIES, MOST_KEYS, MOST_TEXT, MOST_TITLE, Entry, LoreRefused, ServerLore
from memory.store.index import CHARACTER_LORE
from memory.store.schema import lore
from tests.support.models import TermEmbedder
from tests.support.world import World, open_world

pytestmark = pytest.mark.usefixtures("store")

HARBOUR, HILLS = "111", "222"
ADMIN = "admin:discord:77"


async def write(
    world: World,
    title: str = "公會戰",
    text: str = "每週六晚上九點在港口集合",
    keys: str = "",
    guild: str = HARBOUR,
) -> Entry:
    return await world.service.server_lore.add(guild, f"{title[:9]}-{text[:9]}", title, text, keys, ADMIN)


async def found(world: World, text: str, guild: str = HARBOUR, *, meaning: bool = True) -> list[str]:
    query = await world.embedder.embed_query(text) if meaning else None
    entries = await world.service.server_lore.find(guild, text, query, 3, 0.3)
    return [entry.title for entry in entries]


async def test_an_entry_is_found_by_its_title_by_its_keys_and_by_meaning(world: World) -> None:
    await write(world, keys="GvG，公戰; raid")
    assert await found(world, "公會戰什麼時候？", meaning=False) == ["公會戰"]
    assert await found(world, "今天有 gvg 嗎", meaning=False) == ["公會戰"]
    assert await found(world, "晚上九點要在哪裡集合", meaning=True) == ["公會戰"]
    assert await found(world, "我喜歡貓", meaning=True) == []


async def test_a_key_of_letters_is_a_word_and_not_a_part_of_one(world: World) -> None:
    await write(world, title="Art", text="The art channel is for drawings")
    assert await found(world, "the party was fun", meaning=False) == []
    assert await found(world, "show me your ART!", meaning=False) == ["Art"]


async def test_another_server_never_sees_it(world: World) -> None:
    entry = await write(world)
    assert await found(world, "公會戰什麼時候？", HILLS) == []
    assert await world.service.server_lore.entries(HILLS) == ()
    assert await world.service.server_lore.remove(HILLS, entry.id, ADMIN) is None
    assert await found(world, "公會戰什麼時候？") == ["公會戰"]


async def test_a_characters_lore_and_a_servers_are_never_taken_for_each_other(world: World) -> None:
    await world.service.lorebook.sync("lily/zh-TW", [LoreDocument("baking", "她很會做甜點")])
    await write(world)
    query = await world.embedder.embed_query("公會戰 甜點")
    hits = await world.service.lorebook.find("lily/zh-TW", query, 5, 0.0)
    assert [hit.document.text for hit in hits] == ["她很會做甜點"]
    await world.service.lorebook.sync("lily/zh-TW", [])
    assert await found(world, "公會戰什麼時候？") == ["公會戰"]


async def test_what_was_taken_out_is_not_found_and_stays_with_who_and_when(world: World) -> None:
    entry = await write(world)
    world.clock.advance(timedelta(days=2))
    assert await world.service.server_lore.remove(HARBOUR, entry.id, "admin:discord:78") == entry
    assert await found(world, "公會戰什麼時候？") == []
    assert await world.service.server_lore.remove(HARBOUR, entry.id, ADMIN) is None
    async with world.service.database.read() as connection:
        (row,) = await connection.execute(select(lore))
    assert (row.archived, row.archived_by, row.archived_at) == (True, "admin:discord:78", world.clock.now())
    assert (row.created_by, row.text) == (ADMIN, entry.text)


async def test_the_index_mirrors_what_is_in_use(world: World) -> None:
    index = world.service.index
    kept, gone = await write(world), await write(world, "春祭", "四月第一個星期天")
    await world.service.server_lore.remove(HARBOUR, gone.id, ADMIN)
    query = await world.embedder.embed_query("春祭 公會戰")
    assert await index.nearest_lore(f"guild:{HARBOUR}", query, 5) == (kept.id,)
    await index.clear()
    await world.service.reindexer.reindex()
    assert await index.nearest_lore(f"guild:{HARBOUR}", query, 5) == (kept.id,)
    assert CHARACTER_LORE == "character_lore"


async def test_it_is_still_there_in_the_next_run_and_in_another_embedders_space(tmp_path) -> None:
    async with open_world(tmp_path) as world:
        await write(world)
        await world.service.reindexer.reindex(TermEmbedder(dimensions=32, name="other"))
    async with open_world(tmp_path, embedder=TermEmbedder(dimensions=32, name="other")) as world:
        assert await found(world, "晚上九點要在哪裡集合") == ["公會戰"]


async def test_vectors_of_another_embedder_are_left_alone_and_the_words_still_count(world: World) -> None:
    await write(world)
    service, other = world.service, TermEmbedder(dimensions=32, name="other")
    server_lore = ServerLore(service.database, service.lorebook, other, world.clock)
    query = await other.embed_query("晚上九點要在哪裡集合")
    assert await server_lore.find(HARBOUR, "晚上九點要在哪裡集合", query, 3, 0.3) == ()
    assert len(await server_lore.find(HARBOUR, "公會戰什麼時候？", query, 3, 0.3)) == 1


@pytest.mark.parametrize(
    ("title", "text", "keys", "problem"),
    [
        (" \n ", "x", "", "no_title"),
        ("x", "\u200b", "", "no_text"),
        ("x" * (MOST_TITLE + 1), "x", "", "long_title"),
        ("x", "字" * (MOST_TEXT + 1), "", "long_text"),
        ("x", "x", ",".join(map(str, range(MOST_KEYS + 1))), "many_keys"),
        ("x", "x", "k" * 41, "long_key"),
    ],
)
async def test_what_does_not_fit_is_refused_with_its_cause(
    world: World, title: str, text: str, keys: str, problem: str
) -> None:
    with pytest.raises(LoreRefused) as refused:
        await write(world, title, text, keys)
    assert refused.value.problem == problem
    assert await world.service.server_lore.entries(HARBOUR) == ()


async def test_a_text_of_the_longest_length_is_kept_whole(world: World) -> None:
    entry = await write(world, "長", "字" * MOST_TEXT)
    assert (await world.service.server_lore.entries(HARBOUR))[0].text == entry.text == "字" * MOST_TEXT


async def test_a_title_is_there_once_until_it_is_taken_out(world: World) -> None:
    entry = await write(world)
    with pytest.raises(LoreRefused, match="same_title"):
        await write(world, title="公会战", text="別的")
    await world.service.server_lore.remove(HARBOUR, entry.id, ADMIN)
    await write(world, text="改成星期天")
    assert [one.text for one in await world.service.server_lore.entries(HARBOUR)] == ["改成星期天"]


async def test_a_server_has_room_for_so_many_however_many_write_at_once(world: World) -> None:
    server_lore = world.service.server_lore
    for number in range(MOST_ENTRIES - 2):
        await server_lore.add(HARBOUR, str(number), f"t{number}", "x", "", ADMIN)
    tries = [server_lore.add(HARBOUR, f"z{number}", f"z{number}", "x", "", ADMIN) for number in range(5)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(one) for one in done].count(Entry) == 2
    assert {str(one) for one in done if isinstance(one, LoreRefused)} == {"too_many"}
    assert len(await server_lore.entries(HARBOUR)) == MOST_ENTRIES


async def test_the_same_try_twice_is_one_entry(world: World) -> None:
    for _ in range(2):
        await world.service.server_lore.add(HARBOUR, "interaction-1", "公會戰", "週六", "", ADMIN)
    assert len(await world.service.server_lore.entries(HARBOUR)) == 1


async def test_an_admin_who_is_erased_leaves_the_lore_without_their_name(
    world: World, tmp_path: Path
) -> None:
    admin = "admin:discord:987654321"
    await world.tell("使用者喜歡爬山", Category.HOBBY, user="987654321")
    await world.service.server_lore.add("1", "e", "公會戰", "週六晚上九點", "", admin)
    await world.service.outbox.drain()
    await world.service.eraser.erase("987654321")
    (entry,) = await world.service.server_lore.entries("1")
    assert (entry.text, entry.created_by) == ("週六晚上九點", "admin:erased")
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):  # noqa: ASYNC240
        assert b"987654321" not in file.read_bytes(), file
