"""Who may manage a server: asked again in code, whatever Discord let through."""

from __future__ import annotations

from typing import Any

import discord

from bot.discord.commands.errors import Refusal


def may_manage(interaction: discord.Interaction[Any], guild_id: int | None = None) -> bool:
    """Whether an interaction comes from somebody who may manage the server it is on (and is on that one)."""
    here = interaction.guild_id
    return here is not None and guild_id in (None, here) and interaction.permissions.manage_guild


def manage(interaction: discord.Interaction[Any], guild_id: int | None = None) -> int:
    """Return the server a command is used in; :class:`Refusal` for whoever may not manage it."""
    here = interaction.guild_id
    if here is None or guild_id not in (None, here):
        raise Refusal("server_only")
    if not interaction.permissions.manage_guild:
        raise Refusal("manage_server")
    return here
