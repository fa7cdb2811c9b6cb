"""From a Discord channel to a place: whose audience may hear again what was said there."""

from __future__ import annotations

from typing import Any

import discord

from memory.places import DM, Place


def place_of(channel: Any) -> Place:
    """Return the place of a channel: its server, itself, and whether not everyone there sees it.

    A thread is a place of its own; it is private where it is a private thread, or where its
    channel is. What can't be looked up (a channel not in the cache) counts as private: keeping a
    secret too many is a nuisance, telling one is damage.
    """
    if isinstance(channel, discord.DMChannel):
        return DM
    guild = getattr(channel, "guild", None)
    if guild is None:
        raise ValueError(f"a {type(channel).__name__} is no place she talks in")
    return Place(str(guild.id), str(channel.id), private=not everyone_sees(channel))


def everyone_sees(channel: Any) -> bool:
    """Whether every member of the server may read a channel: decided by what ``@everyone`` may."""
    if isinstance(channel, discord.Thread):
        if channel.is_private() or channel.parent is None:
            return False
        return everyone_sees(channel.parent)
    guild = getattr(channel, "guild", None)
    everyone = guild.default_role if guild is not None else None
    if everyone is None or not hasattr(channel, "permissions_for"):
        return False
    may = channel.permissions_for(everyone)
    if isinstance(channel, (discord.VoiceChannel, discord.StageChannel)):
        return bool(may.view_channel and may.connect)
    return bool(may.view_channel)
