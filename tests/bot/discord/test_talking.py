from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot.discord.ids import message_key
from bot.discord.splitting import split
from memory.inbox import ReplyState
from memory.messages import Message as Said
from persona.situation import Reply, Source
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, town

Here = tuple[Town, Lily]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    async with town() as place, online(place.discord, tmp_path) as lily:
        yield place, lily


async def test_she_answers_a_mention_with_a_reply_that_pings_nobody(here: Here) -> None:
    place, _ = here
    said = place.ming.say(place.server.general, "你好", mention=place.discord.bot)
    reply = await place.ming.hears(place.server.general, within=SOON)
    assert reply.reference is not None
    assert reply.reference.message_id == said.id
    assert not reply.notified


async def test_whomever_she_names_in_whatever_part_of_a_reply_nobody_is_pinged(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, lily = here
    role = place.server.role("staff", mentionable=True)
    called = f"@everyone @here {place.ann.mention} {place.ming.mention} {role.mention}"
    long = "\n\n".join(f"{called} " + "話" * 1500 for _ in range(3))

    async def reply(_situation: object) -> object:
        return Reply(long, Source.MODEL)

    monkeypatch.setattr(lily.house.companion, "reply", reply)
    place.ming.say(place.server.general, "叫大家來", mention=place.discord.bot)
    for _ in range(3):
        said = await place.ming.hears(place.server.general, within=SOON)
        assert place.ann.mention in said.content
        assert (said.notified, said.mention_everyone, said.mentions) == (set(), False, [])


async def test_she_answers_a_reply_to_her_with_the_ping_off(here: Here) -> None:
    place, _ = here
    place.ming.say(place.server.general, "你好", mention=place.discord.bot)
    hers = await place.ming.hears(place.server.general, within=SOON)
    said = place.ann.say(place.server.general, "who are you", reply_to=hers, ping=False)
    reply = await place.ann.hears(place.server.general, after=said, within=SOON)
    assert reply.reference is not None
    assert reply.reference.message_id == said.id


async def test_she_answers_a_direct_message_and_types_before(here: Here) -> None:
    place, _ = here
    said = place.ming.dm("晚安")
    await place.ming.hears_dm(within=SOON)
    typed = await place.ming.sees_typing(place.ming.dm_channel(), within=SOON)
    assert typed - said.posted < SOON


async def test_she_stays_silent_where_nobody_speaks_to_her(here: Here) -> None:
    place, lily = here
    said = place.ming.say(place.server.general, "我下週二有考試")
    other = place.ann.say(place.server.general, "ok", reply_to=said)
    everyone = place.ming.say(place.server.general, "@everyone 開會", mention=place.discord.bot)
    await place.ming.hears_nothing(place.server.general)
    for message in (said, other, everyone):
        assert await lily.house.memory.inbox.get(message_key(message.id)) is None


async def test_she_answers_everything_in_an_active_channel_and_its_threads(tmp_path: Path) -> None:
    async with town() as place:
        active = str(place.server.general.id)
        async with online(place.discord, tmp_path, active_channels=[active]):
            place.ming.say(place.server.general, "有人在嗎")
            await place.ming.hears(place.server.general, within=SOON)
            thread = place.server.thread(place.server.general, "閒聊", place.ming)
            place.ming.say(thread, "這裡呢")
            await place.ming.hears(thread, within=SOON)


async def test_a_mention_in_a_private_thread_is_kept_as_private(here: Here) -> None:
    place, lily = here
    thread = place.server.thread(place.server.general, "悄悄話", place.ming, private=True)
    place.ming.say(thread, "我對花生過敏", mention=place.discord.bot)
    await place.ming.hears(thread, within=SOON)
    await lily.settled()
    (memory,) = await lily.memories(place.ming)
    assert memory.places == (f"guild:{place.server.id}/channel:{thread.id}+private",)


async def test_a_channel_not_everyone_sees_is_private_and_an_open_one_is_not(here: Here) -> None:
    place, lily = here
    closed = place.server.private_channel("staff", [place.ming])
    place.ming.say(closed, "我對花生過敏", mention=place.discord.bot)
    await place.ming.hears(closed, within=SOON)
    place.ming.say(place.server.general, "我喜歡爬山", mention=place.discord.bot)
    await place.ming.hears(place.server.general, within=SOON)
    await lily.settled()
    found = {memory.text: memory.places for memory in await lily.memories(place.ming)}
    assert sorted(places[0].endswith("+private") for places in found.values()) == [False, True]


async def test_what_was_said_in_a_dm_is_not_used_on_a_server(here: Here) -> None:
    place, lily = here
    place.ming.dm("我對花生過敏")
    await place.ming.hears_dm(within=SOON)
    await lily.settled()
    place.ming.say(place.server.general, "我對什麼過敏？", mention=place.discord.bot)
    reply = await place.ming.hears(place.server.general, within=SOON)
    assert "花生" not in reply.content
    place.ming.dm("我對什麼過敏？")
    replies = [await place.ming.hears_dm(within=SOON), await place.ming.hears_dm(within=SOON)]
    assert any("花生" in one.content for one in replies)


async def test_a_burst_gets_one_answer_to_its_newest_message(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, merge_window_seconds=1.0) as lily:
        said = [place.ming.dm(text) for text in ("欸", "我下週二有期末考", "好緊張")]
        reply = await answer_to(place.ming, said[-1])
        await lily.settled()
        hers = [one for one in place.ming.reads(place.ming.dm_channel()) if one.author is reply.author]
        assert sum(one.reference is not None for one in hers) == 1
        assert any("期末考" in text for text in await lily.texts(place.ming))


async def test_a_message_that_comes_twice_is_answered_once(here: Here) -> None:
    place, _ = here
    place.discord.outages.duplicate("MESSAGE_CREATE")
    place.ming.dm("在嗎")
    await place.ming.hears_dm(within=SOON)
    await place.ming.hears_nothing(place.ming.dm_channel())


async def test_a_picture_without_words_is_acknowledged(here: Here) -> None:
    place, lily = here
    place.ming.dm(files={"cat.png": b"png"})
    reply = await place.ming.hears_dm(within=SOON)
    assert reply.content
    await lily.settled()
    assert await lily.memories(place.ming) == ()


async def test_an_edit_while_she_waits_is_what_she_answers(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, merge_window_seconds=0.3) as lily:
        said = place.ming.dm("我喜歡爬山")
        await place.ming.sees_typing(place.ming.dm_channel(), within=SOON)
        place.ming.edit(said, "我對花生過敏")
        await place.ming.hears_dm(within=SOON)
        await lily.settled()
        assert ["花生" in text for text in await lily.texts(place.ming)] == [True]


async def test_an_edit_after_the_answer_changes_what_is_kept_and_is_not_answered_again(here: Here) -> None:
    place, lily = here
    said = place.ming.dm("我住在台北")
    await place.ming.hears_dm(within=SOON)
    await lily.settled()
    place.ming.edit(said, "我住在高雄")
    key = message_key(said.id)
    async with asyncio.timeout(SOON):
        while not any("高雄" in text for text in await lily.texts(place.ming)):
            await lily.settled()
    entry = await lily.house.memory.inbox.get(key)
    assert entry is not None
    assert entry.message.revision == 1
    assert ["高雄" in text for text in await lily.texts(place.ming)] == [True]
    hers = [one for one in place.ming.reads(place.ming.dm_channel()) if one.author.bot]
    assert sum(one.reference is not None for one in hers) == 1


async def test_a_message_deleted_while_she_waits_is_neither_answered_nor_kept(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, merge_window_seconds=0.3) as lily:
        said = place.ming.dm("我對花生過敏")
        await place.ming.sees_typing(place.ming.dm_channel(), within=SOON)
        place.ming.delete(said)
        await place.ming.hears_nothing(place.ming.dm_channel(), within=0.5)
        await lily.settled()
        assert await lily.memories(place.ming) == ()
        entry = await lily.house.memory.inbox.get(message_key(said.id))
        assert entry is not None
        assert (entry.state, entry.message.text) == (ReplyState.IGNORED, "")


async def test_the_first_thing_she_keeps_is_said_once(here: Here) -> None:
    place, lily = here
    place.ming.dm("我對花生過敏")
    replies = [await place.ming.hears_dm(within=SOON), await place.ming.hears_dm(within=SOON)]
    assert sum("/memory forget" in one.content for one in replies) == 1
    place.ming.dm("我喜歡爬山")
    await place.ming.hears_dm(within=SOON)
    await lily.settled()
    await place.ming.hears_nothing(place.ming.dm_channel())
    assert len(await lily.texts(place.ming)) == 2


async def test_over_the_budget_she_says_so_once_and_still_listens(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, messages_per_person_per_day=1) as lily:
        replies = [await answer_to(place.ming, place.ming.dm(text)) for text in ("嗨", "你好")]
        words = lily.house.character.variants("failure.budget", "zh-TW")
        assert replies[1].content in words
        assert replies[0].content not in words
        place.ming.dm("我對花生過敏")
        place.ann.dm("hello there")
        await place.ann.hears_dm(within=SOON)
        await lily.settled()
        answered = [one for one in place.ming.reads(place.ming.dm_channel()) if one.reference is not None]
        assert len(answered) == 2
        assert any("花生" in text for text in await lily.texts(place.ming))


async def test_somebody_in_need_gets_help_lines_over_the_budget_each_time(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, messages_per_person_per_day=1) as lily:
        await answer_to(place.ming, place.ming.dm("嗨"))
        for words in ("我不想活了", "我真的想自殺"):
            assert "1925" in (await answer_to(place.ming, place.ming.dm(words))).content
        await lily.settled()


async def test_saying_that_it_is_enough_keeps_nobody_in_the_channel_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with town() as place, online(place.discord, tmp_path, messages_per_person_per_day=1) as lily:
        general, bot = place.server.general, place.discord.bot
        enough = lily.house.character.variants("failure.budget", "zh-TW")
        delivery = lily.service.parts.delivery
        begun, go_on, deliver = asyncio.Event(), asyncio.Event(), delivery.deliver

        async def slow(message: Said, reply: Sequence[str]) -> None:
            if reply[0] in enough:
                begun.set()
                await go_on.wait()
            await deliver(message, reply)

        await answer_to(place.ming, place.ming.say(general, "嗨", mention=bot))
        monkeypatch.setattr(delivery, "deliver", slow)
        over = place.ming.say(general, "你好", mention=bot)
        await begun.wait()
        await answer_to(place.ann, place.ann.say(general, "hello there", mention=bot))
        go_on.set()
        assert (await answer_to(place.ming, over)).content in enough


async def test_a_channel_she_may_not_write_in_holds_nobody_up(here: Here) -> None:
    place, lily = here
    server = place.server
    server.rule(server.general, server.everyone, deny=["send_messages"])
    server.rule(server.general, place.ming, allow=["send_messages"])
    said = place.ming.say(server.general, "你好", mention=place.discord.bot)
    place.ann.dm("hello there")
    await place.ann.hears_dm(within=SOON)
    await lily.settled()
    entry = await lily.house.memory.inbox.get(message_key(said.id))
    assert entry is not None
    assert entry.state is ReplyState.IGNORED


async def test_a_long_answer_comes_in_parts_in_order(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    place, lily = here
    long = "\n\n".join(f"第 {number} 段。" + "話" * 600 for number in range(8))

    async def reply(situation: object) -> object:
        return Reply(long, Source.MODEL)

    monkeypatch.setattr(lily.house.companion, "reply", reply)
    place.ming.dm("講個故事")
    parts = [part.shown for part in split(long)]
    heard = [await place.ming.hears_dm(within=SOON) for _ in parts]
    assert [one.content for one in heard] == [part.strip() for part in parts]
    assert [one.reference is not None for one in heard] == [True] + [False] * (len(parts) - 1)
