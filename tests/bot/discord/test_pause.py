"""While somebody has paused, nothing they say or are told is written anywhere; she answers all the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.conversations import Conversations
from bot.discord.ids import message_key
from memory.inbox import ReplyState
from tests.bot.discord.echo import EchoChat, scripted
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, tells, town
from tests.bot.discord.traces import in_files, in_rows


@asynccontextmanager
async def paused(place: Town, folder: Path, chat: EchoChat, **choices: object) -> AsyncIterator[Lily]:
    """Bring her online for somebody who has paused.

    The index writes pages it has not filled yet as they are: in a process of its own it never had a word.
    """
    (folder / "notes").touch()  # not a copy of the template: its vectors are another embedder's
    with scripted(chat):
        async with online(place.discord, folder, index_apart=True, **choices) as lily:
            await place.ming.slash(place.ming.dm_channel(), "memory pause").reply(SOON)
            yield lily


async def is_written(lily: Lily, folder: Path, *words: str) -> list[str]:
    """Return where any of the words stands, in rows and in the bytes of every file."""
    await lily.settled()
    await lily.house.memory.outbox.drain()
    written = [*(one.encode() for one in words), *(one.encode("utf-16-le") for one in words)]
    return await in_rows(lily.house.memory.database, words) + in_files(folder, written)


async def test_nothing_said_while_paused_is_written_down_and_all_of_it_is_answered(tmp_path: Path) -> None:
    chat = EchoChat()
    async with town() as place, paused(place, tmp_path, chat) as lily:
        ming, general, bot = place.ming, place.server.general, place.discord.bot
        theirs = await tells(lily, place.ann, "這是zq00009", general)
        assert await is_written(lily, tmp_path, "zq00009")
        hers = [
            await answer_to(ming, ming.dm("這是zq00001")),
            await answer_to(ming, ming.say(general, "這是zq00002", mention=bot)),
            await answer_to(ming, ming.say(general, "這是zq00003", reply_to=theirs, mention=bot)),
        ]
        for number, one in enumerate(hers, 1):
            assert f"zq0000{number}" in one.content
        assert await is_written(lily, tmp_path, "zq00001", "zq00002", "zq00003") == []
        assert await lily.memories(ming) == ()


async def test_what_stays_of_a_message_is_that_there_was_one(tmp_path: Path) -> None:
    async with town() as place, paused(place, tmp_path, EchoChat()) as lily:
        place.discord.outages.duplicate("MESSAGE_CREATE")
        said = place.ming.dm("這是zq00001")
        await answer_to(place.ming, said)
        await lily.settled()
        dm = place.ming.reads(place.ming.dm_channel())
        assert sum(one.reference is not None and one.author.bot for one in dm) == 1
        entry = await lily.house.memory.inbox.get(message_key(said.id))
        assert entry is not None
        assert (entry.state, entry.observed, entry.withheld) == (ReplyState.REPLIED, True, True)
        assert (entry.message.text, entry.message.display_name, entry.reply) == ("", None, ())
        assert await lily.house.memory.inbox.recent_turns(entry.message.conversation, 9) == ()


async def test_an_edit_while_paused_is_answered_and_not_written_down(tmp_path: Path) -> None:
    async with town() as place, paused(place, tmp_path, EchoChat(), merge_window_seconds=3.0) as lily:
        said = place.ming.dm("這是zq00001")
        await place.ming.sees_typing(place.ming.dm_channel(), within=SOON)
        place.ming.edit(said, "這是zq00002")
        assert "zq00002" in (await answer_to(place.ming, said)).content
        place.ming.edit(said, "這是zq00003")
        await lily.settled()
        assert await is_written(lily, tmp_path, "zq00001", "zq00002", "zq00003") == []


async def test_an_edit_after_pausing_takes_the_turn_of_the_message_along(tmp_path: Path) -> None:
    (tmp_path / "notes").touch()
    with scripted(EchoChat()):
        async with town() as place, online(place.discord, tmp_path) as lily:
            said = await tells(lily, place.ming, "這是zq00001")
            await place.ming.slash(place.ming.dm_channel(), "memory pause").reply(SOON)
            place.ming.edit(said, "這是zq00002")
            key = message_key(said.id)

            async def revision() -> int:
                entry = await lily.house.memory.inbox.get(key)
                return entry.message.revision if entry is not None else -1

            while await revision() < 1:
                pass
            assert await is_written(lily, tmp_path, "zq00002") == []
            entry = await lily.house.memory.inbox.get(key)
            assert entry is not None
            assert await lily.house.memory.inbox.recent_turns(entry.message.conversation, 9) == ()


async def test_what_was_told_before_is_not_used_while_paused_and_is_again_afterwards(tmp_path: Path) -> None:
    chat = EchoChat()
    (tmp_path / "notes").touch()
    with scripted(chat):
        async with town() as place, online(place.discord, tmp_path) as lily:
            ming, dm = place.ming, place.ming.dm_channel()
            await tells(lily, ming, "這是zq00001")
            await ming.slash(dm, "memory pause").reply(SOON)
            await tells(lily, ming, "這是zq00002")
            assert chat.shown["zq00002"] == [([], ["zq00002"])]
            await ming.slash(dm, "memory resume").reply(SOON)
            await tells(lily, ming, "這是zq00003")
            [(_, turns)] = chat.shown["zq00003"]
            assert turns == ["zq00001", "zq00003"]
            assert [one.text for one in await lily.memories(ming)] == [
                "使用者說過zq00001",
                "使用者說過zq00003",
            ]


async def test_a_crash_before_the_answer_is_made_good_from_discords_own_history(tmp_path: Path) -> None:
    async def breaks(*_: object) -> object:
        raise aiohttp.ServerDisconnectedError

    async with town() as place:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Conversations, "answer", breaks)
            async with paused(place, tmp_path, EchoChat()) as lily:
                said = place.ming.dm("這是zq00001")
                while (entry := await lily.house.memory.inbox.get(message_key(said.id))) is None:
                    pass
                await lily.settled()
                assert (entry.state, entry.message.text) == (ReplyState.RECEIVED, "")
        for _ in range(2):
            async with paused(place, tmp_path, EchoChat()) as lily:
                assert "zq00001" in (await answer_to(place.ming, said)).content
                assert await is_written(lily, tmp_path, "zq00001") == []
        dm = place.ming.reads(place.ming.dm_channel())
        assert len([one for one in dm if one.reference and one.reference.message_id == said.id]) == 1
