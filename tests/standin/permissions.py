"""Who may do what where, in Discord's order: owner, administrator, roles, the channel's overwrites."""

from __future__ import annotations

import discord

from tests.standin.model import DM, PRIVATE_THREAD, THREADS, Channel, Guild, User


def bits(*names: str) -> int:
    """The number of some permissions, by discord.py's names: ``bits("view_channel", "send_messages")``."""
    return discord.Permissions(**dict.fromkeys(names, True)).value


ALL = discord.Permissions.all().value
ADMINISTRATOR = bits("administrator")
VIEW = bits("view_channel")
SEND = bits("send_messages")
SEND_IN_THREADS = bits("send_messages_in_threads")
HISTORY = bits("read_message_history")
EMBED = bits("embed_links")
ATTACH = bits("attach_files")
MANAGE_MESSAGES = bits("manage_messages")
MANAGE_THREADS = bits("manage_threads")
MANAGE_CHANNELS = bits("manage_channels")
MANAGE_GUILD = bits("manage_guild")
MENTION_EVERYONE = bits("mention_everyone")
REACT = bits("add_reactions")
PUBLIC_THREADS = bits("create_public_threads")
PRIVATE_THREADS = bits("create_private_threads")
USE_COMMANDS = bits("use_application_commands")
USUAL = (
    VIEW
    | SEND
    | SEND_IN_THREADS
    | HISTORY
    | EMBED
    | ATTACH
    | REACT
    | USE_COMMANDS
    | PUBLIC_THREADS
    | PRIVATE_THREADS
)
"""What @everyone has on a fresh server here."""


def in_guild(guild: Guild, user: User) -> int:
    """Permissions from ownership and roles alone."""
    member = guild.members.get(user.id)
    if member is None:
        return 0
    if guild.owner_id == user.id:
        return ALL
    held = guild.roles[guild.id].permissions
    for role in member.roles:
        held |= guild.roles[role].permissions
    return ALL if held & ADMINISTRATOR else held


def in_channel(channel: Channel, user: User) -> int:
    """Permissions in one place; threads take their parent's, a direct message allows the usual."""
    if channel.type == DM:
        inside = any(one.id == user.id for one in channel.recipients)
        return USUAL if inside else 0
    guild = channel.guild
    if guild is None:
        return 0
    held = in_guild(guild, user)
    if held == ALL:
        return ALL
    rules = (channel.parent or channel).overwrites
    if guild.id in rules:
        held = held & ~rules[guild.id].deny | rules[guild.id].allow
    member = guild.members.get(user.id)
    mine = [rules[role] for role in (member.roles if member else []) if role in rules]
    for rule in mine:
        held &= ~rule.deny
    for rule in mine:
        held |= rule.allow
    if user.id in rules:
        held = held & ~rules[user.id].deny | rules[user.id].allow
    return held if held & VIEW else 0


def may(channel: Channel, user: User, wanted: int) -> bool:
    """Whether all of the wanted permissions are there."""
    return in_channel(channel, user) & wanted == wanted


def can_see(channel: Channel, user: User) -> bool:
    """Whether the account sees the place; a private thread wants membership or the right to manage."""
    held = in_channel(channel, user)
    if not held & VIEW:
        return False
    if channel.type != PRIVATE_THREAD:
        return True
    return user.id in channel.thread_members or bool(held & MANAGE_THREADS)


def can_speak(channel: Channel, user: User) -> bool:
    """Whether the account may write there."""
    wanted = SEND_IN_THREADS if channel.type in THREADS else SEND
    return can_see(channel, user) and may(channel, user, wanted)
