"""The Chroma folder damaged or gone: recall goes on from SQL, and the index is filled anew by itself."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.model import Category
from memory.store.errors import IndexUnavailable
from tests.bot.command_line import lily as command
from tests.bot.command_line import write_script
from tests.faults.lines import witness
from tests.memory.test_recall import recalled
from tests.support.world import World, open_world

SOON = 30.0


async def filled(world: World, count: int = 12) -> None:
    for number in range(count):
        await world.tell(f"使用者收集第{number}號郵票", Category.HOBBY)
    await world.service.outbox.drain()


async def whole(world: World) -> bool:
    """Whether the index holds every memory as it is."""
    try:
        indexed = await world.service.index.contents()
    except IndexUnavailable:
        return False
    return {i: row["rev"] for i, row in indexed.items()} == {m.id: m.rev for m in await world.all()}


def overwrite(folder: Path) -> None:
    with (folder / "chroma.sqlite3").open("r+b") as raw:
        raw.write(b"\xde\xad" * 50_000)


def drop_tables(folder: Path) -> None:
    with sqlite3.connect(folder / "chroma.sqlite3") as connection:
        for table in ("embeddings", "segments"):
            connection.execute(f"DROP TABLE {table}")
    connection.close()


def break_graphs(folder: Path) -> None:
    for file in folder.glob("*/*.bin"):
        file.write_bytes(b"\xde\xad" * 10)


Breaking = Callable[[Path], object]


@pytest.mark.parametrize("breaking", [overwrite, drop_tables, break_graphs, shutil.rmtree])
@pytest.mark.parametrize("running", [False, True], ids=["at the start", "while running"])
async def test_recall_goes_on_and_the_index_mends_itself(
    tmp_path: Path,
    breaking: Breaking,
    running: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("memory.store.outbox._FIRST_RETRY", 0.01)
    async with open_world(tmp_path) as world:
        await filled(world)
        if running:
            breaking(tmp_path / "chroma")
            await goes_on(world)
            line = next((x for x in caplog.messages if "filled anew" in x), "-")
            witness(
                "vector index",
                f"damaged while running ({breaking.__name__})",
                screen=line,
                person="nothing: she recalls from SQL",
                after="by itself: filled anew from SQL",
            )
    if not running:
        breaking(tmp_path / "chroma")
        async with open_world(tmp_path) as world:
            world.said = 100
            await goes_on(world)


async def goes_on(world: World) -> None:
    calls = world.embedder.calls
    assert "使用者收集第3號郵票" in await recalled(world, "第3號郵票")
    assert world.embedder.calls == calls + 1  # the question alone
    async with world.service.outbox.running(world.service.reindexer.reindex):
        await world.tell("使用者喜歡喝茶", Category.PREFERENCE)
        assert "使用者喜歡喝茶" in await recalled(world, "喝茶")
        world.service.outbox.wake()
        async with asyncio.timeout(SOON):
            while not await whole(world):  # noqa: ASYNC110 - what mends itself tells nobody
                await asyncio.sleep(0.05)
    assert "使用者收集第3號郵票" in await recalled(world, "第3號郵票")


async def test_a_folder_that_went_is_noticed_by_writing_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.store.outbox._FIRST_RETRY", 0.01)
    async with open_world(tmp_path) as world:
        await filled(world)
        shutil.rmtree(tmp_path / "chroma")
        await world.tell("使用者喜歡喝茶", Category.PREFERENCE)
        async with world.service.outbox.running(world.service.reindexer.reindex), asyncio.timeout(SOON):
            while not await whole(world):  # noqa: ASYNC110 - what mends itself tells nobody
                await asyncio.sleep(0.05)


def test_a_host_who_would_rather_not_wait_has_a_command(tmp_path: Path) -> None:
    write_script(tmp_path, [{"user_id": "u1", "text": "使用者喜歡下雨"}], "in.jsonl")
    assert command(tmp_path, "import", "in.jsonl").code == 0
    overwrite(tmp_path / ".lily" / "chroma")
    ran = command(tmp_path, "reindex")
    assert (ran.code, ran.errors) == (0, [])
    ran = command(tmp_path, "recall", "--user", "u1", "--json", "下雨")
    assert ran.code == 0 and "下雨" in ran.out
