"""Frames as no gateway should send them, and one at a time the way they may still come."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from discord.utils import _from_json
from hypothesis import strategies as st

from tests.bot.discord.harness import Town
from tests.faults.hostile import anything, spoilt, texts
from tests.standin import Message, events, shapes
from tests.standin.gateway import Connection
from tests.standin.session import Session

SAID = "海苔餅乾"
"""Words of a person in every payload: they may be in no log."""

UNKNOWN = ("SOMETHING_NEW_CREATE", "", "message_create", "PARSE", "__INIT__", "READY\x00", SAID)
NEVER_SEEN = "41771983423143937"


def session_of(place: Town) -> Session:
    """Return her session with the gateway."""
    return next(one for one in place.discord.gateway.sessions if one.connection is not None)


def connection_of(place: Town) -> Connection:
    """Return her connection."""
    return next(one for one in place.discord.gateway.connections if one.session is session_of(place))


def good_events(place: Town, said: Message) -> dict[str, Mapping[str, Any]]:
    """Return an event of each kind she listens to, as Discord sends it."""
    channel, guild = place.server.general, place.server.guild
    message = shapes.message(said) | {"channel_type": 1}
    elsewhere = message | {"id": NEVER_SEEN, "channel_id": NEVER_SEEN, "guild_id": NEVER_SEEN}
    ids = {"id": message["id"], "channel_id": message["channel_id"]}
    there = {"guild_id": str(guild.id)}
    typing = {"channel_id": message["channel_id"], "user_id": str(place.ann.id), "timestamp": 1}
    role = {"role": shapes.role(next(iter(guild.roles.values())))}
    return {
        "MESSAGE_CREATE": message,
        "MESSAGE_CREATE elsewhere": elsewhere,
        "MESSAGE_UPDATE": message | {"edited_timestamp": message["timestamp"]},
        "MESSAGE_UPDATE elsewhere": elsewhere | {"edited_timestamp": message["timestamp"]},
        "MESSAGE_DELETE": ids | {"id": NEVER_SEEN},
        "MESSAGE_DELETE_BULK": {"ids": [NEVER_SEEN], "channel_id": NEVER_SEEN} | there,
        "MESSAGE_REACTION_ADD": typing | {"message_id": NEVER_SEEN, "emoji": {"id": None, "name": "x"}},
        "TYPING_START": typing,
        "GUILD_CREATE": events.guild_create(guild, session_of(place)),
        "GUILD_UPDATE": shapes.guild(guild),
        "GUILD_DELETE": {"id": NEVER_SEEN, "unavailable": True},
        "GUILD_ROLE_CREATE": role | there,
        "GUILD_ROLE_UPDATE": role | there,
        "GUILD_ROLE_DELETE": {"role_id": NEVER_SEEN} | there,
        "GUILD_MEMBER_UPDATE": shapes.member(guild.members[place.ann.id]) | there,
        "CHANNEL_CREATE": shapes.channel(channel),
        "CHANNEL_UPDATE": shapes.channel(channel),
        "CHANNEL_DELETE": shapes.channel(channel) | {"id": NEVER_SEEN},
        "THREAD_CREATE": shapes.channel(channel) | {"id": NEVER_SEEN, "type": 11},
        "THREAD_LIST_SYNC": {"threads": [], "members": []} | there,
        "INTERACTION_CREATE": {
            "id": NEVER_SEEN, "application_id": NEVER_SEEN, "type": 2, "token": "t", "version": 1,
            "attachment_size_limit": 1, "entitlements": [],
            "channel_id": message["channel_id"], "user": message["author"], "locale": "zh-TW",
            "data": {"id": NEVER_SEEN, "name": "memory", "type": 1, "custom_id": SAID, "component_type": 2,
                     "options": [{"name": "list", "type": 1, "options": []}], "components": []},
        },
    }  # fmt: skip


def hostile_events(good: Mapping[str, Mapping[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Return events with parts missing, null, of a wrong type or endless, and events nobody knows."""

    def named(name: str) -> st.SearchStrategy[dict[str, Any]]:
        made = st.one_of(spoilt(good[name]), spoilt(good[name]), anything)
        return made.map(lambda data: {"op": 0, "t": name.partition(" ")[0], "d": data})

    known = st.sampled_from(sorted(good)).flatmap(named)
    unknown = st.builds(
        lambda name, data: {"op": 0, "t": name, "d": data}, st.sampled_from(UNKNOWN), anything
    )
    return st.one_of(known, known, known, unknown).filter(_is_json)


def _is_json(event: Mapping[str, Any]) -> bool:
    """Whether an event can be written as the JSON that everybody reads; one that can't is a broken frame."""
    try:
        return bool(_from_json(json.dumps(event)))
    except ValueError:
        return False


frames = st.one_of(
    st.builds(
        lambda op, data: json.dumps({"op": op, "d": data}), st.sampled_from((3, 5, 99, None, "x")), anything
    ),
    st.sampled_from(
        (
            "",
            "[]",
            "null",
            "7",
            "{",
            '{"op": 0, "t": [], "d": {}}',
            '{"op": 0, "t": "READY", "d": {}}',
            '{"op": 0, "t": "RESUMED", "d": null}',
        )
    ),
    st.sampled_from((b"\x00garbage\x00\x00\xff\xff", b"\x00\x00\xff\xff")),
    texts.map(lambda text: json.dumps({"op": 0, "t": "MESSAGE_CREATE", "d": text, "s": text})),
)
"""What is no event at all: a connection may end over it."""


async def put(connection: Connection, frame: Mapping[str, Any] | str | bytes) -> None:
    """Write one frame into a connection, packed as the others are; bytes go as they are."""
    if isinstance(frame, bytes):
        await connection.socket.send_bytes(frame)
        return
    text = frame if isinstance(frame, str) else json.dumps(frame)
    pack = connection._zlib
    if pack is None:
        await connection.socket.send_str(text)
    else:
        await connection.socket.send_bytes(pack.compress(text.encode()) + pack.flush(zlib.Z_SYNC_FLUSH))
