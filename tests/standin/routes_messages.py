"""REST: messages, history, typing, reactions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.standin import checks, events, permissions, posting, shapes
from tests.standin.errors import (
    ApiError,
    cannot_dm,
    form,
    missing_access,
    missing_permissions,
    unknown_message,
)
from tests.standin.model import COMPONENTS_V2, DM, REPLY, Application, Channel, Message
from tests.standin.permissions import ATTACH, EMBED, HISTORY, MANAGE_MESSAGES, REACT, may
from tests.standin.posting import Draft
from tests.standin.rest import Call, Route, Upload
from tests.standin.world import Event, World

NONCE_MEMORY = timedelta(minutes=5)


def told(message: Message, application: Application) -> dict[str, Any]:
    """A message as REST tells it to one bot."""
    reads = bool(application.privileged & posting.CONTENT_INTENT)
    return shapes.message(message, posting.hidden_from(application, reads))


def find(call: Call, channel: Channel) -> Message:
    """The message of the path, for the bot that asks."""
    message = channel.messages.get(call.id("message_id"))
    if message is None or message.ephemeral_to is not None:
        raise unknown_message()
    if not may(channel, call.bot.user, HISTORY):
        raise missing_access()
    return message


def store(
    world: World, channel: Channel, files: list[Upload], described: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Uploaded files as attachments whose links work."""
    done = []
    for index, file in enumerate(files):
        about = next((one for one in described if str(one.get("id")) == str(index)), {})
        done.append(attachment(world, channel, file.name, file.content, about.get("description")))
    return done


def attachment(
    world: World,
    channel: Channel,
    name: str,
    content: bytes,
    description: str | None = None,
    kind: str | None = None,
) -> dict[str, Any]:
    """One attachment; its content is served by the stand-in."""
    number = str(world.new_id())
    path = f"/attachments/{channel.id}/{number}/{name}"
    world.files[path] = content
    url = world.base_url + path
    shape = {"id": number, "filename": name, "size": len(content), "url": url, "proxy_url": url}
    if kind:
        shape["content_type"] = kind
        if kind.startswith("image/"):
            shape |= {"width": 64, "height": 64}
    if description:
        shape["description"] = description
    return shape


def _create(call: Call) -> Any:
    world, bot = call.world, call.bot
    channel = world.seen_channel(call.id("channel_id"), bot)
    body = call.body or {}
    if channel.type == DM:
        if not all(world.takes_dms(one, bot) for one in channel.recipients if not one.bot):
            raise cannot_dm()
    elif not permissions.can_speak(channel, bot.user):
        raise missing_permissions()
    if channel.archived and channel.locked:
        raise ApiError(400, 50083, "Thread is archived")
    checks.message(body, len(call.files))
    if body.get("embeds") and not may(channel, bot.user, EMBED):
        raise missing_permissions()
    if call.files and not may(channel, bot.user, ATTACH):
        raise missing_permissions()
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce"):
        same = _same_nonce(world, channel, bot, str(nonce))
        if same is not None:
            return told(same, bot)
    target = _reply_target(channel, bot, body.get("message_reference"))
    draft = Draft(
        content=body.get("content") or "",
        type=REPLY if target else 0,
        allowed=body.get("allowed_mentions"),
        reply_to=target,
        attachments=store(world, channel, call.files, body.get("attachments") or []),
        embeds=body.get("embeds") or [],
        components=body.get("components") or [],
        flags=body.get("flags") or 0,
        nonce=None if nonce is None else str(nonce),
        tts=bool(body.get("tts")),
    )
    return told(posting.post(world, channel, bot.user, draft), bot)


def _same_nonce(world: World, channel: Channel, bot: Application, nonce: str) -> Message | None:
    since = world.now() - NONCE_MEMORY
    for message in reversed(channel.messages.values()):
        if message.author is bot.user and message.nonce == nonce and message.at >= since:
            return message
    return None


def _reply_target(channel: Channel, bot: Application, reference: dict[str, Any] | None) -> Message | None:
    if not reference:
        return None
    if reference.get("type"):
        raise form("message_reference.type", "BASE_TYPE_CHOICES", "Forwards are not served here")
    if int(reference.get("channel_id") or channel.id) != channel.id:
        text = "Cannot reply to a message in a different channel"
        raise form("message_reference", "MESSAGE_REFERENCE_CHANNEL_MISMATCH", text)
    if not may(channel, bot.user, HISTORY):
        raise ApiError(400, 160002, "You cannot reply without permission to read message history")
    target = channel.messages.get(int(reference["message_id"]))
    if target is None or target.ephemeral_to is not None:
        if reference.get("fail_if_not_exists", True):
            raise form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None
    return target


def _get(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    return told(find(call, channel), call.bot)


def _history(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    limit = int(call.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise form("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
    if not may(channel, call.bot.user, HISTORY):
        return []
    ids = sorted(key for key, one in channel.messages.items() if one.ephemeral_to is None)
    if "before" in call.query:
        ids = [key for key in ids if key < int(call.query["before"])][-limit:]
    elif "after" in call.query:
        ids = [key for key in ids if key > int(call.query["after"])][:limit]
    elif "around" in call.query:
        middle = int(call.query["around"])
        lower = [key for key in ids if key < middle][-(limit // 2) :]
        ids = lower + [key for key in ids if key >= middle][: limit - len(lower)]
    return [told(channel.messages[key], call.bot) for key in reversed(ids[-limit:])]


def _edit(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    message = find(call, channel)
    if message.author is not call.bot.user:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    apply_edit(call, message)
    return told(message, call.bot)


def apply_edit(call: Call, message: Message, *, interaction: bool = False, edited: bool = True) -> None:
    """Check and apply an edit's body."""
    body = dict(call.body or {})
    checked = {**body, "flags": (body.get("flags") or 0) | (message.flags & COMPONENTS_V2)}
    checks.message(checked, len(call.files), partial=True, interaction=interaction)
    refuse_emptying(message, body, len(call.files))
    added = store(call.world, message.channel, call.files, body.get("attachments") or [])
    posting.change(call.world, message, body, added, edited=edited)


def refuse_emptying(message: Message, body: dict[str, Any], files: int) -> None:
    """Refuse an edit that leaves nothing to show."""
    left = {
        "content": body.get("content", message.content),
        "embeds": body.get("embeds", message.embeds),
        "components": body.get("components", message.components),
        "sticker_ids": message.stickers,
    }
    kept = body.get("attachments", message.attachments) or []
    checks.message(
        {**left, "flags": message.flags & COMPONENTS_V2 | (body.get("flags") or 0)}, max(files, len(kept))
    )


def _delete(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    message = channel.messages.get(call.id("message_id"))
    if message is None or message.ephemeral_to is not None:
        raise unknown_message()
    if message.author is not call.bot.user:
        if channel.type == DM:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        if not may(channel, call.bot.user, MANAGE_MESSAGES):
            raise missing_permissions()
    posting.remove(call.world, message)


def _typing(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    if channel.type != DM and not permissions.can_speak(channel, call.bot.user):
        raise missing_permissions()
    events.typing(call.world, channel, call.bot.user)


def _react(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    if not may(channel, call.bot.user, REACT):
        raise missing_permissions()
    react(call.world, find(call, channel), call.bot.user.id, call.args["emoji_name"])


def react(world: World, message: Message, user_id: int, emoji: str, *, take_back: bool = False) -> None:
    """Put a reaction under a message, or take it back."""
    who = message.reactions.setdefault(emoji, [])
    if (user_id in who) is not take_back:
        return
    if take_back:
        who.remove(user_id)
        if not who:
            del message.reactions[emoji]
    else:
        who.append(user_id)
    channel = message.channel
    shape: dict[str, Any] = {
        "user_id": str(user_id),
        "channel_id": str(channel.id),
        "message_id": str(message.id),
        "emoji": {"id": None, "name": emoji},
        "burst": False,
        "type": 0,
    }
    if channel.guild is not None:
        shape["guild_id"] = str(channel.guild.id)
        if not take_back:
            shape["member"] = shapes.member(channel.guild.members[user_id])
    if not take_back:
        shape["message_author_id"] = str(message.author.id)
    name = "MESSAGE_REACTION_REMOVE" if take_back else "MESSAGE_REACTION_ADD"
    world.happen("reaction", channel, world.users[user_id], message)
    world.emit(Event(name, lambda _a, _i: shape, channel.guild, channel))


def _unreact(call: Call) -> Any:
    channel = call.world.seen_channel(call.id("channel_id"), call.bot)
    react(call.world, find(call, channel), call.bot.user.id, call.args["emoji_name"], take_back=True)


_ONE = "/channels/{channel_id}/messages/{message_id}"
ROUTES = [
    Route("POST", "/channels/{channel_id}/messages", _create),
    Route("GET", "/channels/{channel_id}/messages", _history),
    Route("GET", _ONE, _get),
    Route("PATCH", _ONE, _edit),
    Route("DELETE", _ONE, _delete),
    Route("POST", "/channels/{channel_id}/typing", _typing),
    Route("PUT", _ONE + "/reactions/{emoji_name}/@me", _react),
    Route("DELETE", _ONE + "/reactions/{emoji_name}/@me", _unreact),
]
