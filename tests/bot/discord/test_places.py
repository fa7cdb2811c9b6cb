from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.discord.gateway import build_client
from bot.discord.places import place_of
from bot.settings.sections import DiscordSettings
from memory.places import DM, Place

GUILD, VIEW, CONNECT, ADMINISTRATOR = 100, 1 << 10, 1 << 20, 1 << 3
TEXT, VOICE, NEWS, FORUM = 0, 2, 5, 15


def guild(everyone: int = VIEW | CONNECT) -> discord.Guild:
    state = build_client(DiscordSettings())._connection
    role: dict[str, Any] = {
        "id": str(GUILD), "name": "@everyone", "permissions": str(everyone), "position": 0, "color": 0,
        "hoist": False, "managed": False, "mentionable": False, "flags": 0,
    }  # fmt: skip
    data: Any = {"id": str(GUILD), "name": "Harbour", "roles": [role], "owner_id": "7", "channels": []}
    return discord.Guild(data=data, state=state)


def channel(kind: int = TEXT, deny: int = 0, allow: int = 0, everyone: int = VIEW | CONNECT) -> Any:
    server = guild(everyone)
    rule = {"id": str(GUILD), "type": 0, "allow": str(allow), "deny": str(deny)}
    data: Any = {
        "id": "5", "type": kind, "name": "c", "position": 0, "permission_overwrites": [rule],
        "guild_id": str(GUILD), "bitrate": 64000, "user_limit": 0, "available_tags": [], "nsfw": False,
    }  # fmt: skip
    made, _ = discord.channel._guild_channel_factory(kind)
    assert made is not None
    one: Any = made(state=server._state, guild=server, data=data)
    server._add_channel(one)
    return one


def thread(parent: Any, kind: int = 11) -> discord.Thread:
    data: Any = {
        "id": "9", "type": kind, "name": "t", "parent_id": str(parent.id), "owner_id": "7", "member_count": 1,
        "message_count": 1, "thread_metadata": {
            "archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-01-01T00:00:00+00:00",
        },
    }  # fmt: skip
    return discord.Thread(guild=parent.guild, state=parent.guild._state, data=data)


@pytest.mark.parametrize(
    ("where", "private"),
    [
        (channel(), False),
        (channel(NEWS), False),
        (channel(FORUM), False),
        (channel(deny=VIEW), True),
        (channel(everyone=0), True),
        (channel(everyone=0, allow=VIEW), False),
        (channel(everyone=ADMINISTRATOR, deny=VIEW), False),
        (channel(VOICE), False),
        (channel(VOICE, deny=CONNECT), True),
    ],
)
def test_a_channel_is_private_where_not_everyone_on_the_server_sees_it(where: Any, private: bool) -> None:
    assert place_of(where) == Place(str(GUILD), "5", private)


def test_a_thread_is_as_private_as_its_channel_and_a_private_one_always() -> None:
    assert place_of(thread(channel())) == Place(str(GUILD), "9")
    assert place_of(thread(channel(deny=VIEW))) == Place(str(GUILD), "9", private=True)
    assert place_of(thread(channel(), kind=12)) == Place(str(GUILD), "9", private=True)


def test_what_is_not_in_the_cache_counts_as_private() -> None:
    parent = channel()
    lost = thread(parent)
    parent.guild._remove_channel(parent)
    assert place_of(lost).private


def test_a_direct_message_is_a_dm_and_a_group_is_no_place() -> None:
    state: Any = build_client(DiscordSettings())._connection
    state.user = discord.Object(1)
    direct: Any = {"id": "3", "type": 1, "recipients": []}
    assert place_of(discord.DMChannel(me=state.user, state=state, data=direct)) == DM
    with pytest.raises(ValueError, match="no place"):
        place_of(discord.GroupChannel(me=state.user, state=state, data={**direct, "type": 3, "name": "g"}))
