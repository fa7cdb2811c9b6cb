"""``/lily lore``: what a server's admins want her to know there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.discord.buttons import Press, Verb, button, view_of
from bot.discord.commands.desk import MOST_CHOICES, Asker, Desk, answer, quoted, shortened, wait
from bot.discord.commands.errors import Refusal, number_in
from bot.discord.commands.fitting import fitting
from bot.discord.commands.pages import PAGE, Shown
from bot.discord.commands.rights import manage, may_manage
from bot.discord.commands.words import said
from bot.discord.ids import admin_actor
from memory.server_lore import MOST_KEY, MOST_KEYS, MOST_TEXT, MOST_TITLE, Entry, LoreRefused
from memory.text import fold

_KEYS = MOST_KEYS * (MOST_KEY + 1)


def add_lore(group: app_commands.Group, desk: Desk) -> None:
    """Add the commands to ``/lily``."""
    lore = app_commands.Group(name=said("lily_lore.name"), description=said("lily_lore.about"), parent=group)

    @lore.command(name=said("lily_lore_add.name"), description=said("lily_lore_add.about"))
    @app_commands.rename(
        title=said("options.title.name"), text=said("options.text.name"), keys=said("options.keys.name")
    )
    @app_commands.describe(
        title=said("options.title.about"), text=said("options.text.about"), keys=said("options.keys.about")
    )
    async def add(
        interaction: discord.Interaction[Any],
        title: app_commands.Range[str, 1, MOST_TITLE],
        text: app_commands.Range[str, 1, MOST_TEXT],
        keys: app_commands.Range[str, 0, _KEYS] = "",
    ) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        asker = await desk.asker(interaction)
        actor, entry_id = admin_actor(asker.id), str(interaction.id)
        try:
            entry = await desk.memory.server_lore.add(str(guild_id), entry_id, title, text, keys, actor)
        except LoreRefused as refused:
            raise Refusal(f"lore_{refused.problem}", most=refused.most) from None
        await answer(
            interaction, fitting(lambda most: asker.tongue.text("lore.added", text=_told(entry, most)))
        )

    @lore.command(name=said("lily_lore_list.name"), description=said("lily_lore_list.about"))
    async def list_(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        shown = await lore_page(desk, await desk.asker(interaction), guild_id, 0)
        await answer(interaction, shown.text, view=shown.view)

    @lore.command(name=said("lily_lore_remove.name"), description=said("lily_lore_remove.about"))
    @app_commands.rename(entry=said("options.entry.name"))
    @app_commands.describe(entry=said("options.entry.about"))
    async def remove(interaction: discord.Interaction[Any], entry: str) -> None:
        await wait(interaction)
        guild_id = manage(interaction)
        asker = await desk.asker(interaction)
        held = await desk.memory.server_lore.entries(str(guild_id))
        # what was typed without choosing from the list may be a title
        meant = [one.id for one in held if entry == one.id or fold(entry) == fold(one.title)]
        gone = None
        if meant:
            actor = admin_actor(asker.id)
            gone = await desk.memory.server_lore.remove(str(guild_id), meant[0], actor)
        if gone is None:
            raise Refusal("no_such_lore")
        await answer(interaction, asker.tongue.text("lore.removed", title=quoted(gone.title, MOST_TITLE)))

    @remove.autocomplete("entry")
    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        if not may_manage(interaction):
            return []
        wanted = fold(typed)
        held = await desk.memory.server_lore.entries(str(interaction.guild_id))
        return [
            app_commands.Choice(name=shortened(one.line, 100), value=one.id)
            for one in held
            if wanted in fold(one.line)
        ][:MOST_CHOICES]


async def lore_page(desk: Desk, asker: Asker, guild_id: int, number: int) -> Shown:
    """Return a page of a server's lore."""
    tongue = asker.tongue
    held = await desk.memory.server_lore.entries(str(guild_id))
    if not held:
        return Shown(tongue.text("lore.none"), None)
    pages = -(-len(held) // PAGE)
    number = min(max(number, 0), pages - 1)
    rows: Sequence[Entry] = held[number * PAGE : (number + 1) * PAGE]
    title = tongue.text("lore.title", count=len(held), page=number + 1, pages=pages)

    def told(most: int) -> str:
        lines = [f"{place}. {_told(one, most)}" for place, one in enumerate(rows, start=number * PAGE + 1)]
        return "\n".join([f"**{title}**", *lines])

    return Shown(fitting(told), _turning(asker, guild_id, number, pages))


def lore_press(rest: str) -> tuple[int, int]:
    """Read the server and the page a button asks for; :class:`Refusal` for what is none."""
    guild_id, _, number = rest.partition(".")
    return number_in(guild_id), number_in(number.partition(".")[0])


def _turning(asker: Asker, guild_id: int, number: int, pages: int) -> discord.ui.View | None:
    if pages == 1:
        return None
    return view_of(
        button(
            Press(Verb.LORE, asker.id, f"{guild_id}.{max(to, 0)}.{key}"),
            asker.tongue.text(f"buttons.{key}"),
            disabled=not 0 <= to < pages,
        )
        for key, to in (("back", number - 1), ("on", number + 1))
    )


def _told(entry: Entry, most: int) -> str:
    keys = f" `{quoted(', '.join(entry.keys), most)}`" if entry.keys else ""
    return f"**{quoted(entry.title, most)}**{keys} {quoted(entry.text, most * 2)}"
