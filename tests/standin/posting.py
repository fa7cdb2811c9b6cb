"""Writing, changing and removing messages, for bots and people alike, and telling the bots who may know."""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.standin import shapes
from tests.standin.checks import SELECTS
from tests.standin.model import DM, SNAPSHOT, Application, Channel, Message, Reference, User
from tests.standin.permissions import MENTION_EVERYONE, can_see, may
from tests.standin.world import Event, World

CONTENT_INTENT = 1 << 15
_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")


@dataclass
class Draft:
    """What a message is made of before it is posted."""

    content: str = ""
    type: int = 0
    allowed: Mapping[str, Any] | None = None
    reply_to: Message | None = None
    forwarded: Message | None = None
    attachments: list[dict[str, Any]] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    stickers: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    tts: bool = False
    at: datetime | None = None
    application: Application | None = None
    metadata: dict[str, Any] | None = None
    webhook_id: int | None = None
    ephemeral_to: User | None = None


def post(world: World, channel: Channel, author: User, draft: Draft) -> Message:
    """Put a message into a channel and tell everybody."""
    at = draft.at or world.now()
    message = Message(
        world.new_id(at), channel, author, at, type=draft.type, nonce=draft.nonce, tts=draft.tts
    )
    message.content = draft.content.strip()
    message.flags = draft.flags
    message.attachments = draft.attachments
    message.embeds = settle_embeds(draft.embeds, draft.attachments)
    message.components = settle_components(draft.components)
    message.stickers = draft.stickers
    message.application, message.metadata = draft.application, draft.metadata
    message.webhook_id, message.ephemeral_to = draft.webhook_id, draft.ephemeral_to
    if draft.reply_to is not None:
        guild = channel.guild.id if channel.guild else None
        message.reference = Reference(draft.reply_to.channel.id, draft.reply_to.id, guild)
        message.referenced = draft.reply_to
    elif draft.forwarded is not None:
        origin = draft.forwarded.channel
        guild = origin.guild.id if origin.guild else None
        message.reference = Reference(origin.id, draft.forwarded.id, guild, forward=True)
        message.forwarded = copy.copy(draft.forwarded)
        message.flags |= SNAPSHOT
    mention(world, message, draft.allowed)
    channel.messages[message.id] = message
    message.posted = world.steady()
    if author.bot:
        world.spoken.setdefault(channel.id, []).append(message)
    channel.archived = False
    world.happen("message", channel, author, message)
    announce(world, "MESSAGE_CREATE", message)
    return message


def mention(world: World, message: Message, allowed: Mapping[str, Any] | None) -> None:
    """Work out whom the message pings, the way ``allowed_mentions`` lets it."""
    rules: Mapping[str, Any] = (
        {"parse": ["users", "roles", "everyone"], "replied_user": True} if allowed is None else allowed
    )
    parse = rules.get("parse") or []
    users = {int(one) for one in rules.get("users") or []}
    roles = {int(one) for one in rules.get("roles") or []}
    channel, guild = message.channel, message.channel.guild
    found = [int(one) for one in _USER.findall(message.content)]
    wanted = [one for one in dict.fromkeys(found) if "users" in parse or one in users]
    if message.referenced is not None and rules.get("replied_user", False):
        wanted.append(message.referenced.author.id)
    message.mentions = [world.users[one] for one in dict.fromkeys(wanted) if one in world.users]
    message.notified = {one.id for one in message.mentions if can_see(channel, one)}
    message.mention_roles, message.mention_everyone = [], False
    if guild is None:
        return
    loud = may(channel, message.author, MENTION_EVERYONE)
    for one in dict.fromkeys(int(each) for each in _ROLE.findall(message.content)):
        role = guild.roles.get(one)
        if role and ("roles" in parse or one in roles):
            message.mention_roles.append(one)
            if loud or role.mentionable:
                message.notified |= {each.user.id for each in guild.members.values() if one in each.roles}
    shout = "@everyone" in message.content or "@here" in message.content
    if shout and "everyone" in parse and loud:
        message.mention_everyone = True
        message.notified |= set(guild.members)


def change(
    world: World,
    message: Message,
    body: Mapping[str, Any],
    added: list[dict[str, Any]],
    *,
    edited: bool = True,
) -> None:
    """Apply an edit's body; what is absent stays."""
    if "content" in body:
        message.content = (body["content"] or "").strip()
        mention(world, message, body.get("allowed_mentions"))
    if "attachments" in body:
        kept = {str(one.get("id")) for one in body["attachments"] or []}
        message.attachments = [one for one in message.attachments if one["id"] in kept]
    message.attachments = message.attachments + added
    if "embeds" in body:
        message.embeds = settle_embeds(body["embeds"] or [], message.attachments)
    if "components" in body:
        message.components = settle_components(body["components"] or [])
    if body.get("flags"):
        message.flags |= body["flags"]
    message.edited_at = world.now() if edited else None
    world.happen("edit", message.channel, message.author, message)
    announce(world, "MESSAGE_UPDATE", message)


def remove(world: World, message: Message) -> None:
    """Delete a message."""
    message.deleted = True
    message.channel.messages.pop(message.id, None)
    world.happen("delete", message.channel, message.author, message)
    if message.ephemeral_to is None:
        shape = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if message.channel.guild:
            shape["guild_id"] = str(message.channel.guild.id)
        tell(world, "MESSAGE_DELETE", message.channel, lambda _app, _intents: shape)


def announce(world: World, name: str, message: Message) -> None:
    """Send MESSAGE_CREATE or MESSAGE_UPDATE to the bots there; an ephemeral message goes to none."""
    if message.ephemeral_to is None:
        tell(world, name, message.channel, lambda app, intents: on_gateway(message, app, intents))


def tell(
    world: World, name: str, channel: Channel, build: Callable[[Application, int], dict[str, Any] | None]
) -> None:
    """Emit an event of a channel."""
    world.emit(Event(name, build, channel.guild, channel))


def on_gateway(message: Message, app: Application, intents: int) -> dict[str, Any]:
    """A message as one bot's gateway tells it: with guild and member, blank without the content intent."""
    shape = shapes.message(message, hidden_from(app, bool(intents & CONTENT_INTENT)))
    shape["channel_type"] = message.channel.type
    guild = message.channel.guild
    if guild is None:
        return shape
    shape["guild_id"] = str(guild.id)
    if message.author.id in guild.members and message.webhook_id is None:
        shape["member"] = shapes.member(guild.members[message.author.id], with_user=False)
    for one in shape["mentions"]:
        member = guild.members.get(int(one["id"]))
        if member is not None:
            one["member"] = shapes.member(member, with_user=False)
    return shape


def hidden_from(app: Application, reads_content: bool) -> Callable[[Message], bool]:
    """What a bot without the message content intent can't read: all but its own, DMs and mentions of it."""

    def hidden(message: Message) -> bool:
        if reads_content or message.channel.type == DM or message.author is app.user:
            return False
        return app.user not in message.mentions

    return hidden


def settle_embeds(given: list[dict[str, Any]], attachments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Embeds as Discord gives them back: type, inline and links to uploaded pictures filled in."""
    by_name = {one["filename"]: one["url"] for one in attachments}
    done = []
    for embed in given:
        one = {key: copy.deepcopy(value) for key, value in embed.items() if value is not None}
        one["type"] = "rich"
        for part in one.get("fields", []):
            part.setdefault("inline", False)
        for key in ("image", "thumbnail"):
            url = (one.get(key) or {}).get("url", "")
            if url.startswith("attachment://"):
                real = by_name.get(url.removeprefix("attachment://"), url)
                one[key] = {"url": real, "proxy_url": real, "width": 640, "height": 480}
        done.append(one)
    return done


def settle_components(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Components as Discord gives them back: numbered, defaults filled in, empty fields left out."""
    numbers = itertools.count(1)

    def settle(component: dict[str, Any]) -> dict[str, Any]:
        one = {key: value for key, value in component.items() if value is not None}
        one["id"] = one.get("id") or next(numbers)
        if one["type"] in SELECTS:
            one.setdefault("min_values", 1)
            one.setdefault("max_values", 1)
        if "options" in one:
            one["options"] = [_option(each) for each in one["options"]]
        if "components" in one:
            one["components"] = [settle(each) for each in one["components"]]
        for key in ("component", "accessory"):
            if key in one:
                one[key] = settle(one[key])
        return one

    return [settle(one) for one in given]


def _option(given: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not None}
