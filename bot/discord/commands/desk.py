"""Where commands are carried out: who asks, in which language, and what is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import discord
from discord import app_commands

from bot.cast import Voice
from bot.discord.commands.errors import Refusal
from bot.discord.commands.words import Tongue, locale_language
from bot.discord.parts import Parts
from memory.model import Memory
from memory.service import MemoryService
from memory.store import gate
from memory.text import fold

MOST_CHOICES = 25
_CHOICE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Asker:
    """The person behind an interaction, with their settings in force.

    ``persona_id``: the character whose memories it is about: who speaks on that server, in a DM the
    house's own. None: whichever, for a button that names one memory of theirs.
    """

    id: int
    zone: str
    tongue: Tongue
    now: datetime
    persona_id: str | None = None

    @property
    def key(self) -> str:
        """The person's id in the house."""
        return str(self.id)


class Desk:
    """Looks things up for commands. Everything it gives out is the asker's own."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @property
    def memory(self) -> MemoryService:
        """The memory."""
        return self.parts.house.memory

    async def voice(self, interaction: discord.Interaction[Any]) -> Voice:
        """Return who speaks where an interaction happens: on that server, in a DM the house's own."""
        guild = interaction.guild_id
        return await self.parts.house.cast.on_server(str(guild) if guild is not None else None)

    async def asker(self, interaction: discord.Interaction[Any]) -> Asker:
        """Return who asks; their own choice of language and zone comes before their Discord's."""
        person = await self.memory.people.get(str(interaction.user.id))
        return Asker(
            id=interaction.user.id,
            zone=person.zone or self.parts.house.settings.persona.zone,
            tongue=Tongue(person.language or locale_language(interaction)),
            now=self.parts.house.clock.now(),
            persona_id=(await self.voice(interaction)).id,
        )

    async def owned(self, asker: Asker, archived: bool | None = None) -> tuple[Memory, ...]:
        """Return the asker's memories, newest first."""
        async with self.memory.database.read() as connection:
            found = await gate.owned(connection, asker.key, asker.persona_id, archived)
        return gate.newest_first(found)

    async def own(self, asker: Asker, memory_id: str) -> Memory:
        """Return one memory of the asker; :class:`Refusal` for one that is not there or not theirs."""
        async with self.memory.database.read() as connection:
            found = await gate.one(connection, memory_id)
        if found is None or found.user_id != asker.key or asker.persona_id not in (None, found.persona_id):
            raise Refusal("no_such_memory")
        return found

    async def choices(
        self, interaction: discord.Interaction[Any], typed: str, archived: bool | None
    ) -> list[app_commands.Choice[str]]:
        """Return the asker's own memories that hold what was typed, as suggestions."""
        wanted = fold(typed)
        found = await self.owned(await self.asker(interaction), archived)
        fitting: Sequence[Memory] = [one for one in found if wanted in fold(one.text)]
        return [
            app_commands.Choice(name=shortened(one.text, _CHOICE_LENGTH), value=one.id)
            for one in fitting[:MOST_CHOICES]
        ]


async def wait(interaction: discord.Interaction[Any]) -> None:
    """Answer at once that an answer comes, seen by the asker alone: Discord waits three seconds only."""
    await interaction.response.defer(ephemeral=True, thinking=True)


async def answer(
    interaction: discord.Interaction[Any],
    text: str,
    *,
    view: discord.ui.View | None = None,
    file: discord.File | None = None,
) -> None:
    """Give the asker, and nobody else, an answer that was announced with :func:`wait`."""
    more: dict[str, Any] = {}
    if view is not None:
        more["view"] = view
    if file is not None:
        more["file"] = file
    await interaction.followup.send(text, ephemeral=True, **more)


def shortened(text: str, most: int) -> str:
    """Return a text of at most ``most`` UTF-16 units, on one line."""
    line = " ".join(text.split())
    kept, room = "", most - 1
    for character in line:
        room -= 2 if character > "\uffff" else 1
        if room < 0:
            return kept + "…"
        kept += character
    return kept


def quoted(text: str, most: int = 200) -> str:
    """Return a memory as it is shown: one line, no markup at work, capped."""
    return discord.utils.escape_markdown(discord.utils.escape_mentions(shortened(text, most)))
