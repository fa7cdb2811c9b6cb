from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from memory.model import ArchivedReason
from tests.bot.discord.harness import SOON, Lily, Town, online, tells, town
from tests.standin import Channel, Message, Person

Here = tuple[Town, Lily]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    async with town() as place, online(place.discord, tmp_path) as lily:
        yield place, lily


async def asks(person: Person, where: Channel, command: str, /, **options: Any) -> Message:
    """Use a command and return its answer."""
    return await person.slash(where, command, **options).reply(SOON)


async def test_a_list_shows_what_is_ones_own_to_oneself_alone(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    shown = await asks(place.ming, place.server.general, "memory list")
    assert "花生" in shown.content
    assert shown.ephemeral_to is place.ming.user
    other = await asks(place.ann, place.server.general, "memory list")
    assert "花生" not in other.content


async def test_every_command_is_answered_in_the_language_of_ones_discord(here: Here) -> None:
    place, _ = here
    channel = place.server.general
    plain = [
        "memory list", "memory archived", "memory why", "memory export", "memory erase", "memory pause",
        "memory resume", "profile", "privacy", "help", "reset", "checkin on", "checkin list", "checkin off",
    ]  # fmt: skip
    for command in plain:
        in_chinese = await asks(place.ming, channel, command)
        in_english = await asks(place.ann, channel, command)
        assert in_chinese.ephemeral_to is place.ming.user
        assert in_chinese.content != in_english.content, command
        assert in_english.content.isascii() or not any("\u4e00" <= x <= "\u9fff" for x in in_english.content)


async def test_suggestions_are_ones_own_memories_and_nobody_elses(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ming, "我喜歡爬山")
    found = await place.ming.autocomplete(place.server.general, "memory forget", "memory", "花生")
    assert ["花生" in one["name"] for one in found] == [True]
    assert len(await place.ming.autocomplete(place.server.general, "memory forget", "memory", "")) == 2
    assert await place.ann.autocomplete(place.server.general, "memory forget", "memory", "") == []


async def test_another_persons_memory_can_not_be_touched_by_its_id(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    (memory,) = await lily.memories(place.ming)
    for command in ("memory forget", "memory restore", "memory history"):
        answer = await asks(place.ann, place.server.general, command, memory=memory.id)
        assert "花生" not in answer.content
    assert await lily.texts(place.ming) == [memory.text]


async def test_what_was_forgotten_is_listed_with_its_reason_and_comes_back_by_button(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    (memory,) = await lily.memories(place.ming)
    await asks(place.ming, place.ming.dm_channel(), "memory forget", memory=memory.id)
    (archived,) = await lily.memories(place.ming)
    assert (archived.archived_reason, archived.archived_by) == (
        ArchivedReason.FORGOTTEN,
        f"person:discord:{place.ming.id}",
    )
    shown = await asks(place.ming, place.ming.dm_channel(), "memory archived")
    assert "花生" in shown.content
    back = await place.ming.click(shown).reply(SOON)
    assert "花生" in back.content
    assert await lily.texts(place.ming) == [memory.text]


async def test_a_button_works_after_a_restart(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path) as lily:
            await tells(lily, place.ming, "我對花生過敏")
            (memory,) = await lily.memories(place.ming)
            await asks(place.ming, place.ming.dm_channel(), "memory forget", memory=memory.id)
            shown = await asks(place.ming, place.ming.dm_channel(), "memory archived")
        async with online(place.discord, tmp_path) as lily:
            await place.ming.click(shown).reply(SOON)
            assert await lily.texts(place.ming) == [memory.text]


async def test_commands_are_told_to_discord_once_while_they_stay_the_same(tmp_path: Path) -> None:
    async with town() as place:
        for _ in range(2):
            async with online(place.discord, tmp_path):
                pass
        told = place.discord.recorder.requests("PUT", "/applications/{application_id}/commands")
        assert len(told) == 1


async def test_pages_turn_and_remember_their_category(here: Here) -> None:
    place, lily = here
    for thing in ("爬山", "游泳", "畫畫", "下棋", "釣魚", "攝影", "滑雪"):
        await tells(lily, place.ming, f"我的興趣是{thing}")
    count = len(await lily.texts(place.ming))
    assert count > 5
    shown = await asks(place.ming, place.ming.dm_channel(), "memory list")
    first = shown.content
    turned = await place.ming.click(shown, "下一頁").reply(SOON)
    assert turned.id == shown.id
    assert turned.content != first
    again = await place.ming.click(turned, "上一頁").reply(SOON)
    assert again.content == first


async def test_a_memory_is_edited_in_a_form_and_keeps_its_history(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我喜歡爬山")
    (memory,) = await lily.memories(place.ming)
    use = place.ming.slash(place.ming.dm_channel(), "memory edit", memory=memory.id)
    form = await use.modal()
    assert memory.text in json.dumps(form, ensure_ascii=False)
    done = await place.ming.submit(use, {"text": "使用者喜歡爬百岳"}).reply(SOON)
    assert "百岳" in done.content
    assert await lily.texts(place.ming) == ["使用者喜歡爬百岳"]
    new = next(one for one in await lily.memories(place.ming) if not one.archived)
    shown = await asks(place.ming, place.ming.dm_channel(), "memory history", memory=new.id)
    assert shown.content.index("爬山") < shown.content.index("百岳")


async def test_why_tells_how_the_last_answer_used_memory(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ming, "我對什麼過敏？")
    shown = await asks(place.ming, place.ming.dm_channel(), "memory why")
    assert "花生" in shown.content


async def test_an_export_holds_everything_of_the_person_and_nobody_else(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ann, "I love sushi very much")
    shown = await asks(place.ming, place.server.general, "memory export")
    (file,) = shown.attachments
    path = file["url"].removeprefix(place.discord.world.base_url)
    lines = [
        json.loads(line) for line in place.discord.world.files[path.partition("?")[0]].decode().splitlines()
    ]
    assert {line["type"] for line in lines} >= {"header", "memory", "event", "turn"}
    assert "花生" in json.dumps(lines, ensure_ascii=False)
    assert "sushi" not in json.dumps(lines)


async def test_erasing_takes_the_typed_word_and_leaves_the_others(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ann, "I love sushi very much")
    warning = await asks(place.ming, place.ming.dm_channel(), "memory erase")
    use = place.ming.click(warning)
    await use.modal()
    wrong = await place.ming.submit(use, {"text": "刪"}).reply(SOON)
    assert "全部忘記" in wrong.content
    assert await lily.memories(place.ming)
    use = place.ming.click(warning)
    await use.modal()
    done = await place.ming.submit(use, {"text": "全部忘記"}).reply(SOON)
    assert "驗證" in done.content
    assert await lily.memories(place.ming) == ()
    assert len(await lily.memories(place.ann)) == 1


async def test_while_paused_nothing_is_kept_and_nothing_used(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await asks(place.ming, place.ming.dm_channel(), "memory pause")
    await tells(lily, place.ming, "我喜歡爬山")
    said = place.ming.dm("我對什麼過敏？")
    reply = await place.ming.hears(place.ming.dm_channel(), after=said, within=SOON)
    assert "花生" not in reply.content
    assert len(await lily.texts(place.ming)) == 1
    await asks(place.ming, place.ming.dm_channel(), "memory resume")
    await tells(lily, place.ming, "我喜歡爬山")
    assert len(await lily.texts(place.ming)) == 2


async def test_zone_and_language_are_the_persons_own(here: Here) -> None:
    place, lily = here
    found = await place.ming.autocomplete(place.server.general, "timezone", "zone", "berl")
    assert [one["value"] for one in found] == ["Europe/Berlin"]
    await asks(place.ming, place.server.general, "timezone", zone="Europe/Berlin")
    wrong = await asks(place.ming, place.server.general, "timezone", zone="Europe/Berln")
    assert "Europe/Berlin" in wrong.content
    await asks(place.ming, place.server.general, "language", language="ja")
    person = await lily.house.memory.people.get(str(place.ming.id))
    assert (person.zone, person.language) == ("Europe/Berlin", "ja")
    shown = await asks(place.ming, place.server.general, "profile")
    assert "Europe/Berlin" in shown.content
    assert "日本語" in shown.content


async def test_check_ins_take_hours_and_days_and_refuse_what_is_none(here: Here) -> None:
    place, lily = here
    channel = place.server.general
    await asks(place.ming, channel, "checkin on")
    await asks(place.ming, channel, "checkin quiet", start="23:00", end="8:00")
    await asks(place.ming, channel, "checkin snooze", days=3)
    person = await lily.house.memory.people.get(str(place.ming.id))
    assert (person.check_ins, person.quiet_from, person.quiet_to) == (True, "23:00", "08:00")
    assert person.snooze_until is not None
    wrong = await asks(place.ming, channel, "checkin quiet", start="late", end="8:00")
    assert "late" in wrong.content
    await tells(lily, place.ming, "我下週二有期末考")
    assert "期末考" in (await asks(place.ming, channel, "checkin list")).content
    assert "期末考" not in (await asks(place.ann, channel, "checkin list")).content


async def test_a_reset_drops_ones_own_turns_here_and_no_memory(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我喜歡爬山", place.server.general)
    await tells(lily, place.ann, "I love sushi very much", place.server.general)
    await asks(place.ming, place.server.general, "reset")
    key = f"lily|guild:{place.server.id}/channel:{place.server.general.id}"
    turns = await lily.house.memory.inbox.recent_turns(key, 20)
    assert turns
    assert not any("爬山" in turn.text for turn in turns)
    assert len(await lily.texts(place.ming)) == 1


async def test_a_menu_keeps_a_message_of_ones_own_and_lets_go_of_it_again(here: Here) -> None:
    place, lily = here
    said = place.ming.say(place.server.general, "密碼提示是藍色的門")
    place.ann.say(place.server.general, "ok")
    kept = await place.ming.menu(place.server.general, "Remember this", said).reply(SOON)
    assert "藍色的門" in kept.content
    assert len(await lily.texts(place.ming)) == 1
    other = await place.ann.menu(place.server.general, "Remember this", said).reply(SOON)
    assert "藍色的門" not in other.content
    assert await lily.memories(place.ann) == ()
    gone = await place.ming.menu(place.server.general, "Forget what you learned here", said).reply(SOON)
    assert "藍色的門" in gone.content
    assert await lily.texts(place.ming) == []


async def test_a_deleted_message_offers_to_drop_what_was_learned_from_it(here: Here) -> None:
    place, lily = here
    said = await tells(lily, place.ming, "我對花生過敏")
    place.ming.delete(said)

    def offered() -> Message | None:
        found = [one for one in place.ming.reads(place.ming.dm_channel()) if one.components]
        return found[0] if found else None

    offer = await place.discord.world.until(offered, SOON, "an offer")
    await place.ming.click(offer).reply(SOON)
    assert await lily.texts(place.ming) == []


# Admins


async def test_pruning_shows_numbers_first_and_touches_only_this_servers_rows(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ann, "I love sushi very much", place.server.general)
    await tells(lily, place.ann, "I am allergic to peanuts")
    dry = await asks(place.ming, place.server.general, "prune", member=place.ann)
    assert "sushi" not in dry.content
    assert "1" in dry.content
    assert len(await lily.texts(place.ann)) == 2
    await place.ming.click(dry).reply(SOON)
    (left,) = await lily.texts(place.ann)
    assert "peanut" in left
    gone = next(one for one in await lily.memories(place.ann) if one.archived)
    assert (gone.archived_reason, gone.archived_by) == (
        ArchivedReason.PRUNED,
        f"admin:discord:{place.ming.id}",
    )


async def test_a_right_that_was_taken_away_is_missed_at_the_click(here: Here) -> None:
    place, lily = here
    boss = place.server.role("boss", "manage_guild")
    place.server.give(place.ann, boss)
    await tells(lily, place.ming, "我喜歡爬山", place.server.general)
    dry = await asks(place.ann, place.server.general, "prune", member=place.ming)
    place.server.guild.members[place.ann.id].roles.remove(boss.id)
    refused = await place.ann.click(dry).reply(SOON)
    assert "manage the server" in refused.content
    assert len(await lily.texts(place.ming)) == 1


async def test_an_admin_makes_a_channel_active_and_it_stays_so(tmp_path: Path) -> None:
    async with town() as place:
        chat = place.server.channel("chat")
        async with online(place.discord, tmp_path):
            await asks(place.ming, place.server.general, "lily channels add", channel=chat)
        async with online(place.discord, tmp_path):
            place.ann.say(chat, "hello everybody here")
            await place.ann.hears(chat, within=SOON)
            listed = await asks(place.ming, place.server.general, "lily channels list")
            assert chat.mention in listed.content
            await asks(place.ming, place.server.general, "lily channels remove", channel=chat)
            place.ann.say(chat, "and now")
            await place.ann.hears_nothing(chat, within=0.3)


async def test_status_and_persona_answer_an_admin(here: Here) -> None:
    place, _ = here
    status = await asks(place.ming, place.server.general, "lily status")
    assert "offline" in status.content
    persona = await asks(place.ming, place.server.general, "lily persona")
    assert "莉莉" in persona.content


async def test_what_breaks_is_answered_with_a_code_and_no_traceback(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, lily = here

    async def broken(*_: object) -> object:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(lily.house.memory.people, "change", broken)
    answer = await asks(place.ming, place.server.general, "memory pause")
    assert "代碼" in answer.content
    assert "inside" not in answer.content


# In plain words


async def test_told_to_forget_she_asks_which_and_forgets_on_a_press(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ming, "忘掉我對花生過敏的事")

    def asked() -> Message | None:
        found = [one for one in place.ming.reads(place.ming.dm_channel()) if one.components]
        return found[0] if found else None

    question = await place.discord.world.until(asked, SOON, "a question")
    assert "花生" in question.content
    assert len(await lily.texts(place.ming)) == 1
    await place.ming.click(question).reply(SOON)
    assert await lily.texts(place.ming) == []


async def test_asked_in_a_channel_what_to_forget_she_shows_nothing_of_a_dm(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await tells(lily, place.ming, "忘掉我對花生過敏的事", place.server.general)
    shown = [one.content for one in place.ann.reads(place.server.general) if one.author.bot]
    assert shown
    assert not any("花生" in text for text in shown)


async def test_told_to_remember_she_keeps_what_no_rule_knows(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "記住：密碼提示是藍色的門")
    assert ["藍色的門" in text for text in await lily.texts(place.ming)] == [True]
    await tells(lily, place.ming, "幫我記住我下週二有期末考")
    assert any("期末考" in text for text in await lily.texts(place.ming))
