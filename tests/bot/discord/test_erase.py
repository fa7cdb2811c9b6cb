from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import delete, update

from memory.model import Memory
from memory.store.gate import some
from memory.store.rows import pack
from memory.store.schema import events, follow_ups, inbox, memories
from tests.bot.discord.echo import EchoChat, HeldChat, HeldExtractor, scripted
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, tells, town
from tests.bot.discord.traces import in_caches, in_files, in_memory, in_rows

SECRETS = ("我對藍莓優格過敏", "我的興趣是收集鯨魚骨頭", "我下週二有滑翔翼考試", "我住在花蓮的燈塔旁邊")
WORDS = ("藍莓優格", "鯨魚骨頭", "滑翔翼考試", "花蓮的燈塔")
HERS = ("I collect antique clocks", "I live in Lisbon")


async def tells_much(place: Town, lily: Lily) -> None:
    """Let both talk to her here and there, use commands and take things back."""
    ming, ann, general = place.ming, place.ann, place.server.general
    for number, text in enumerate(SECRETS):
        await tells(lily, ming, text, None if number % 2 else general)
    for text in HERS:
        await tells(lily, ann, text)
    await tells(lily, ming, "你知道我對什麼過敏嗎？")
    for command in ("memory list", "memory why", "checkin on", "profile", "memory export"):
        await ming.slash(ming.dm_channel(), command).reply(SOON)
    await ming.slash(general, "timezone", zone="Asia/Tokyo").reply(SOON)
    (forgotten, *_) = [one for one in await lily.memories(ming) if "鯨魚" in one.text]
    await ming.slash(general, "memory forget", memory=forgotten.id).reply(SOON)
    taken_back = await tells(lily, ming, "我養了一隻叫鯨魚骨頭的貓")
    ming.delete(taken_back)
    await asyncio.sleep(0.1)
    await lily.settled()


async def erases(place: Town, lily: Lily) -> str:
    """Let the person erase everything, confirmed twice; returns what they are told."""
    ming = place.ming
    warning = await ming.slash(ming.dm_channel(), "memory erase").reply(SOON)
    form = ming.click(warning)
    await form.modal()
    told = await ming.submit(form, {"text": "全部忘記"}).reply(SOON * 2)
    return told.content


async def nothing_is_left(
    place: Town, lily: Lily, folder: Path, words: Sequence[str], ids: Sequence[str]
) -> None:
    """Check that none of the traces is anywhere; caches of links may hold ids."""
    traces = [*words, *ids]
    await lily.settled()
    await lily.house.memory.outbox.drain()
    assert await in_rows(lily.house.memory.database, traces) == []
    assert in_files(folder, as_written(traces)) == []
    assert in_caches(words) == []
    assert in_memory([lily.service, lily.house], traces) == []
    assert await lily.memories(place.ming) == ()


def as_written(traces: Sequence[str]) -> list[bytes]:
    """Return texts as a file may hold them: plain, in two bytes a character, escaped in JSON."""
    forms = (str.encode, lambda one: one.encode("utf-16-le"), lambda one: json.dumps(one)[1:-1].encode())
    return sorted({form(one) for one in traces for form in forms})


async def vectors_of(lily: Lily, memories: tuple[Memory, ...]) -> list[bytes]:
    """Return the stored form of memories' vectors."""
    async with lily.house.memory.database.read() as connection:
        held = await some(connection, [one.id for one in memories])
    return [pack(one.vector) for one in held.values()]


async def test_after_an_erase_nothing_of_the_person_is_left_anywhere(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells_much(place, lily)
        await lily.house.memory.outbox.drain()
        mine, theirs = await lily.memories(place.ming), await lily.memories(place.ann)
        assert len(mine) >= 4
        vectors = await vectors_of(lily, mine)
        dm = place.ming.reads(place.ming.dm_channel())
        said = [str(one.id) for one in dm if one.author is place.ming.user]
        theirs_alone = [*WORDS, str(place.ming.id), *(one.id for one in mine)]
        traces = [*theirs_alone, *said]
        assert await in_rows(lily.house.memory.database, traces)
        assert in_files(tmp_path, vectors)
        escaped = [json.dumps(one)[1:-1].encode() for one in WORDS]
        assert in_files(tmp_path, escaped)  # the log keeps memories as JSON
        assert in_memory([lily.service, lily.house], WORDS)
        told = await erases(place, lily)
        await lily.settled()
        assert await in_rows(lily.house.memory.database, traces) == []
        written = as_written(traces)
        assert in_files(tmp_path, [*written, *vectors]) == []
        assert set(await lily.house.memory.index.contents()) == {one.id for one in theirs}
        assert in_caches(WORDS) == []
        assert in_memory([lily.service, lily.house], theirs_alone) == []
        assert await lily.memories(place.ann) == theirs
        assert told


async def test_what_was_said_before_an_erase_is_not_taken_up_at_the_next_start(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path) as lily:
            await tells(lily, place.ming, SECRETS[0])
            await tells(lily, place.ming, SECRETS[1], place.server.general)
            assert await erases(place, lily)
        replies = len(place.ming.reads(place.ming.dm_channel()))
        async with online(place.discord, tmp_path) as lily:
            await lily.service._take_up_missed()
            await lily.settled()
            assert await in_rows(lily.house.memory.database, [*WORDS, str(place.ming.id)]) == []
            assert await lily.memories(place.ming) == ()
        assert len(place.ming.reads(place.ming.dm_channel())) == replies


async def test_an_erase_breaks_off_the_answer_being_given_and_what_waits_behind_it(tmp_path: Path) -> None:
    chat, dm_of = HeldChat(), lambda person: person.reads(person.dm_channel())
    (tmp_path / "notes").touch()  # not a copy of the template: its vectors are another embedder's
    with scripted(chat):
        async with town() as place, online(place.discord, tmp_path) as lily:
            ming = place.ming
            first = ming.dm("這是zq00001")
            await chat.held.begun.wait()
            behind = ming.dm("這是zq00002")
            elsewhere = ming.say(place.server.general, "這是zq00003", mention=place.discord.bot)
            theirs = place.ann.say(place.server.general, "這是zq00004", mention=place.discord.bot)
            ids = [str(one.id) for one in (first, behind, elsewhere)]
            await place.discord.until(lambda: lily.service.parts.talk.waiting >= 1, SOON, "a queue")
            assert await in_rows(lily.house.memory.database, ["zq00001"])
            assert await erases(place, lily)
            chat.held.go_on.set()
            await answer_to(place.ann, theirs)
            words = ("zq00001", "zq00002", "zq00003")
            await nothing_is_left(place, lily, tmp_path, words, [*ids, str(ming.id)])
            answered = {one.reference.message_id for one in dm_of(ming) if one.reference and one.author.bot}
            assert not answered & {first.id, behind.id}
            assert any("zq00004" in one.text for one in await lily.memories(place.ann))
            again = ming.dm("這是zq00005")
            await answer_to(ming, again)
            await lily.settled()
            assert [one.text for one in await lily.memories(ming)] == ["使用者說過zq00005"]


async def test_an_erase_breaks_off_what_is_being_learned(tmp_path: Path) -> None:
    extractor = HeldExtractor()
    (tmp_path / "notes").touch()
    with scripted(EchoChat(), extractor):
        async with town() as place, online(place.discord, tmp_path) as lily:
            said = place.ming.dm("這是zq00001")
            await answer_to(place.ming, said)
            await extractor.held.begun.wait()
            assert await erases(place, lily)
            extractor.held.go_on.set()
            await nothing_is_left(place, lily, tmp_path, ["zq00001"], [str(said.id), str(place.ming.id)])


async def left_unanswered(lily: Lily) -> None:
    """Put what was said back as it stands after a crash: written down, neither answered nor learned from."""
    async with lily.house.memory.database.write() as connection:
        await connection.execute(
            update(inbox).values(state="received", reply=None, observed=False, extraction=None)
        )
        for table in (memories, events, follow_ups):
            await connection.execute(delete(table))


async def stores_hold_nothing(lily: Lily, folder: Path, traces: Sequence[str]) -> None:
    """Check rows and files; the caches of the process are those of an earlier house as well."""
    assert await in_rows(lily.house.memory.database, traces) == []
    assert in_files(folder, as_written(traces)) == []


async def test_an_erase_breaks_off_an_answer_that_is_taken_up_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    async with town() as place:
        ming = place.ming
        with scripted(EchoChat()):
            async with online(place.discord, tmp_path) as lily:
                said = await tells(lily, ming, "這是zq00001")
                elsewhere = await tells(lily, ming, "這是zq00002", place.server.general)
                await tells(lily, place.ann, "這是zq00003")
                await left_unanswered(lily)
        before = len(ming.reads(place.server.general))
        with scripted(chat := HeldChat()):
            async with online(place.discord, tmp_path) as lily:
                await chat.held.begun.wait()
                ids = [str(one.id) for one in (said, elsewhere)]
                assert await erases(place, lily)
                erased = len(ming.reads(ming.dm_channel()))
                chat.held.go_on.set()
                await place.discord.until(lambda: "zq00003" in chat.shown, SOON, "the other answer")
                await lily.settled()
                await stores_hold_nothing(lily, tmp_path, ["zq00001", "zq00002", *ids, str(ming.id)])
                assert list(chat.shown) == ["zq00003"]
                assert len(ming.reads(place.server.general)) == before
                assert len(ming.reads(ming.dm_channel())) == erased


async def test_an_erase_breaks_off_what_is_learned_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    async with town() as place:
        ming = place.ming
        with scripted(EchoChat()):
            async with online(place.discord, tmp_path) as lily:
                said = await tells(lily, ming, "這是zq00001")
                await left_unanswered(lily)
        extractor = HeldExtractor()
        with scripted(EchoChat(), extractor):
            async with online(place.discord, tmp_path) as lily:
                await extractor.held.begun.wait()
                assert await erases(place, lily)
                extractor.held.go_on.set()
                await lily.settled()
                await stores_hold_nothing(lily, tmp_path, ["zq00001", str(said.id), str(ming.id)])
