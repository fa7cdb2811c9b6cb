"""JSON as Discord writes it: ids are strings, times are ISO, every required field is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.standin.model import DM, THREADS, Application, Channel, Guild, Member, Message, Role, User

EPOCH_MS = 1_420_070_400_000
MESSAGE_CONTENT_FLAG = 1 << 19


def iso(at: datetime) -> str:
    """A time as Discord writes it."""
    return at.isoformat()


def user(one: User) -> dict[str, Any]:
    """An account."""
    shape = {
        "id": str(one.id),
        "username": one.name,
        "global_name": one.global_name,
        "discriminator": "0000" if one.bot else "0",
        "avatar": None,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "banner": None,
        "accent_color": None,
    }
    if one.bot:
        shape["bot"] = True
    return shape


def self_user(one: User) -> dict[str, Any]:
    """The bot's own account as /users/@me tells it."""
    return user(one) | {
        "mfa_enabled": True,
        "locale": "en-US",
        "verified": True,
        "email": None,
        "premium_type": 0,
    }


def member(one: Member, *, with_user: bool = True) -> dict[str, Any]:
    """An account in a guild."""
    shape: dict[str, Any] = {
        "nick": one.nick,
        "roles": [str(role) for role in one.roles],
        "joined_at": iso(one.joined_at),
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "premium_since": None,
        "flags": 0,
        "pending": False,
        "mute": False,
        "deaf": False,
    }
    if with_user:
        shape["user"] = user(one.user)
    return shape


def role(one: Role) -> dict[str, Any]:
    """A role."""
    return {
        "id": str(one.id),
        "name": one.name,
        "description": None,
        "permissions": str(one.permissions),
        "position": one.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": one.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel(one: Channel) -> dict[str, Any]:
    """A text channel, a thread or a direct message."""
    last = max((key for key, message in one.messages.items() if message.ephemeral_to is None), default=None)
    shape: dict[str, Any] = {
        "id": str(one.id),
        "type": one.type,
        "flags": 0,
        "last_message_id": None if last is None else str(last),
    }
    if one.type == DM:
        people = [user(person) for person in one.recipients if not person.bot]
        return shape | {"recipients": people}
    if one.guild is None:
        raise ValueError("a channel that is no direct message has a guild")
    shape |= {"guild_id": str(one.guild.id), "name": one.name, "rate_limit_per_user": 0}
    shape["parent_id"] = str(one.parent.id) if one.parent else None
    if one.type in THREADS:
        return shape | _thread(one)
    rules = [
        {"id": str(key), "type": rule.kind, "allow": str(rule.allow), "deny": str(rule.deny)}
        for key, rule in one.overwrites.items()
    ]
    return shape | {
        "position": one.position,
        "permission_overwrites": rules,
        "nsfw": one.nsfw,
        "topic": None,
    }


def _thread(one: Channel) -> dict[str, Any]:
    created = iso(one.created_at) if one.created_at else None
    metadata = {
        "archived": one.archived,
        "archive_timestamp": created,
        "auto_archive_duration": 1440,
        "locked": one.locked,
        "create_timestamp": created,
    }
    return {
        "owner_id": str(one.owner_id),
        "thread_metadata": metadata,
        "message_count": min(len(one.messages), 50),
        "member_count": min(len(one.thread_members), 50),
        "total_message_sent": len(one.messages),
    }


def thread_member(one: Channel, user_id: int) -> dict[str, Any]:
    """An account's membership of a thread."""
    joined = iso(one.thread_members[user_id])
    return {"id": str(one.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}


def guild(one: Guild) -> dict[str, Any]:
    """A guild as REST tells it."""
    nothing = (
        "icon description home_header splash discovery_splash banner application_id afk_channel_id "
        "system_channel_id widget_channel_id max_presences vanity_url_code rules_channel_id "
        "safety_alerts_channel_id public_updates_channel_id incidents_data"
    )
    return dict.fromkeys(nothing.split()) | {
        "id": str(one.id),
        "name": one.name,
        "owner_id": str(one.owner_id),
        "features": [],
        "region": "deprecated",
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "verification_level": 0,
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": one.locale,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "roles": [role(each) for each in one.roles.values()],
    }


def guild_create(
    one: Guild, bot: User, joined: datetime, *, everyone: bool, threads: list[Channel]
) -> dict[str, Any]:
    """A guild as the gateway sends it; without the members intent only the bot itself is listed."""
    members = [each for each in one.members.values() if everyone or each.user.id == bot.id]
    return guild(one) | {
        "joined_at": iso(joined),
        "large": False,
        "member_count": len(one.members),
        "members": [member(each) for each in members],
        "channels": [channel(each) for each in one.channels.values() if each.type not in THREADS],
        "threads": [
            channel(each) | ({"member": thread_member(each, bot.id)} if bot.id in each.thread_members else {})
            for each in threads
        ],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def application(one: Application, guilds: int) -> dict[str, Any]:
    """The application as /oauth2/applications/@me tells it."""
    return {
        "id": str(one.id),
        "name": one.user.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(one.user),
        "bot_public": True,
        "bot_require_code_grant": one.requires_code_grant,
        "verify_key": "0" * 64,
        "flags": _application_flags(one),
        "flags_new": str(_application_flags(one)),
        "redirect_uris": [],
        "interactions_endpoint_url": one.endpoint_url,
        "role_connections_verification_url": None,
        "owner": user(one.owner),
        "approximate_guild_count": guilds,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
    }


def _application_flags(one: Application) -> int:
    presences, members, content = 1 << 8, 1 << 1, 1 << 15
    flags = 0
    flags |= 1 << 13 if one.privileged & presences else 0
    flags |= 1 << 15 if one.privileged & members else 0
    flags |= MESSAGE_CONTENT_FLAG if one.privileged & content else 0
    return flags


def partial_application(one: Application) -> dict[str, Any]:
    """The application as READY tells it."""
    return {"id": str(one.id), "flags": _application_flags(one)}


def message(
    one: Message, hidden: Callable[[Message], bool] | None = None, *, inner: bool = False
) -> dict[str, Any]:
    """A message as REST tells it; ``hidden`` says which content the reader doesn't get (by its intents)."""
    blank = hidden is not None and hidden(one)
    shape: dict[str, Any] = {
        "id": str(one.id),
        "channel_id": str(one.channel.id),
        "type": one.type,
        "content": "" if blank else one.content,
        "author": user(one.author),
        "mentions": [user(each) for each in one.mentions],
        "mention_roles": [str(each) for each in one.mention_roles],
        "mention_everyone": one.mention_everyone,
        "attachments": [] if blank else one.attachments,
        "embeds": [] if blank else one.embeds,
        "components": [] if blank else one.components,
        "timestamp": iso(one.at),
        "edited_timestamp": iso(one.edited_at) if one.edited_at else None,
        "flags": one.flags,
        "pinned": one.pinned,
        "tts": one.tts,
    }
    if one.stickers:
        shape["sticker_items"] = one.stickers
    if one.reactions:
        shape["reactions"] = [_reaction(emoji, who) for emoji, who in one.reactions.items()]
    if one.nonce is not None:
        shape["nonce"] = one.nonce
    if one.webhook_id is not None:
        shape["webhook_id"] = str(one.webhook_id)
    if one.application is not None:
        shape["application_id"] = str(one.application.id)
    if one.metadata is not None:
        shape["interaction_metadata"] = one.metadata
    if one.reference is not None:
        shape["message_reference"] = {
            "type": int(one.reference.forward),
            "channel_id": str(one.reference.channel_id),
            "message_id": str(one.reference.message_id),
            **({"guild_id": str(one.reference.guild_id)} if one.reference.guild_id else {}),
        }
        if one.forwarded is not None:
            shape["message_snapshots"] = [] if blank else [{"message": _snapshot(one.forwarded)}]
        elif not inner:
            target = one.referenced
            known = target is not None and not target.deleted
            shape["referenced_message"] = message(target, hidden, inner=True) if target and known else None
    return shape


def _snapshot(one: Message) -> dict[str, Any]:
    """What a forward shows of the message behind it: not who wrote it."""
    kept = (
        "type content mentions mention_roles attachments embeds timestamp edited_timestamp flags components"
    )
    whole = message(one, inner=True)
    return {key: whole[key] for key in kept.split()}


def _reaction(emoji: str, who: list[int]) -> dict[str, Any]:
    return {
        "emoji": {"id": None, "name": emoji},
        "count": len(who),
        "count_details": {"burst": 0, "normal": len(who)},
        "burst_colors": [],
        "me_burst": False,
        "me": False,
    }
