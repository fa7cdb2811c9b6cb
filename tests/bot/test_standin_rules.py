"""What Discord refuses: the stand-in refuses it too, to a real client."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.standin import Refused, checks, command_checks
from tests.standin.errors import ApiError
from tests.standin.permissions import USUAL
from tests.standin.trial import Trial, trial

CODE = {"form": 50035, "empty": 50006}


def button(number: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": f"b{number}", **more}


def row(*inside: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(inside)}


def menu(count: int, **more: Any) -> dict[str, Any]:
    options = [{"label": f"o{number}", "value": str(number)} for number in range(count)]
    return {"type": 3, "custom_id": "m", "options": options, **more}


def field(name: str = "n", value: str = "v") -> dict[str, Any]:
    return {"name": name, "value": value}


@pytest.mark.parametrize(
    "body",
    [
        {"content": "字" * 2000},
        {"embeds": [{"title": "t" * 256, "description": "d" * 4096, "fields": [field()] * 25}]},
        {
            "content": "x",
            "components": [row(*(button(n) for n in range(5))), row(menu(25, min_values=0, max_values=25))],
        },
        {"components": [{"type": 10, "content": "text"}], "flags": 1 << 15},
        {"sticker_ids": ["1"]},
        {"content": "x", "nonce": "n" * 25, "flags": 4096, "allowed_mentions": {"parse": [], "users": ["1"]}},
    ],
)
def test_what_fits_is_taken(body):
    checks.message(body)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"content": "字" * 2001}, "form"),
        ({"content": " \n"}, "empty"),
        ({}, "empty"),
        ({"content": "x", "nonce": "n" * 26}, "form"),
        ({"content": "x", "flags": 64}, "form"),
        ({"content": "x", "embeds": [{"title": "t"}] * 11}, "form"),
        ({"embeds": [{"title": "t" * 257}]}, "form"),
        ({"embeds": [{"description": "d" * 4097}]}, "form"),
        ({"embeds": [{"fields": [field()] * 26}]}, "form"),
        ({"embeds": [{"fields": [field(value=" ")]}]}, "form"),
        ({"embeds": [{"fields": [field(value="v" * 1025)]}]}, "form"),
        ({"embeds": [{"fields": [field(name="n" * 257)]}]}, "form"),
        ({"embeds": [{"footer": {"text": "f" * 2049}}]}, "form"),
        ({"embeds": [{"description": "d" * 3001}] * 2}, "form"),
        ({"content": "x", "components": [row(button(n)) for n in range(6)]}, "form"),
        ({"content": "x", "components": [row(*(button(n) for n in range(6)))]}, "form"),
        ({"content": "x", "components": [row(button()), row(button())]}, "form"),
        ({"content": "x", "components": [row(button(label="l" * 81))]}, "form"),
        ({"content": "x", "components": [row(button(label=None))]}, "form"),
        ({"content": "x", "components": [row(button(custom_id="c" * 101))]}, "form"),
        ({"content": "x", "components": [row(menu(26))]}, "form"),
        ({"content": "x", "components": [row(menu(0))]}, "form"),
        ({"content": "x", "components": [row(menu(2, max_values=3))]}, "form"),
        ({"content": "x", "components": [row(menu(2, placeholder="p" * 151))]}, "form"),
        ({"content": "x", "components": [row(menu(1), button())]}, "form"),
        ({"content": "x", "components": [{"type": 10, "content": "text"}]}, "form"),
        ({"content": "x", "components": [{"type": 10, "content": "text"}], "flags": 1 << 15}, "form"),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "form"),
    ],
)
def test_what_does_not_fit_is_refused(body, why):
    with pytest.raises(ApiError) as refused:
        checks.message(body)
    assert refused.value.body["code"] == CODE[why]


@pytest.mark.parametrize("name", ["memory", "記憶", "メモリー", "a-b_c", "l'eau", "x" * 32])
def test_a_command_may_be_called(name):
    command_checks.command({"name": name, "description": "d"})


@pytest.mark.parametrize(
    "command",
    [
        {"name": "Memory", "description": "d"},
        {"name": "two words", "description": "d"},
        {"name": "x" * 33, "description": "d"},
        {"name": "", "description": "d"},
        {"name": "m", "description": ""},
        {"name": "m", "description": "d" * 101},
        {"name": "m", "description": "d", "name_localizations": {"zh-TW": "我的 記憶"}},
        {"name": "m", "description": "d", "name_localizations": {"zh": "記憶"}},
        {"name": "m", "description": "d", "description_localizations": {"ja": "字" * 101}},
        {
            "name": "m",
            "description": "d",
            "options": [{"type": 3, "name": f"o{n}", "description": "d"} for n in range(26)],
        },
        {
            "name": "m",
            "description": "d",
            "options": [
                {"type": 3, "name": "a", "description": "d"},
                {"type": 3, "name": "b", "description": "d", "required": True},
            ],
        },
        {
            "name": "m",
            "description": "d",
            "options": [
                {
                    "type": 3,
                    "name": "a",
                    "description": "d",
                    "choices": [{"name": str(n), "value": str(n)} for n in range(26)],
                }
            ],
        },
        {"name": "m", "type": 3, "description": "menus have none"},
    ],
)
def test_a_command_is_refused(command):
    with pytest.raises(ApiError):
        command_checks.command(command)


def test_two_commands_of_one_name_are_refused():
    with pytest.raises(ApiError):
        command_checks.commands([{"name": "m", "description": "d"}] * 2)


def test_suggestions_and_forms_have_their_limits():
    choice = {"name": "n", "value": "v"}
    checks.choices([choice] * 25)
    with pytest.raises(ApiError):
        checks.choices([choice] * 26)
    with pytest.raises(ApiError):
        checks.choices([{"name": "n" * 101, "value": "v"}])
    text = {"type": 4, "custom_id": "t", "style": 1}
    label = {"type": 18, "label": "l" * 45, "component": text}
    checks.modal({"title": "t" * 45, "custom_id": "c", "components": [label]})
    for wrong in (
        {"title": "t" * 46, "components": [label]},
        {"title": "t", "components": []},
        {"title": "t", "components": [{**label, "label": "l" * 46}]},
        {"title": "t", "components": [{**label, "component": {**text, "value": "v" * 4001}}]},
    ):
        with pytest.raises(ApiError):
            checks.modal({"custom_id": "c", **wrong})


def general(t: Trial) -> discord.TextChannel:
    channel = t.bot.get_channel(t.server.general.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def refusal(doing: Any) -> int:
    with pytest.raises(discord.HTTPException) as refused:
        await doing
    return refused.value.code


async def test_a_client_is_told_the_same():
    async with trial() as t:
        assert await refusal(general(t).send("x" * 2001)) == 50035
        assert await refusal(general(t).send("  ")) == 50006
        assert await refusal(general(t).fetch_message(1)) == 10008
        assert await refusal(t.bot.fetch_channel(1)) == 10003
        assert await refusal(t.bot.fetch_user(1)) == 10013
        assert t.ming.reads(t.server.general) == []


async def test_missing_permissions_are_refused_each_in_its_way():
    async with trial() as t:
        said = t.ming.say(t.server.general, "hi")
        channel = general(t)
        t.server.rule(
            t.server.general, t.server.everyone, deny=["embed_links", "attach_files", "add_reactions"]
        )
        assert await refusal(channel.send(embed=discord.Embed(title="t"))) == 50013
        assert await refusal(channel.send(file=discord.File(__file__))) == 50013
        assert await refusal(channel.get_partial_message(said.id).add_reaction("👍")) == 50013
        assert await refusal(channel.get_partial_message(said.id).delete()) == 50013
        assert await refusal(channel.get_partial_message(said.id).edit(content="mine")) == 50005
        t.server.rule(t.server.general, t.server.everyone, deny=["read_message_history"])
        assert await refusal(channel.send("re", reference=channel.get_partial_message(said.id))) == 160002
        assert [one async for one in channel.history()] == []
        t.server.rule(t.server.general, t.lily, deny=["send_messages"])
        assert await refusal(channel.send("x")) == 50013
        assert await refusal(channel._state.http.send_typing(channel.id)) == 50013
        t.server.rule(t.server.general, t.lily, deny=["view_channel"])
        assert await refusal(channel.send("x")) == 50001
        t.ming.say(t.server.general, "unheard")
        t.ming.dm("heard")
        await t.ming.hears_dm()
        assert [one.content for one in t.bot.heard if not one.author.bot] == ["hi", "heard"]


async def test_a_reply_to_nothing_fails_unless_told_not_to():
    async with trial() as t:
        said = t.ming.say(t.server.general, "gone soon")
        t.ming.delete(said)
        lost = discord.MessageReference(message_id=said.id, channel_id=said.channel.id)
        assert await refusal(general(t).send("re", reference=lost)) == 50035
        lost.fail_if_not_exists = False
        await general(t).send("re", reference=lost)
        assert (await t.ming.hears(t.server.general)).reference is None


async def test_the_same_nonce_makes_one_message():
    async with trial() as t:
        first = await general(t).send("one", nonce="same")
        second = await general(t).send("two", nonce="same")
        assert (first.id, second.content) == (second.id, "one")
        assert len(t.ming.reads(t.server.general)) == 1


async def test_allowed_mentions_decide_who_is_pinged():
    async with trial() as t:
        t.server.rule(t.server.general, t.lily, allow=["mention_everyone"])
        role = t.server.role("crew", mentionable=True)
        t.server.give(t.yu, role)
        text = f"{t.ming.mention} {role.mention} @everyone"
        await general(t).send(text)
        await general(t).send(text, allowed_mentions=discord.AllowedMentions.none())
        await general(t).send(
            text, allowed_mentions=discord.AllowedMentions(everyone=False, users=False, roles=True)
        )
        loud, silent, crew = t.ming.reads(t.server.general)
        assert loud.notified == {t.ming.id, t.yu.id, t.lily.id}
        assert (silent.notified, silent.mentions, silent.mention_everyone) == (set(), [], False)
        assert crew.notified == {t.yu.id}


async def test_everyone_is_pinged_only_by_those_who_may():
    async with trial() as t:
        t.yu.say(t.server.general, "@everyone")
        t.ming.say(t.server.general, "@everyone")
        weak, strong = t.ming.reads(t.server.general)
        assert (weak.mention_everyone, strong.mention_everyone) == (False, True)
        assert USUAL & t.server.permissions_of(t.yu, t.server.general) == USUAL


async def test_bots_webhooks_and_discord_itself_can_speak():
    async with trial() as t:
        other = t.discord.add_bot("other", "other.token")
        t.server.invite(other)
        t.discord.bot_says(other, t.server.general, f"{t.lily.user.mention} hi")
        t.discord.webhook_says(t.server.general, "news", "hear, hear")
        t.discord.system_says(t.server.general, 7, t.yu)
        await t.discord.world.until(lambda: len(t.bot.heard) == 3)
        kinds = [(one.author.bot, one.webhook_id is not None, one.is_system()) for one in t.bot.heard]
        assert kinds == [(True, False, False), (True, True, False), (False, False, True)]


async def test_members_are_listed_with_their_intent_and_not_without():
    everyone = discord.Intents(guilds=True, members=True)
    async with trial(intents=everyone) as t:
        guild = t.bot.get_guild(t.server.id)
        assert guild is not None
        assert {one.id for one in guild.members} == {t.ming.id, t.yu.id, t.lily.id}
        found = await guild.query_members("yu")
        assert [one.id for one in found] == [t.yu.id]
    async with trial() as t:
        guild = t.bot.get_guild(t.server.id)
        assert guild is not None
        assert [one.id for one in guild.members] == [t.lily.id]
        assert (await guild.fetch_member(t.yu.id)).name == "yu"


async def test_a_locked_thread_takes_no_more_and_an_archived_one_comes_back():
    async with trial() as t:
        thread = t.server.thread(t.server.general, "old", t.yu)
        await t.discord.until(lambda: t.bot.get_channel(thread.id))
        place = t.bot.get_channel(thread.id)
        assert isinstance(place, discord.Thread)
        t.server.archive(thread)
        await place.send("awake?")
        assert not thread.archived
        t.server.archive(thread, locked=True)
        assert await refusal(place.send("awake?")) == 50083
        with pytest.raises(Refused):
            t.yu.say(thread, "hello?")
