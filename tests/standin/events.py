"""Larger gateway payloads: a guild at start, the answer to a request for members, typing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.standin import shapes
from tests.standin.model import THREADS, Channel, Guild, User
from tests.standin.permissions import can_see
from tests.standin.session import MEMBERS, Session
from tests.standin.world import Event, World


def guild_create(guild: Guild, session: Session) -> dict[str, Any]:
    """GUILD_CREATE of a server the bot was already on, for one session."""
    bot = session.application.user
    return guild_for(guild, bot, session.intents) | {"unavailable": False}


def guild_for(guild: Guild, bot: User, intents: int) -> dict[str, Any]:
    """GUILD_CREATE for a bot with these intents that joins."""
    threads = [
        each
        for each in guild.channels.values()
        if each.type in THREADS and can_see(each, bot) and not each.archived
    ]
    joined = guild.members[bot.id].joined_at
    return shapes.guild_create(guild, bot, joined, everyone=bool(intents & MEMBERS), threads=threads)


def member_chunks(world: World, session: Session, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """GUILD_MEMBERS_CHUNK: by ids or by the start of a name, a thousand at a time."""
    guild = world.guilds[int(asked["guild_id"])]
    ids = asked.get("user_ids")
    if ids is not None:
        wanted = {int(one) for one in (ids if isinstance(ids, list) else [ids])}
        found = [one for one in guild.members.values() if one.user.id in wanted]
    else:
        start, limit = asked.get("query") or "", asked.get("limit") or None
        found = [one for one in guild.members.values() if one.user.name.startswith(start)][:limit]
    known = {one.user.id for one in found}
    parts = [found[index : index + 1000] for index in range(0, len(found), 1000)] or [[]]
    for index, part in enumerate(parts):
        chunk: dict[str, Any] = {
            "guild_id": str(guild.id),
            "members": [shapes.member(one) for one in part],
            "chunk_index": index,
            "chunk_count": len(parts),
            "nonce": asked.get("nonce"),
        }
        if ids is not None:
            chunk["not_found"] = [str(one) for one in sorted(wanted - known)]
        if asked.get("presences"):
            chunk["presences"] = []
        yield chunk


def typing(world: World, channel: Channel, user: User) -> None:
    """Somebody starts typing."""
    shape: dict[str, Any] = {
        "channel_id": str(channel.id),
        "user_id": str(user.id),
        "timestamp": int(world.now().timestamp()),
    }
    if channel.guild is not None and user.id in channel.guild.members:
        shape["guild_id"] = str(channel.guild.id)
        shape["member"] = shapes.member(channel.guild.members[user.id])
    world.happen("typing", channel, user)
    world.emit(
        Event("TYPING_START", lambda app, _i: None if app.user is user else shape, channel.guild, channel)
    )
