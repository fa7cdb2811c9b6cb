"""``/prune`` and ``/lily``: what a server's admins may do. Every right is checked again in code."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from bot.discord.buttons import Press, Verb, button, view_of
from bot.discord.commands.casting import add_persona
from bot.discord.commands.desk import Asker, Desk, answer, wait
from bot.discord.commands.errors import Refusal, number_in
from bot.discord.commands.rights import manage
from bot.discord.commands.server_lore import add_lore
from bot.discord.commands.status import add_status
from bot.discord.commands.words import said
from bot.discord.ids import admin_actor
from bot.discord.servers import MOST_CHANNELS
from memory.model import ArchivedReason, Memory
from memory.places import Place

_MANAGER = discord.Permissions(manage_guild=True)
Plan = tuple[tuple[Memory, ArchivedReason], ...]


@dataclass(frozen=True, slots=True)
class Pruning:
    """Archives what an admin may archive.

    That is of the memories of the character who speaks there only those all of whose places are in
    the admin's server.
    """

    desk: Desk

    async def plan(self, guild_id: int, member_id: int | None) -> Plan:
        """Return what would go."""
        user = str(member_id) if member_id is not None else None
        plan = await self.desk.memory.lifecycle.prune_plan(user)
        voice = await self.desk.parts.house.cast.on_server(str(guild_id))
        return tuple((m, why) for m, why in plan if only_in(m, guild_id) and m.persona_id == voice.id)

    async def dry_run(
        self, asker: Asker, guild_id: int, member_id: int | None
    ) -> tuple[str, discord.ui.View | None]:
        """Return counts by reason, never texts, and the button that carries it out."""
        plan = await self.plan(guild_id, member_id)
        if not plan:
            return asker.tongue.text("prune.nothing"), None
        counts = Counter(reason for _, reason in plan)
        lines = [
            asker.tongue.text("prune.count", reason=asker.tongue.reason(reason), count=count)
            for reason, count in sorted(counts.items())
        ]
        press = Press(Verb.PRUNE, asker.id, f"{guild_id}.{member_id or 0}.{digest(plan)}")
        confirm = button(
            press, asker.tongue.text("prune.confirm", count=len(plan)), style=discord.ButtonStyle.danger
        )
        return "\n".join([asker.tongue.text("prune.title"), *lines]), view_of([confirm])

    async def carry_out(
        self, interaction: discord.Interaction[Any], asker: Asker, rest: str
    ) -> tuple[str, discord.ui.View | None]:
        """Archive what the dry run showed; where that has changed since, show it again instead."""
        server, member, shown = (*rest.split("."), "", "")[:3]
        guild_id, member_id = number_in(server), number_in(member) or None
        manage(interaction, guild_id)
        plan = await self.plan(guild_id, member_id)
        if digest(plan) != shown:
            text, view = await self.dry_run(asker, guild_id, member_id)
            return f"{asker.tongue.text('prune.changed')}\n{text}", view
        done = await self.desk.memory.lifecycle.prune(plan, admin_actor(asker.id))
        self.desk.memory.outbox.wake()
        return asker.tongue.text("prune.done", count=len(done)), None


def only_in(memory: Memory, guild_id: int) -> bool:
    """Whether all a memory's places are in one server."""
    places = [Place.parse(place) for place in memory.places]
    return bool(places) and all(place.guild == str(guild_id) for place in places)


def digest(plan: Sequence[tuple[Memory, ArchivedReason]]) -> str:
    """Return a short mark of what a plan names."""
    rows = sorted(f"{memory.id}:{memory.rev}:{reason}" for memory, reason in plan)
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:12]


def add_prune(tree: app_commands.CommandTree[Any], desk: Desk) -> None:
    """Add ``/prune``."""

    @tree.command(name=said("prune.name"), description=said("prune.about"))
    @app_commands.rename(member=said("options.member.name"))
    @app_commands.describe(member=said("options.member.about"))
    @app_commands.default_permissions(_MANAGER)
    @app_commands.guild_only()
    async def prune(interaction: discord.Interaction[Any], member: discord.User | None = None) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        asker = await desk.asker(interaction)
        text, view = await Pruning(desk).dry_run(asker, guild_id, member.id if member else None)
        await answer(interaction, text, view=view)


def lily_group(desk: Desk) -> app_commands.Group:
    """Return ``/lily`` with its commands."""
    group = app_commands.Group(
        name=said("lily.name"),
        description=said("lily.about"),
        default_permissions=_MANAGER,
        guild_only=True,
    )
    channels = app_commands.Group(
        name=said("lily_channels.name"), description=said("lily_channels.about"), parent=group
    )

    async def change(
        interaction: discord.Interaction[Any], channel: discord.TextChannel, *, add: bool
    ) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        asker = await desk.asker(interaction)
        if not await desk.parts.servers.switch(guild_id, channel.id, active=add):
            raise Refusal("too_many_channels", most=MOST_CHANNELS)
        key = "channels.added" if add else "channels.removed"
        await answer(interaction, asker.tongue.text(key, channel=channel.mention))

    @channels.command(name=said("lily_channels_add.name"), description=said("lily_channels_add.about"))
    @app_commands.rename(channel=said("options.channel.name"))
    @app_commands.describe(channel=said("options.channel.about"))
    async def add(interaction: discord.Interaction[Any], channel: discord.TextChannel) -> None:
        await change(interaction, channel, add=True)

    @channels.command(name=said("lily_channels_remove.name"), description=said("lily_channels_remove.about"))
    @app_commands.rename(channel=said("options.channel.name"))
    @app_commands.describe(channel=said("options.channel.about"))
    async def remove(interaction: discord.Interaction[Any], channel: discord.TextChannel) -> None:
        await change(interaction, channel, add=False)

    @channels.command(name=said("lily_channels_list.name"), description=said("lily_channels_list.about"))
    async def list_(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        asker = await desk.asker(interaction)
        chosen = sorted(await desk.parts.servers.channels(guild_id))
        mentions = " ".join(f"<#{one}>" for one in chosen)
        text = (
            asker.tongue.text("channels.list", channels=mentions)
            if chosen
            else asker.tongue.text("channels.none")
        )
        await answer(interaction, text)

    add_persona(group, desk)
    add_lore(group, desk)
    add_status(group, desk)
    return group
