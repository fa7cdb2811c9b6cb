"""People and a real discord.py client talk over the stand-in."""

from __future__ import annotations

import discord
import pytest

from tests.standin import Refused
from tests.standin.trial import trial


async def test_a_mention_is_answered_after_typing():
    async with trial() as t:
        said = t.ming.say(t.server.general, "hello", mention=t.lily)
        started = t.discord.world.happenings[-1].at
        answer = await t.ming.hears(t.server.general)
        assert answer.content == "heard hello"
        assert answer.referenced is said
        assert await t.ming.sees_typing(t.server.general, since=started) >= started
        assert t.bot.heard[0].author.display_name == "小明"


async def test_a_direct_message_is_answered_there_and_nowhere_else():
    async with trial() as t:
        t.ming.dm("psst")
        assert (await t.ming.hears_dm()).content == "heard psst"
        assert t.yu.reads(t.ming.dm_channel()) == []
        await t.yu.hears_nothing(t.server.general, within=0.05)


async def test_without_the_content_intent_only_mentions_and_direct_messages_can_be_read():
    quiet = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    async with trial(intents=quiet) as t:
        t.ming.say(t.server.general, "nobody's business", files={"a.txt": b"a"})
        t.ming.say(t.server.general, "yours", mention=t.lily)
        t.ming.dm("and this")
        await t.ming.hears_dm()
        blank, mine, direct = [one for one in t.bot.heard if one.author.id == t.ming.id]
        assert (blank.content, blank.attachments) == ("", [])
        assert mine.content.endswith("yours")
        assert direct.content == "and this"


async def test_a_reply_pings_unless_the_ping_is_off():
    async with trial() as t:
        t.ming.say(t.server.general, "hi", mention=t.lily)
        answer = await t.ming.hears(t.server.general)
        t.ming.say(t.server.general, "again", reply_to=answer, ping=False)
        t.ming.say(t.server.general, "again", reply_to=answer)
        await t.ming.hears(t.server.general)
        _, off, on = [one for one in t.bot.heard if one.author.id == t.ming.id]
        assert (t.bot.user in off.mentions, t.bot.user in on.mentions) == (False, True)
        assert off.reference is not None
        assert off.reference.message_id == answer.id


async def test_edits_and_deletions_reach_the_bot():
    async with trial() as t:
        said = t.ming.say(t.server.general, "teh")
        t.ming.edit(said, "the")
        t.ming.delete(said)
        await t.discord.world.until(lambda: t.bot.deleted == [said.id])
        assert t.bot.edits == ["the"]


async def test_attachments_can_be_read_and_sent_and_stickers_are_seen():
    async with trial() as t:
        t.ming.say(t.server.general, "look", files={"cat.png": b"png!"}, stickers=["wave"], mention=t.lily)
        await t.ming.hears(t.server.general)
        seen = t.bot.heard[0]
        assert await seen.attachments[0].read() == b"png!"
        assert seen.attachments[0].content_type == "image/png"
        assert seen.stickers[0].name == "wave"
        file = discord.File(__file__, filename="timeline.png", description="a picture")
        embed = discord.Embed(title="When").set_image(url="attachment://timeline.png")
        await seen.channel.send(file=file, embed=embed)
        shown = await t.yu.hears(t.server.general, after=t.ming.reads(t.server.general)[1])
        assert shown.attachments[0]["description"] == "a picture"
        assert shown.embeds[0]["image"]["url"] == shown.attachments[0]["url"]


async def test_the_bot_can_open_a_direct_message_unless_the_person_closed_them():
    async with trial() as t:
        user = await t.bot.fetch_user(t.yu.id)
        await user.send("hello")
        assert (await t.yu.hears_dm()).content == "hello"
        t.yu.takes_dms(False)
        with pytest.raises(discord.Forbidden) as refused:
            await user.send("still there?")
        assert refused.value.code == 50007


async def test_private_channels_and_threads_are_seen_by_those_inside_only():
    async with trial() as t:
        room = t.server.private_channel("room", [t.ming], with_bot=False)
        t.ming.say(room, "secret", mention=t.lily)
        with pytest.raises(Refused):
            t.yu.say(room, "let me in")
        thread = t.server.thread(t.server.general, "aside", t.yu, private=True)
        t.yu.say(thread, "here", mention=t.lily)
        assert (await t.yu.hears(thread)).content == "heard here"
        assert t.ming.reads(thread) != []  # the owner of a server sees every thread
        with pytest.raises(discord.Forbidden) as refused:
            await t.bot.http.send_message(room.id, params=discord.http.handle_message_parameters("?"))
        assert refused.value.code == 50001


async def test_history_is_paged_newest_first_and_can_be_older_than_the_bot():
    async with trial() as t:
        said = [t.ming.say(t.server.general, str(number)) for number in range(5)]
        channel = t.bot.get_channel(t.server.general.id)
        assert isinstance(channel, discord.TextChannel)
        assert [one.content async for one in channel.history(limit=2)] == ["4", "3"]
        after = [
            one.content async for one in channel.history(after=discord.Object(said[1].id), oldest_first=True)
        ]
        assert after == ["2", "3", "4"]
        around = [one.content async for one in channel.history(around=discord.Object(said[2].id), limit=3)]
        assert around == ["3", "2", "1"]
        assert (await channel.fetch_message(said[0].id)).content == "0"


async def test_typing_and_reactions_go_both_ways():
    async with trial() as t:
        said = t.ming.say(t.server.general, "nice")
        t.ming.types(t.server.general)
        user = (await t.bot.wait_for("typing", timeout=2))[1]
        assert user.id == t.ming.id
        await t.bot.heard[0].add_reaction("🌊")
        assert said.reactions == {"🌊": [t.lily.id]}
        t.ming.react(said, "🌊")
        reaction = await t.bot.wait_for(
            "raw_reaction_add", check=lambda one: one.user_id == t.ming.id, timeout=2
        )
        assert reaction.message_id == said.id


async def test_joining_and_leaving_a_server_is_told():
    async with trial() as t:
        other = t.discord.server("Elsewhere", [t.yu])
        guild = await t.bot.wait_for("guild_join", timeout=2)
        assert (guild.id, guild.get_channel(other.general.id).name) == (other.id, "general")
        other.leave(t.lily)
        assert (await t.bot.wait_for("guild_remove", timeout=2)).id == other.id


async def test_threads_can_be_opened_by_the_bot():
    async with trial() as t:
        t.ming.say(t.server.general, "a long story")
        await t.discord.world.until(lambda: t.bot.heard)
        thread = await t.bot.heard[0].create_thread(name="story")
        await thread.send("go on")
        assert (await t.ming.hears(t.discord.world.channels[thread.id])).content == "go on"


async def test_whoever_shares_no_server_any_more_cannot_be_written_to():
    async with trial() as t:
        t.yu.dm("hi")
        await t.yu.hears_dm()
        t.server.leave(t.yu)
        with pytest.raises(discord.Forbidden):
            await t.bot.heard[0].channel.send("still there?")


async def test_a_mention_in_a_private_thread_lets_the_bot_in():
    async with trial() as t:
        thread = t.server.thread(t.server.general, "aside", t.yu, private=True, with_bot=False)
        t.yu.say(thread, "alone")
        t.yu.say(thread, "come in", mention=t.lily)
        assert (await t.yu.hears(thread)).content == "heard come in"
        assert "alone" not in [one.content for one in t.bot.heard]


async def test_the_bots_own_roles_and_name_are_told_without_the_members_intent():
    async with trial() as t:
        t.server.give(t.lily, t.server.role("crew", "manage_messages"))
        t.server.nickname(t.lily, "莉莉")
        guild = t.bot.get_guild(t.server.id)
        assert guild is not None
        await t.discord.until(lambda: guild.me.nick == "莉莉")
        assert guild.me.guild_permissions.manage_messages


async def test_a_forward_has_no_text_of_its_own():
    async with trial() as t:
        said = t.yu.say(t.server.general, "worth sharing")
        t.ming.forward(said, t.ming.dm_channel())
        await t.ming.hears_dm()
        seen = next(one for one in t.bot.heard if one.guild is None)
        assert (seen.content, seen.message_snapshots[0].content) == ("", "worth sharing")
