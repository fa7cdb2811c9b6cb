"""``/lily persona``: which of the installed characters speaks on a server."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import MOST_CHOICES, Asker, Desk, answer, quoted, shortened, wait
from bot.discord.commands.errors import Refusal
from bot.discord.commands.fitting import fitting
from bot.discord.commands.rights import manage, may_manage
from bot.discord.commands.words import said
from memory.text import fold
from persona.character import CharacterError

log = logging.getLogger(__name__)

_NAME = 60
_MOST_SHOWN = 20


def add_persona(group: app_commands.Group, desk: Desk) -> None:
    """Add the command to ``/lily``."""

    @group.command(name=said("lily_persona.name"), description=said("lily_persona.about"))
    @app_commands.rename(character=said("options.character.name"))
    @app_commands.describe(character=said("options.character.about"))
    async def persona(interaction: discord.Interaction[Any], character: str | None = None) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        asker = await desk.asker(interaction)
        if character is None:
            await answer(interaction, await _current(desk, asker, guild_id))
        else:
            await answer(interaction, await _choose(desk, asker, guild_id, character))

    @persona.autocomplete("character")
    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        if not may_manage(interaction):
            return []
        asker, wanted = await desk.asker(interaction), fold(typed)
        names = await asyncio.to_thread(desk.parts.house.cast.names, asker.tongue.language)
        return [
            app_commands.Choice(name=shortened(f"{name} ({one})", 100), value=one)
            for one, name in names.items()
            if wanted in fold(f"{name} {one}")
        ][:MOST_CHOICES]


async def _current(desk: Desk, asker: Asker, guild_id: int) -> str:
    """Return who speaks there, who could, and whether the one who was chosen is gone."""
    cast, tongue = desk.parts.house.cast, asker.tongue
    voice, chosen = await cast.on_server(str(guild_id)), await cast.chosen(str(guild_id))
    lines = [tongue.text("persona.who", name=quoted(voice.character.name_in(tongue.language), _NAME))]
    if chosen is not None and chosen != voice.id:
        lines.append(tongue.text("persona.gone", id=quoted(chosen, _NAME)))
    names = await asyncio.to_thread(cast.names, tongue.language)

    def told(most: int) -> str:
        shown = [
            f"{quoted(name, min(most, _NAME))} (`{one}`)" for one, name in list(names.items())[:_MOST_SHOWN]
        ]
        installed = tongue.text("persona.installed", names=tongue.text("lists.join").join(shown))
        return "\n".join([*lines, installed])

    return fitting(told)


async def _choose(desk: Desk, asker: Asker, guild_id: int, character: str) -> str:
    cast, tongue = desk.parts.house.cast, asker.tongue
    if character not in cast.installed():
        raise Refusal("no_such_character", id=quoted(character, _NAME))
    before = await cast.on_server(str(guild_id))
    try:
        voice = await cast.choose(str(guild_id), character)
    except CharacterError as error:
        log.warning("a character can't speak: %s", error)
        raise Refusal("broken_character", id=quoted(character, _NAME)) from None
    log.info("server %d chose a character", guild_id)
    name = quoted(voice.character.name_in(tongue.language), _NAME)
    if voice.id == before.id:
        return tongue.text("persona.who", name=name)
    other = quoted(before.character.name_in(tongue.language), _NAME)
    return tongue.text("persona.chosen", name=name, before=other)
