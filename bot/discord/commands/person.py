"""``/profile``, ``/timezone``, ``/language``, ``/privacy``, ``/help``, ``/reset``: about the person."""

from __future__ import annotations

from functools import cache
from typing import Any
from zoneinfo import available_timezones

import discord
from discord import app_commands

from bot.discord.commands.desk import MOST_CHOICES, Desk, answer, quoted, wait
from bot.discord.commands.errors import Refusal
from bot.discord.commands.fitting import fitting
from bot.discord.commands.pages import line
from bot.discord.commands.words import Tongue, said
from bot.discord.ids import CLIENT
from bot.discord.places import place_of
from bot.settings.base import near_zone
from memory.catalog import LANGUAGES
from memory.messages import Message
from memory.profile import profile
from memory.wording import clock_anchor

_NEAR_FIRST = ("Asia/", "Europe/", "America/", "Australia/", "Pacific/", "Africa/")
_MOST_LINES = 12


def add_person(tree: app_commands.CommandTree[Any], desk: Desk) -> None:
    """Add the commands about the person and the conversation."""

    @tree.command(name=said("profile.name"), description=said("profile.about"))
    async def profile_(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        person = await desk.memory.people.get(asker.key)
        known = profile(await desk.owned(asker, archived=False), asker.now, desk.memory.policy)
        tongue = asker.tongue
        rows = [
            tongue.text("profile.zone", now=clock_anchor(asker.now, asker.zone, tongue.language)),
            tongue.text("profile.language", language=tongue.text(f"languages.{tongue.language}")),
        ]
        if person.paused:
            rows.append(tongue.text("profile.paused"))
        title = tongue.text("profile.title") if known else tongue.text("profile.nobody")
        rows.append(f"**{title}**")
        shown = known[:_MOST_LINES]
        await answer(
            interaction,
            fitting(lambda most: "\n".join([*rows, *(f"- {line(one, asker, most=most)}" for one in shown)])),
        )

    @tree.command(name=said("timezone.name"), description=said("timezone.about"))
    @app_commands.rename(zone=said("options.zone.name"))
    @app_commands.describe(zone=said("options.zone.about"))
    async def timezone(interaction: discord.Interaction[Any], zone: str) -> None:
        await wait(interaction)
        if zone not in available_timezones():
            raise Refusal("unknown_zone", zone=quoted(zone, 60), near=near_zone(zone) or "Asia/Taipei")
        asker = await desk.asker(interaction)
        await desk.memory.people.change(asker.key, zone=zone)
        now = clock_anchor(asker.now, zone, asker.tongue.language)
        await answer(interaction, asker.tongue.text("timezone.done", now=now))

    @timezone.autocomplete("zone")
    async def zones(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        wanted = typed.strip().replace(" ", "_").casefold()
        found = [zone for zone in _zones() if wanted in zone.casefold()]
        return [app_commands.Choice(name=zone, value=zone) for zone in found[:MOST_CHOICES]]

    @tree.command(name=said("language.name"), description=said("language.about"))
    @app_commands.rename(language=said("options.language.name"))
    @app_commands.describe(language=said("options.language.about"))
    @app_commands.choices(
        language=[
            app_commands.Choice(name=Tongue(one).text(f"languages.{one}"), value=one) for one in LANGUAGES
        ]
    )
    async def language_(interaction: discord.Interaction[Any], language: str) -> None:
        await wait(interaction)
        await desk.memory.people.change(str(interaction.user.id), language=language)
        await answer(interaction, Tongue(language).text("language.done"))

    @tree.command(name=said("privacy.name"), description=said("privacy.about"))
    async def privacy(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        tongue = (await desk.asker(interaction)).tongue
        processed = "privacy.by_rules" if desk.parts.house.companion.is_rules else "privacy.by_model"
        lines = [str(one) for one in tongue.catalog.get("discord.privacy.lines")]
        await answer(interaction, "\n".join([*lines, tongue.text(processed)]))

    @tree.command(name=said("help.name"), description=said("help.about"))
    async def help_(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        tongue = (await desk.asker(interaction)).tongue
        lines = [str(one) for one in tongue.catalog.get("discord.help.lines")]
        name = (await desk.voice(interaction)).character.name_in(tongue.language)
        await answer(interaction, "\n".join(lines).replace("{name}", name))

    @tree.command(name=said("reset.name"), description=said("reset.about"))
    async def reset(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        gone = await desk.memory.inbox.forget_turns(await _conversation(interaction, desk), asker.key)
        await answer(interaction, asker.tongue.text("reset.done" if gone else "reset.nothing"))


async def _conversation(interaction: discord.Interaction[Any], desk: Desk) -> str:
    """Return the conversation of the place a command was used in."""
    if interaction.guild_id is None and not isinstance(interaction.channel, discord.DMChannel):
        raise Refusal("not_here")
    place, user_id = place_of(interaction.channel), str(interaction.user.id)
    message = Message(
        id="",
        user_id=user_id,
        persona_id=(await desk.parts.house.cast.at(place, user_id)).id,
        text="",
        said_at=interaction.created_at,
        place=place,
        client=CLIENT,
    )
    return message.conversation


@cache
def _zones() -> tuple[str, ...]:
    """Return the zones people live in, by region; the rest of the database is aliases."""
    return tuple(
        zone for region in _NEAR_FIRST for zone in sorted(available_timezones()) if zone.startswith(region)
    )
