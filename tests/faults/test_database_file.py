"""The SQLite file held by another program, damaged, or not to be written, under a running house."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from bot.discord.recovering import HELPED_AGAIN
from memory.clock import SettableClock, SystemClock
from memory.model import Category
from memory.store import sqlite
from memory.store.database import Database
from memory.store.errors import StoreBusy, StoreDamaged, StoreUnavailable
from tests.bot.command_line import lily as command
from tests.bot.command_line import write_script
from tests.bot.discord.harness import SOON, answer_to, online, tells, town
from tests.faults.disk import small_disk
from tests.faults.lines import answered, in_her_words, log_of, over, screen_of, witness
from tests.support.world import fact, open_world


@pytest.fixture(autouse=True)
def soon_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a moment for a held file, not half a minute."""
    monkeypatch.setattr(sqlite, "_BUSY_SECONDS", 0.1)


@contextmanager
def held(file: Path, patience: float = 5.0) -> Iterator[None]:
    """Hold a database as another program does that writes in it and does not end."""
    other = sqlite3.connect(file, isolation_level=None, timeout=patience)
    try:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")
    finally:
        other.close()


@asynccontextmanager
async def held_beside(file: Path) -> AsyncIterator[None]:
    """Hold it once what is being written here is written: waiting for it, this loop would keep that back."""
    with ExitStack() as stack:
        async with asyncio.timeout(SOON):
            while True:
                try:
                    stack.enter_context(held(file, patience=0.0))
                    break
                except sqlite3.OperationalError:
                    await asyncio.sleep(0)
        yield


def damage(file: Path) -> None:
    """Write over the middle of a database, as a dying disk does."""
    with file.open("r+b") as raw:
        raw.seek(0)
        raw.write(b"\xde\xad" * 20_000)


async def let_go_of_pages(store: Database) -> None:
    """Close every connection: none of the file's pages is in anybody's memory."""
    await store._engine.dispose()
    assert store._reader is not None
    store._reader._engine.dispose()


async def test_held_by_another_program_she_says_so_and_goes_on_once_it_lets_go(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells(lily, place.ming, "我叫小明")
        screen = screen_of(lily)
        async with held_beside(tmp_path / "lily.db"):
            refused = place.ming.dm("我對花生過敏")
            reply = await answer_to(place.ming, refused)
            assert in_her_words(lily, reply)
        await over(place, lily)
        assert await lily.texts(place.ming) == ["使用者叫小明", "使用者對花生過敏"]
        assert answered(place.ming).count(refused.id) == 1
        assert "held by another program" in screen[0] and "close what has it open" in screen[0]
        witness(
            "database file",
            "held by another program",
            screen=screen[0],
            log=(tmp_path, "nothing can be written"),
            person=reply.content,
            after="by itself, once it is let go",
        )


async def test_whoever_is_in_need_is_given_the_numbers_each_time_while_nothing_can_be_written(
    tmp_path: Path,
) -> None:
    clock = SettableClock(SystemClock().now())
    async with town() as place, online(place.discord, tmp_path, clock=clock) as lily:
        await tells(lily, place.ming, "我叫小明")
        general, bot = place.server.general, place.discord.bot
        async with held_beside(tmp_path / "lily.db"):
            first = await answer_to(place.ming, place.ming.dm("今天好累"))
            assert in_her_words(lily, first)
            for text in ("我不想活了", "我真的想死"):  # her word about the fault is said already
                clock.advance(HELPED_AGAIN)
                reply = await answer_to(place.ming, place.ming.dm(text))
                assert "1925" in reply.content
            clock.advance(HELPED_AGAIN)
            await answer_to(place.ann, place.ann.say(general, "今天好冷", mention=bot))
            said = place.ming.say(general, "我不想活了", mention=bot)
            assert "1925" in (await answer_to(place.ming, said)).content
            at_once = [place.ming.dm(text) for text in ("我想死", "真的想死")]
            await answer_to(place.ming, at_once[0])
        await over(place, lily)
        for one in at_once:
            await answer_to(place.ming, one)
        assert all(answered(place.ming).count(one.id) == 1 for one in at_once)


async def test_what_is_held_is_told_to_whoever_asks_the_store(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        await world.tell("使用者叫小明", Category.NAME)
        async with held_beside(tmp_path / "lily.db"):
            assert await world.live_texts() == ["使用者叫小明"]
            with pytest.raises(StoreBusy, match="close what has it open"):
                await world.say("我對花生過敏", fact("使用者對花生過敏", Category.IDENTITY))
        await world.say("我對花生過敏", fact("使用者對花生過敏", Category.IDENTITY))
        assert len(await world.live_texts()) == 2


def test_a_command_over_a_held_file_fails_with_one_line(tmp_path: Path) -> None:
    write_script(tmp_path, [{"user_id": "u1", "text": "使用者喜歡下雨"}], "in.jsonl")
    assert command(tmp_path, "import", "in.jsonl").code == 0
    with held(tmp_path / ".lily" / "lily.db"):
        ran = command(tmp_path, "forget", "m1")
    assert (ran.code, ran.out) == (1, "")
    (line,) = ran.errors
    assert "held by another program" in line and "try again" in line


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_damaged_while_she_runs_she_tells_both_and_stays(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, scheduled=False) as lily:
        await tells(lily, place.ming, "我叫小明")
        await lily.house.memory.outbox.drain()
        await let_go_of_pages(lily.house.memory.database)
        screen = screen_of(lily)
        for more in ("lily.db-wal", "lily.db-shm"):
            (tmp_path / more).unlink(missing_ok=True)
        damage(tmp_path / "lily.db")
        refused = place.ming.dm("我對花生過敏")
        reply = await answer_to(place.ming, refused)
        assert in_her_words(lily, reply)
        await place.discord.world.until(lambda: "store_damaged" in lily.notes, SOON, "the host's line")
        assert "lily.db is damaged" in screen[0]
        assert "restore it from a back-up" in screen[0] and "start her again" in screen[0]
        witness(
            "database file",
            "damaged while she runs",
            screen=screen[0],
            person=reply.content,
            after="a start, once the file is put back from a back-up",
        )
        again = place.ann.dm("hello")
        await answer_to(place.ann, again)
    assert "Traceback" not in log_of(tmp_path)
    gc.collect()  # a connection that was under way when its pool was closed ends here


async def test_a_damaged_file_put_back_from_a_back_up_is_gone_on_with(tmp_path: Path) -> None:
    async with open_world(tmp_path / "data") as world:
        await world.tell("使用者叫小明", Category.NAME)
    file = tmp_path / "data" / "lily.db"
    kept = file.read_bytes()
    damage(file)
    with pytest.raises(StoreDamaged, match="restore it from a back-up"):
        async with open_world(tmp_path / "data"):
            pass
    file.write_bytes(kept)
    async with open_world(tmp_path / "data") as world:
        assert await world.live_texts() == ["使用者叫小明"]


async def test_a_file_that_may_no_longer_be_written_is_told_with_its_permissions(tmp_path: Path) -> None:
    read_only = False

    def guard(connection: object, _record: object, _proxy: object) -> None:
        connection.cursor().execute(f"PRAGMA query_only={read_only}")  # type: ignore[attr-defined]

    event.listen(Pool, "checkout", guard)
    try:
        async with open_world(tmp_path) as world:
            await world.tell("使用者叫小明", Category.NAME)
            read_only = True
            with pytest.raises(StoreUnavailable, match="check the folder's permissions"):
                await world.say("我對花生過敏", fact("使用者對花生過敏", Category.IDENTITY))
            assert await world.live_texts() == ["使用者叫小明"]
            read_only = False
            await world.say("我對花生過敏", fact("使用者對花生過敏", Category.IDENTITY))
            assert len(await world.live_texts()) == 2
    finally:
        event.remove(Pool, "checkout", guard)


def test_a_folder_on_a_read_only_disk_is_told_by_every_command_that_writes(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        if disk is None:
            pytest.skip("no disk may be mounted here")
        write_script(tmp_path, [{"user_id": "u1", "text": "使用者喜歡下雨"}], "in.jsonl")
        where = ("--data", str(disk.folder / "data"))
        assert command(tmp_path, "import", "in.jsonl", *where).code == 0
        disk.read_only(True)
        for argv in (("import", "in.jsonl"), ("forget", "m1"), ("reindex",), ("memories", "--user", "u1")):
            ran = command(tmp_path, *argv, *where)
            assert (ran.code, ran.out) == (2, ""), argv
            (line,) = ran.errors
            assert "--data" in line and str(disk.folder) in line
        witness(
            "folder",
            "on a disk that is read-only",
            screen=f"{line} (exit code {ran.code})",
            person="-",
            after="the same command again",
        )
        disk.read_only(False)
        assert len(command(tmp_path, "memories", "--user", "u1", "--json", *where).rows) == 1
