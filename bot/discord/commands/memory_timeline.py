"""``/memory timeline``: one's own memories as a drawn picture, page by page."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.discord.buttons import Press, Verb, button, view_of
from bot.discord.commands.desk import Asker, Desk, answer, wait
from bot.discord.commands.errors import Refusal, number_in
from bot.discord.commands.words import said
from bot.timeline import draw, layout, load_face, pages
from memory.model import Memory
from memory.policy import MemoryPolicy


def add_timeline(group: app_commands.Group, desk: Desk) -> None:
    """Add the command that draws."""

    @group.command(name=said("memory_timeline.name"), description=said("memory_timeline.about"))
    async def timeline(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        await show_timeline(interaction, desk, await desk.asker(interaction), 0)


async def show_timeline(interaction: discord.Interaction[Any], desk: Desk, asker: Asker, number: int) -> None:
    """Answer an announced interaction with a picture of the asker's own memories, and nobody else's."""
    sheets = pages(await desk.owned(asker), asker.now)
    if not sheets:
        await answer(interaction, asker.tongue.text("timeline.none"))
        return
    number = min(max(number, 0), len(sheets) - 1)
    # drawing takes half a second of pure computing: never on the loop that answers everybody
    data = await asyncio.to_thread(
        _drawn, sheets[number], asker, (number + 1, len(sheets)), desk.memory.policy
    )
    if len(data) > interaction.filesize_limit:
        raise Refusal("timeline_too_large")
    name = f"timeline-{asker.now:%Y-%m-%d}-{number + 1}.png"
    description = asker.tongue.text("timeline.alt", count=len(sheets[number]))
    file = discord.File(io.BytesIO(data), name, description=description)
    title = asker.tongue.text("timeline.title", page=number + 1, pages=len(sheets))
    await answer(interaction, title, view=_turning(asker, number, len(sheets)), file=file)


def page_number(rest: str) -> int:
    """Read the page a button asks for; :class:`Refusal` for what is none."""
    return number_in(rest.partition(".")[0])


def _drawn(memories: Sequence[Memory], asker: Asker, page: tuple[int, int], policy: MemoryPolicy) -> bytes:
    face = load_face()
    picture = layout(memories, asker.now, asker.zone, asker.tongue.language, face, page=page, policy=policy)
    return draw(picture, face)


def _turning(asker: Asker, number: int, count: int) -> discord.ui.View | None:
    """Return buttons to the pictures before and after, None where there is one only."""
    if count == 1:
        return None
    return view_of(
        button(
            Press(Verb.TIMELINE, asker.id, f"{to}.{key}" if to >= 0 else f"0.{key}"),
            asker.tongue.text(f"buttons.{key}"),
            disabled=not 0 <= to < count,
        )
        for key, to in (("back", number - 1), ("on", number + 1))
    )
