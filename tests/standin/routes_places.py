"""REST: the bot itself, people, servers, channels, threads."""

from __future__ import annotations

from typing import Any

from tests.standin import permissions, shapes
from tests.standin.errors import ApiError, bad_length, missing_access, missing_permissions
from tests.standin.model import (
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    THREADS,
    Application,
    Channel,
    Guild,
    Overwrite,
    User,
)
from tests.standin.permissions import MANAGE_THREADS, PRIVATE_THREADS, PUBLIC_THREADS, can_see, in_guild, may
from tests.standin.rest import Call, Route, found_or_404
from tests.standin.world import Event, World


def _me(call: Call) -> Any:
    return shapes.self_user(call.bot.user)


def _application(call: Call) -> Any:
    return shapes.application(call.bot, len(call.world.guilds_of(call.bot)))


def _gateway(call: Call) -> Any:
    return {"url": call.world.base_url.replace("http", "ws", 1) + "/gateway"}


def _gateway_bot(call: Call) -> Any:
    limit = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 16}
    return {**_gateway(call), "shards": call.world.recommended_shards, "session_start_limit": limit}


def _user(call: Call) -> Any:
    return shapes.user(found_or_404(call.world.users.get(call.id("user_id")), 10013, "User"))


def _my_guilds(call: Call) -> Any:
    return [
        {
            "id": str(one.id),
            "name": one.name,
            "icon": None,
            "banner": None,
            "owner": one.owner_id == call.bot.user.id,
            "permissions": str(in_guild(one, call.bot.user)),
            "features": [],
        }
        for one in call.world.guilds_of(call.bot)
    ]


def _open_dm(call: Call) -> Any:
    person = found_or_404(call.world.users.get(int(call.body["recipient_id"])), 10013, "User")
    if person.bot:
        raise ApiError(400, 50007, "Cannot send messages to this user")
    return shapes.channel(call.world.direct_channel(call.bot, person))


def _guild(call: Call) -> Guild:
    guild: Guild = found_or_404(call.world.guilds.get(call.id("guild_id")), 10004, "Guild")
    if call.bot.user.id not in guild.members:
        raise missing_access()
    return guild


def _get_guild(call: Call) -> Any:
    guild = _guild(call)
    counts = call.query.get("with_counts") in {"1", "true"}
    extra = (
        {"approximate_member_count": len(guild.members), "approximate_presence_count": 0} if counts else {}
    )
    return shapes.guild(guild) | extra


def _leave(call: Call) -> Any:
    guild = found_or_404(call.world.guilds.get(call.id("guild_id")), 10004, "Guild")
    leave(call.world, guild, call.bot.user)


def leave(world: World, guild: Guild, user: User) -> None:
    """Take an account off a server; a bot is told GUILD_DELETE."""
    application = world.bot_of(user)
    shape = {"id": str(guild.id)}
    if application is not None:
        world.emit(Event("GUILD_DELETE", lambda _a, _i: shape, guild, only=application))
    for one in world.applications.values():
        if one.user.id in guild.members:
            lost = guild.members if one.user is user else {user.id}
            world.parted |= {(each, one.id) for each in lost}
    del guild.members[user.id]
    gone = {"guild_id": str(guild.id), "user": shapes.user(user)}
    world.emit(Event("GUILD_MEMBER_REMOVE", lambda _a, _i: gone, guild))


def _member(call: Call) -> Any:
    guild = _guild(call)
    return shapes.member(found_or_404(guild.members.get(call.id("user_id")), 10007, "Member"))


def _members(call: Call) -> Any:
    guild = _guild(call)
    if not call.bot.privileged & 1 << 1:
        raise missing_access()
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
    ids = sorted(key for key in guild.members if key > after)[:limit]
    return [shapes.member(guild.members[key]) for key in ids]


def _roles(call: Call) -> Any:
    return [shapes.role(one) for one in _guild(call).roles.values()]


def _channels(call: Call) -> Any:
    return [shapes.channel(one) for one in _guild(call).channels.values() if one.type not in THREADS]


def _active_threads(call: Call) -> Any:
    guild, bot = _guild(call), call.bot.user
    threads = [
        one
        for one in guild.channels.values()
        if one.type in THREADS and can_see(one, bot) and not one.archived
    ]
    mine = [one for one in threads if bot.id in one.thread_members]
    return {
        "threads": [shapes.channel(one) for one in threads],
        "members": [shapes.thread_member(one, bot.id) for one in mine],
        "has_more": False,
    }


def _channel(call: Call) -> Any:
    return shapes.channel(call.world.seen_channel(call.id("channel_id"), call.bot))


def _change_channel(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    owner = channel.owner_id == call.bot.user.id
    if channel.type not in THREADS or not (owner or may(channel, call.bot.user, MANAGE_THREADS)):
        raise missing_permissions()
    for key in ("name", "archived", "locked"):
        if key in call.body:
            setattr(channel, key, call.body[key])
    call.world.emit(Event("THREAD_UPDATE", lambda _a, _i: shapes.channel(channel), channel.guild, channel))
    return shapes.channel(channel)


def _thread_from_message(call: Call) -> Any:
    parent = call.world.seen_channel(call.id("channel_id"), call.bot)
    message = parent.messages.get(call.id("message_id"))
    found_or_404(message, 10008, "Message")
    if call.id("message_id") in call.world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    return _start_thread(call, parent, PUBLIC_THREAD, call.id("message_id"))


def _thread(call: Call) -> Any:
    parent = call.world.seen_channel(call.id("channel_id"), call.bot)
    return _start_thread(call, parent, call.body.get("type", PRIVATE_THREAD), None)


def _start_thread(call: Call, parent: Channel, kind: int, number: int | None) -> Any:
    needed = PUBLIC_THREADS if kind == PUBLIC_THREAD else PRIVATE_THREADS
    if not may(parent, call.bot.user, needed):
        raise missing_permissions()
    if not 1 <= len(call.body.get("name") or "") <= 100:
        raise bad_length("name", 1, 100)
    return shapes.channel(start_thread(call.world, parent, call.body["name"], call.bot.user, kind, number))


def start_thread(
    world: World,
    parent: Channel,
    name: str,
    owner: User,
    kind: int = PUBLIC_THREAD,
    number: int | None = None,
) -> Channel:
    """Open a thread; the one of a message has the message's id."""
    now = world.now()
    thread = Channel(number or world.new_id(), kind, name, parent.guild, parent, owner.id, created_at=now)
    thread.thread_members[owner.id] = now
    world.channels[thread.id] = thread
    if parent.guild is not None:
        parent.guild.channels[thread.id] = thread
    announce_thread(world, thread, newly=True)
    return thread


def announce_thread(
    world: World, thread: Channel, only: Application | None = None, *, newly: bool = False
) -> None:
    """THREAD_CREATE: of a new thread, or to a bot that was added to one."""
    extra = {"newly_created": True} if newly else {}
    world.emit(
        Event("THREAD_CREATE", lambda _a, _i: shapes.channel(thread) | extra, thread.guild, thread, only)
    )


def _join_thread(call: Call) -> Any:
    thread = call.world.seen_channel(call.id("channel_id"), call.bot)
    if thread.type not in THREADS:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    thread.thread_members.setdefault(call.bot.user.id, call.world.now())


def _permissions_for(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    if not may(channel, call.bot.user, permissions.bits("manage_roles")):
        raise missing_permissions()
    rule = Overwrite(
        int(call.body["type"]), int(call.body.get("allow") or 0), int(call.body.get("deny") or 0)
    )
    channel.overwrites[call.id("overwrite_id")] = rule
    call.world.emit(Event("CHANNEL_UPDATE", lambda _a, _i: shapes.channel(channel), channel.guild, channel))


ROUTES = [
    Route("GET", "/gateway", _gateway, open_to_all=True),
    Route("GET", "/gateway/bot", _gateway_bot),
    Route("GET", "/users/@me", _me),
    Route("GET", "/oauth2/applications/@me", _application),
    Route("GET", "/applications/@me", _application),
    Route("GET", "/users/@me/guilds", _my_guilds),
    Route("DELETE", "/users/@me/guilds/{guild_id}", _leave),
    Route("POST", "/users/@me/channels", _open_dm),
    Route("GET", "/users/{user_id}", _user),
    Route("GET", "/guilds/{guild_id}", _get_guild),
    Route("GET", "/guilds/{guild_id}/channels", _channels),
    Route("GET", "/guilds/{guild_id}/roles", _roles),
    Route("GET", "/guilds/{guild_id}/threads/active", _active_threads),
    Route("GET", "/guilds/{guild_id}/members", _members),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", _member),
    Route("GET", "/channels/{channel_id}", _channel),
    Route("PATCH", "/channels/{channel_id}", _change_channel),
    Route("PUT", "/channels/{channel_id}/permissions/{overwrite_id}", _permissions_for),
    Route("POST", "/channels/{channel_id}/messages/{message_id}/threads", _thread_from_message, status=201),
    Route("POST", "/channels/{channel_id}/threads", _thread, status=201),
    Route("PUT", "/channels/{channel_id}/thread-members/@me", _join_thread),
]
