"""A full disk under a running house, and under a command."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.model import Category
from memory.store.errors import StoreFull
from scheduler.waiting import Waiting
from tests.bot.command_line import lily as command
from tests.bot.command_line import write_script
from tests.bot.discord.harness import SOON, answer_to, online, tells, town
from tests.faults.disk import SmallDisk, full_database, small_disk
from tests.faults.lines import answered, in_her_words, log_of, over, screen_of, witness
from tests.support.world import fact, open_world


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """A real disk of a few megabytes."""
    with small_disk(tmp_path / "disk") as found:
        if found is None:
            pytest.skip("no disk may be mounted here")
        yield found


async def test_on_discord_she_says_so_keeps_it_and_learns_it_once_there_is_room(
    disk: SmallDisk, capfd: pytest.CaptureFixture[str]
) -> None:
    async with town() as place, online(place.discord, disk.folder) as lily:
        await tells(lily, place.ming, "我叫小明")
        screen = screen_of(lily)
        disk.fill()
        refused = place.ming.dm("我對花生過敏")
        reply = await answer_to(place.ming, refused)
        assert in_her_words(lily, reply)
        more = place.ming.dm("我住在台南")
        await place.discord.world.until(lambda: lily.service.parts.talk.waiting == 0, SOON, "quiet")
        await asyncio.sleep(0)
        disk.free()
        await over(place, lily)
        await answer_to(place.ming, more)
        await lily.settled()
        assert await lily.texts(place.ming) == ["使用者叫小明", "使用者對花生過敏", "使用者住在台南"]
        assert answered(place.ming).count(refused.id) == answered(place.ming).count(more.id) == 1
        full, again = screen
        assert "lily.db: the disk is full" in full and "free some space" in full
        assert again == "everything can be written down again; what was left is taken up"
        witness(
            "disk",
            "full while she is on Discord",
            screen=full,
            log=(disk.folder, "nothing can be written"),
            person=reply.content,
            after="by itself: what was said is answered once and learned",
        )
    log = log_of(disk.folder)
    assert "Traceback" not in log
    told = capfd.readouterr()
    assert "Traceback" not in told.err and "Logging error" not in told.err


async def test_somebody_in_need_gets_the_numbers_even_then(disk: SmallDisk) -> None:
    async with town() as place, online(place.discord, disk.folder) as lily:
        disk.fill()
        reply = await answer_to(place.ming, place.ming.dm("我想自殺"))
        assert "1925" in reply.content
        disk.free()
        await over(place, lily)


async def test_a_reply_that_could_not_be_written_down_is_not_said_twice(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with town() as place, online(place.discord, disk.folder) as lily:
        say = lily.service.parts.delivery.deliver

        async def last_bytes(message, reply):  # type: ignore[no-untyped-def]
            await say(message, reply)
            disk.fill()

        monkeypatch.setattr(lily.service.parts.delivery, "deliver", last_bytes)
        said = place.ming.dm("我對花生過敏")
        reply = await answer_to(place.ming, said)
        assert not in_her_words(lily, reply)
        await place.discord.world.until(lambda: "store_away" in lily.notes, SOON, "the trouble")
        monkeypatch.setattr(lily.service.parts.delivery, "deliver", say)
        disk.free()
        await over(place, lily)
        assert answered(place.ming) == [said.id]
        assert await lily.house.memory.inbox.unanswered() == ()


async def test_what_could_not_be_learned_is_learned_later_and_once(tmp_path: Path) -> None:
    with full_database(tmp_path) as disk:
        async with open_world(tmp_path) as world:
            told = world.message("我對花生過敏")
            long = "使用者對花生過敏" + "，很嚴重" * 3000  # more than fits between what is there
            world.extractor.facts[told.text] = (fact(long, Category.IDENTITY),)
            await world.service.inbox.admit(told)
            disk.fill()
            with pytest.raises(StoreFull, match=r"lily\.db: the disk is full .* free some space"):
                await world.service.observer.observe_person("u1", "lily")
            assert await world.all() == ()
            assert not (await world.entry(told.id)).observed
            disk.free()
            world.later(minutes=2)
            waiting = Waiting(world.service.inbox, world.service.observer, world.clock)
            assert (await waiting.observe(), await waiting.observe()) == (1, 0)
            assert await world.live_texts() == [long]


async def test_the_index_is_filled_once_there_is_room(
    disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("memory.store.outbox._FIRST_RETRY", 0.05)
    async with open_world(disk.folder) as world:
        await world.tell("使用者對花生過敏", Category.IDENTITY)
        disk.fill()
        async with world.service.outbox.running():
            async with asyncio.timeout(SOON):
                while "the index waits" not in caplog.text:  # noqa: ASYNC110 - the log has no event
                    await asyncio.sleep(0.02)
                disk.free()
                while await world.service.outbox.lag():  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        assert len(await world.service.index.contents()) == 1


def test_a_command_fails_with_one_line_and_leaves_nothing_half_done(disk: SmallDisk) -> None:
    rows = [{"user_id": "u1", "text": f"使用者喜歡第 {number} 首歌"} for number in range(40)]
    write_script(disk.folder, rows, "in.jsonl")
    data = disk.folder / "data"
    assert command(disk.folder, "memories", "--user", "u1", "--data", str(data)).code == 0
    disk.fill()
    ran = command(disk.folder, "import", "in.jsonl", "--data", str(data))
    assert (ran.code, ran.out) == (1, "")
    (line,) = ran.errors
    assert "disk" in line and "free some" in line
    witness(
        "disk",
        "full under a command (import)",
        screen=f"{line} (exit code {ran.code})",
        person="-",
        after="the same command again; nothing half-done is left",
    )
    disk.free()
    assert command(disk.folder, "memories", "--user", "u1", "--data", str(data), "--json").rows == []
    assert command(disk.folder, "import", "in.jsonl", "--data", str(data)).code == 0
    assert len(command(disk.folder, "memories", "--user", "u1", "--data", str(data), "--json").rows) == 40


def test_a_log_that_can_not_be_written_says_later_how_much_it_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import errno
    import logging

    from bot.logs import Patient, open_log

    log = logging.getLogger("bot.test")
    with open_log(tmp_path, "info"), pytest.MonkeyPatch.context() as full:

        def no_room(_self: Patient) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        log.info("before")
        full.setattr(Patient, "flush", no_room)
        log.info("lost")
        log.info("lost as well")
        full.undo()
        log.info("after")
    assert "lines before this one could not be written" in log_of(tmp_path)
    assert "after" in log_of(tmp_path)
    assert capfd.readouterr().err == ""


def test_a_character_is_taken_over_whole_or_not_at_all(disk: SmallDisk) -> None:
    characters = disk.folder / "characters"
    card: dict[str, object] = {"data": {"name": "阿福", "description": "管家。" * 400, "first_mes": "少爺。"}}
    (disk.folder / "card.json").write_text(
        json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", **card})
    )
    own = {"LILY_PERSONA__CHARACTERS_DIR": str(characters)}
    disk.fill()
    ran = command(disk.folder, "card", "card.json", **own)
    assert (ran.code, ran.out) == (1, "")
    assert ran.errors == ["no space left on the disk; free some and try again"]
    assert not characters.exists() or list(characters.iterdir()) == []
    disk.free()
    assert command(disk.folder, "card", "card.json", **own).code == 0
    assert (characters / "阿福" / "character.yaml").is_file()
