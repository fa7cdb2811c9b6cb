"""One word to the admins of a server she has just been invited to."""

from __future__ import annotations

import logging

import discord

from bot.house import House
from memory.catalog import closest_language, load_catalog

log = logging.getLogger(__name__)


async def welcome(guild: discord.Guild, house: House) -> None:
    """Say who she is and what she needs, where the server greets people, else where she may speak."""
    channel = _where(guild)
    if channel is None:
        log.info("server %d has no channel to greet in", guild.id)
        return
    language = closest_language(str(guild.preferred_locale))
    voice = await house.cast.on_server(str(guild.id))
    lines = load_catalog("bot", language).get("discord.welcome.lines")
    text = "\n".join(str(line) for line in lines).replace("{name}", voice.character.name_in(language))
    try:
        await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
    except discord.HTTPException as error:
        log.info("server %d could not be greeted: code %d", guild.id, error.code)


def _where(guild: discord.Guild) -> discord.TextChannel | None:
    channels = [one for one in (guild.system_channel, *guild.text_channels) if one is not None]
    for channel in channels:
        may = channel.permissions_for(guild.me)
        if may.view_channel and may.send_messages:
            return channel
    return None
