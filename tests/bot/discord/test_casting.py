"""Who speaks where: chosen by a server's admins, with memories and follow-ups of her own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.by_itself import follow_ups_of
from bot.discord.ids import message_key
from bot.discord.notifying import DiscordNotifier
from memory.clock import SettableClock
from persona.library import save_character
from scheduler.follow_ups import FollowUps
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, tells, town
from tests.bot.discord.overhearing import Overheard, overhearing
from tests.standin import Channel, Message, Person

TAIPEI = ZoneInfo("Asia/Taipei")
SATURDAY = datetime(2026, 9, 12, 21, 30, tzinfo=TAIPEI)
EVENING = datetime(2026, 9, 15, 18, tzinfo=TAIPEI)
HOUR = timedelta(hours=1)
Here = tuple[Town, Lily]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    async with town() as place, online(place.discord, tmp_path) as lily:
        yield place, lily


async def asks(person: Person, where: Channel, command: str, /, **options: Any) -> Message:
    """Use a command and return its answer."""
    return await person.slash(where, command, **options).reply(SOON)


async def chooses(place: Town, character: str) -> Message:
    """Let the server's owner choose who speaks there."""
    return await asks(place.ming, place.server.general, "lily persona", character=character)


async def personas(lily: Lily, person: Person) -> set[str]:
    """Return whose memories there are of a person."""
    return {memory.persona_id for memory in await lily.memories(person)}


async def spoken_to(lily: Lily, said: Message) -> str:
    """Return which character a message was said to."""
    entry = await lily.house.memory.inbox.get(message_key(said.id))
    assert entry is not None
    return entry.message.persona_id


async def test_the_chosen_one_answers_on_the_server_and_the_houses_own_in_a_dm(tmp_path: Path) -> None:
    async with overhearing() as heard, town() as place:
        chosen = {"models": heard.settings(), "secrets": heard.secrets}
        async with online(place.discord, tmp_path, **chosen) as lily:
            assert "莉莉" in (await asks(place.ming, place.server.general, "lily persona")).content
            assert "時刻" in (await chooses(place, "shike")).content
            await speaks(heard, lily, place)
        async with online(place.discord, tmp_path, **chosen) as lily:
            assert "時刻" in (await asks(place.ming, place.server.general, "lily persona")).content
            await speaks(heard, lily, place)


async def speaks(heard: Overheard, lily: Lily, place: Town) -> None:
    """Find Shike on the server, and Lily in the DM and on another server."""
    said = await tells(lily, place.ming, "你好", place.server.general)
    assert "時刻" in heard.last_system
    assert await spoken_to(lily, said) == "shike"
    for channel in (None, place.discord.server("Hills", [place.ming]).general):
        said = await tells(lily, place.ming, "你好啊", channel)
        assert await spoken_to(lily, said) == "lily"
        assert "時刻" not in heard.last_system


async def test_what_one_was_told_another_neither_uses_nor_shows(here: Here) -> None:
    place, lily = here
    general = place.server.general
    await tells(lily, place.ming, "我對花生過敏", general)
    await chooses(place, "shike")
    await tells(lily, place.ming, "我喜歡爬山", general)
    assert await personas(lily, place.ming) == {"lily", "shike"}
    for command in ("memory list", "profile", "memory archived"):
        assert "花生" not in (await asks(place.ming, general, command)).content, command
    assert "爬山" in (await asks(place.ming, general, "memory list")).content
    suggested = await place.ming.autocomplete(general, "memory forget", "memory", "")
    assert ["爬山" in one["name"] for one in suggested] == [True]
    said = await tells(lily, place.ming, "我對什麼過敏？", general)
    assert "花生" not in (await answer_to(place.ming, said)).content
    in_dm = (await asks(place.ming, place.ming.dm_channel(), "memory list")).content
    assert ("花生" in in_dm, "爬山" in in_dm) == (True, False)
    said = await tells(lily, place.ming, "我喜歡做什麼？")
    assert "爬山" not in (await answer_to(place.ming, said)).content
    await chooses(place, "lily")
    assert "花生" in (await asks(place.ming, general, "memory list")).content


async def test_a_memory_of_anothers_is_not_touched_by_its_id_but_by_its_own_button(here: Here) -> None:
    place, lily = here
    general = place.server.general
    await tells(lily, place.ming, "我對花生過敏", general)
    (memory,) = await lily.memories(place.ming)
    await asks(place.ming, general, "memory forget", memory=memory.id)
    archived = await asks(place.ming, general, "memory archived")
    await chooses(place, "shike")
    for command in ("memory restore", "memory history", "memory forget"):
        assert "花生" not in (await asks(place.ming, general, command, memory=memory.id)).content
    assert await lily.texts(place.ming) == []
    await place.ming.click(archived).reply(SOON)
    assert await lily.texts(place.ming) == [memory.text]


async def test_pruning_is_of_the_one_who_speaks_there(tmp_path: Path) -> None:
    clock = SettableClock(SATURDAY)
    async with (
        town(now=clock.now) as place,
        online(place.discord, tmp_path, clock=clock, scheduled=False) as lily,
    ):
        await tells(lily, place.ming, "我下週二有期末考", place.server.general)
        clock.set(EVENING + timedelta(days=30))
        await chooses(place, "shike")
        assert "沒有" in (await asks(place.ming, place.server.general, "prune")).content
        await chooses(place, "lily")
        dry = await asks(place.ming, place.server.general, "prune")
        await place.ming.click(dry).reply(SOON)
        assert await lily.texts(place.ming) == []


async def test_why_is_told_of_the_one_who_speaks_there(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ming, "我對什麼過敏？")
    await chooses(place, "shike")
    assert "花生" in (await asks(place.ming, place.ming.dm_channel(), "memory why")).content
    assert "花生" not in (await asks(place.ming, place.server.general, "memory why")).content


async def test_an_edited_message_stays_with_the_one_it_was_said_to(here: Here) -> None:
    place, lily = here
    said = await tells(lily, place.ming, "我喜歡爬山", place.server.general)
    await chooses(place, "shike")
    place.ming.edit(said, f"{place.discord.bot.user.mention} 我喜歡游泳")

    async with asyncio.timeout(SOON):
        while not any("游泳" in text for text in await lily.texts(place.ming)):
            await lily.settled()
    assert await personas(lily, place.ming) == {"lily"}


# Choosing


async def test_who_may_not_manage_the_server_chooses_nobody(here: Here) -> None:
    place, lily = here
    for command in place.discord.bot.commands[None].values():
        command["default_member_permissions"] = None  # type: ignore[index]
    answer = await asks(place.ann, place.server.general, "lily persona", character="shike")
    assert "right to manage" in answer.content
    assert await place.ann.autocomplete(place.server.general, "lily persona", "character", "") == []
    assert await lily.house.cast.chosen(str(place.server.id)) is None


async def test_the_installed_are_suggested_and_one_just_installed_can_be_chosen_at_once(
    here: Here, tmp_path: Path
) -> None:
    place, _ = here
    general = place.server.general
    found = await place.ming.autocomplete(general, "lily persona", "character", "")
    assert {one["value"] for one in found} == {"lily", "shike"}
    assert "沒有" in (await chooses(place, "aya")).content
    save_character(tmp_path / "characters", "aya", {"data": {"name": "彩", "description": "開朗"}}, ())
    (aya,) = await place.ming.autocomplete(general, "lily persona", "character", "彩")
    assert aya["value"] == "aya"
    assert "彩" in (await chooses(place, "aya")).content


async def test_one_whose_files_are_broken_is_not_chosen_and_the_others_are_still_suggested(
    here: Here, tmp_path: Path
) -> None:
    place, lily = here
    folder = tmp_path / "characters" / "aya"
    folder.mkdir(parents=True)
    (folder / "character.yaml").write_text("data: [")
    found = await place.ming.autocomplete(place.server.general, "lily persona", "character", "")
    assert {one["value"] for one in found} == {"lily", "shike"}
    assert "aya" in (await chooses(place, "aya")).content
    assert await lily.house.cast.chosen(str(place.server.id)) is None


async def test_where_the_chosen_one_is_gone_the_houses_own_speaks_and_an_admin_is_told(
    tmp_path: Path,
) -> None:
    async with town() as place:
        save_character(tmp_path / "characters", "aya", {"data": {"name": "彩"}}, ())
        async with online(place.discord, tmp_path) as lily:
            await chooses(place, "aya")
            await tells(lily, place.ming, "我喜歡爬山", place.server.general)
        shutil.rmtree(tmp_path / "characters" / "aya")
        async with online(place.discord, tmp_path) as lily:
            said = await tells(lily, place.ming, "我喜歡游泳", place.server.general)
            assert await spoken_to(lily, said) == "lily"
            shown = (await asks(place.ming, place.server.general, "lily persona")).content
            assert "莉莉" in shown
            assert "aya" in shown
            assert await personas(lily, place.ming) == {"aya", "lily"}


# By herself


@asynccontextmanager
async def asking(
    place: Town, folder: Path, clock: SettableClock, heard: Overheard
) -> AsyncIterator[tuple[Lily, FollowUps]]:
    """Bring her online with follow-ups that are rung by hand."""
    models = {"models": heard.settings(), "secrets": heard.secrets}
    async with online(place.discord, folder, clock=clock, scheduled=False, **models) as lily:
        yield lily, follow_ups_of(lily.house, DiscordNotifier(lily.service.parts.client))


async def test_a_follow_up_goes_out_where_its_character_speaks_in_her_voice(tmp_path: Path) -> None:
    clock = SettableClock(SATURDAY)
    async with overhearing() as heard, town(now=clock.now) as place:
        async with asking(place, tmp_path, clock, heard) as (lily, _):
            await chooses(place, "shike")
            await asks(place.ming, place.server.general, "checkin on")
            await tells(lily, place.ming, "我下週二有期末考", place.server.general)
        async with asking(place, tmp_path, clock, heard) as (lily, follow_ups):
            clock.set(EVENING)
            (said,) = await follow_ups.run_due()
            assert said.place.guild == str(place.server.id)
            assert "時刻" in heard.last_system
            assert "莉莉" not in heard.last_system
            assert "考" in place.ming.reads(place.server.general)[-1].content


async def test_asked_in_a_dm_by_another_one_the_answer_is_hers_until_the_chat_is_over(
    tmp_path: Path,
) -> None:
    clock = SettableClock(SATURDAY)
    async with (
        overhearing() as heard,
        town(now=clock.now) as place,
        asking(place, tmp_path, clock, heard) as (lily, follow_ups),
    ):
        await chooses(place, "shike")
        await asks(place.ming, place.server.general, "checkin on")
        await tells(lily, place.ming, "我下週二有期末考", place.server.general)
        await chooses(place, "lily")  # so that the channel is not Shike's any more
        clock.set(EVENING)
        (asked,) = await follow_ups.run_due()
        assert asked.place.is_dm
        clock.set(EVENING + 3 * HOUR)
        answer = await tells(lily, place.ming, "考得還不錯")
        assert await spoken_to(lily, answer) == "shike"
        (exam,) = [one for one in await lily.memories(place.ming) if not one.archived]
        assert (exam.persona_id, exam.outcome) == ("shike", "考得還不錯")
        clock.set(EVENING + 3.5 * HOUR)
        assert await spoken_to(lily, await tells(lily, place.ming, "謝謝你問")) == "shike"
        clock.set(EVENING + 5 * HOUR)
        assert await spoken_to(lily, await tells(lily, place.ming, "晚安")) == "lily"


async def test_a_question_nobody_answered_for_a_day_leaves_the_dm_to_the_houses_own(tmp_path: Path) -> None:
    clock = SettableClock(SATURDAY)
    async with (
        overhearing() as heard,
        town(now=clock.now) as place,
        asking(place, tmp_path, clock, heard) as (lily, follow_ups),
    ):
        await chooses(place, "shike")
        await asks(place.ming, place.server.general, "checkin on")
        await tells(lily, place.ming, "我下週二有期末考", place.server.general)
        await chooses(place, "lily")
        clock.set(EVENING)
        await follow_ups.run_due()
        clock.set(EVENING + 25 * HOUR)
        assert await spoken_to(lily, await tells(lily, place.ming, "你好")) == "lily"
