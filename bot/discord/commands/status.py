"""``/lily status``: how she is, what she runs on, what answering costs."""

from __future__ import annotations

import math
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Asker, Desk, answer, quoted, wait
from bot.discord.commands.rights import manage
from bot.discord.commands.words import Tongue, said
from bot.settings.policy import model_for
from bot.version import installed_version
from llm.usage import Spending

MOST_CAUSE = 200
"""Characters of a cause that are shown: four models in trouble still fit into one message."""


def add_status(group: app_commands.Group, desk: Desk) -> None:
    """Add the command to ``/lily``."""

    @group.command(name=said("lily_status.name"), description=said("lily_status.about"))
    async def status(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        await answer(interaction, await _status(desk, await desk.asker(interaction), guild_id))


async def _status(desk: Desk, asker: Asker, guild_id: int) -> str:
    parts, tongue = desk.parts, asker.tongue
    settings, memory = parts.house.settings, desk.memory
    latency = parts.client.latency
    voice = await parts.house.cast.on_server(str(guild_id))
    today = await parts.budget.today(asker.now)
    each = today.spending.calls / today.messages if today.messages else 0.0
    values: dict[str, object] = {
        "version": installed_version(),
        "servers": len(parts.client.guilds),
        "name": quoted(voice.character.name_in(tongue.language), 60),
        "latency": f"{latency * 1000:.0f}" if math.isfinite(latency) else "…",
        "queue": parts.talk.waiting,
        "waiting": await memory.inbox.waiting(),
        "lag": await memory.outbox.lag(),
        "chat": model_for(settings, "chat"),
        "extractor": model_for(settings, "extractor"),
        "judge": model_for(settings, "judge"),
        "embedder": memory.embedder.identity.name,
        "messages": today.messages,
        "each": f"{each:.1f}",
        "today_cost": cost(today.spending, tongue),
        "each_cost": cost(today.spending, tongue, today.messages),
        "calls": parts.meter.total.calls,
        "tokens": parts.meter.total.tokens,
        "cost": cost(parts.meter.total, tongue),
    }
    lines = [str(one) for one in tongue.catalog.get("discord.status.lines")]
    told = [
        tongue.text(f"status.model_{one.standing}", name=one.name[:60], cause=one.cause[:MOST_CAUSE])
        for one in parts.house.watch.troubled()
    ]
    return "\n".join(["\n".join(lines).format(**values), *told])


def cost(spending: Spending, tongue: Tongue, messages: int = 1) -> str:
    """Return what was spent in words, shared among ``messages``; what nobody knows is said to be unknown."""
    if not spending.unpriced:
        return tongue.text("status.cost", amount=dollars(spending.known_cost / max(messages, 1)))
    if not spending.known_cost:
        return tongue.text("status.cost_unknown")
    amount = dollars(spending.known_cost / max(messages, 1))
    return tongue.text("status.cost_partly", amount=amount, count=spending.unpriced)


def dollars(amount: float) -> str:
    """Return an amount with two digits that say something: 0, 0.00042, 0.17, 12.50."""
    if not amount:
        return "0"
    digits = max(2, 1 - math.floor(math.log10(amount)))
    return f"{amount:.{digits}f}"
