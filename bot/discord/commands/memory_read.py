"""``/memory list``, ``archived``, ``why``, ``history``: looking at what is one's own."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Asker, Desk, answer, quoted, wait
from bot.discord.commands.fitting import fitting
from bot.discord.commands.pages import Page, Shelf, Shown, line, show
from bot.discord.commands.words import said
from memory.model import Category, Memory
from memory.recollection import Recollection
from memory.why import explain_cause

_MOST_LINES = 8
CATEGORIES = [
    app_commands.Choice(name=said(f"choices.categories.{category}"), value=str(category))
    for category in Category
]
SHELVES = [app_commands.Choice(name=said(f"choices.shelves.{shelf}"), value=str(shelf)) for shelf in Shelf]


def add_reading(group: app_commands.Group, desk: Desk) -> None:
    """Add the commands that change nothing."""

    @group.command(name=said("memory_list.name"), description=said("memory_list.about"))
    @app_commands.rename(category=said("options.category.name"), state=said("options.state.name"))
    @app_commands.describe(category=said("options.category.about"), state=said("options.state.about"))
    @app_commands.choices(category=CATEGORIES, state=SHELVES)
    async def list_(
        interaction: discord.Interaction[Any], category: str | None = None, state: str = "live"
    ) -> None:
        await wait(interaction)
        page = Page(Shelf(state), Category(category) if category else None)
        shown = await page_of(desk, await desk.asker(interaction), page)
        await answer(interaction, shown.text, view=shown.view)

    @group.command(name=said("memory_archived.name"), description=said("memory_archived.about"))
    async def archived(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        shown = await page_of(desk, await desk.asker(interaction), Page(Shelf.ARCHIVED))
        await answer(interaction, shown.text, view=shown.view)

    @group.command(name=said("memory_why.name"), description=said("memory_why.about"))
    async def why(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        await answer(interaction, _why(desk.parts.learned.last_answer(asker.key, asker.persona_id), asker))

    @group.command(name=said("memory_history.name"), description=said("memory_history.about"))
    @app_commands.rename(memory=said("options.memory.name"))
    @app_commands.describe(memory=said("options.memory.about"))
    async def history(interaction: discord.Interaction[Any], memory: str) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        one = await desk.own(asker, memory)
        versions = chain(one, await desk.owned(asker))
        title = asker.tongue.text("history.title", count=len(versions))

        def told(most: int) -> str:
            numbered = [*enumerate(versions, start=1)][-_MOST_LINES:]
            lines = [f"{number}. {line(each, asker, most=most)}" for number, each in numbered]
            return "\n".join([f"**{title}**", *lines])

        await answer(interaction, fitting(told))

    @history.autocomplete("memory")
    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return await desk.choices(interaction, typed, None)


async def page_of(desk: Desk, asker: Asker, page: Page) -> Shown:
    """Return a page of the asker's memories."""
    everything = await desk.owned(asker)
    wanted = page.shelf.archived
    found = [one for one in everything if wanted is None or one.archived is wanted]
    if page.shelf is Shelf.ARCHIVED:
        found.sort(
            key=lambda one: (one.archived_at is None, one.archived_at and -one.archived_at.timestamp())
        )
    return show(page, found, everything, asker)


def chain(one: Memory, everything: tuple[Memory, ...]) -> list[Memory]:
    """Return all versions of a memory, the first one first."""
    by_id = {each.id: each for each in everything}
    followed_by = {each.supersedes_id: each for each in everything if each.supersedes_id is not None}
    seen, versions = {one.id}, [one]
    before = by_id.get(one.supersedes_id or "")
    while before is not None and before.id not in seen:
        seen.add(before.id)
        versions.insert(0, before)
        before = by_id.get(before.supersedes_id or "")
    after = followed_by.get(one.id)
    while after is not None and after.id not in seen:
        seen.add(after.id)
        versions.append(after)
        after = followed_by.get(after.id)
    return versions


def _why(last: Recollection | None, asker: Asker) -> str:
    """Return how her last answer used memory: what was used with the parts of its score, what was not."""
    tongue = asker.tongue
    if last is None:
        return tongue.text("why.none")
    if not last.audit and not last.profile:
        return tongue.text("why.nothing")
    recalled = {used.memory.id for used in last.memories}
    known = [one for one in last.profile if one.id not in recalled][:_MOST_LINES]
    used = recalled | {one.id for one in known}
    dropped = [row for row in last.audit if not row.kept and row.memory_id not in used][: _MOST_LINES // 2]
    if not (last.memories or known or dropped):
        return tongue.text("why.nothing")

    def told(most: int) -> str:
        lines = [f"**{tongue.text('why.title')}**"]
        for one in last.memories[:_MOST_LINES]:
            parts = {
                "similarity": f"{one.similarity:.2f}",
                "decay": f"{one.decay:.2f}",
                "score": f"{one.score:.2f}",
            }
            text = quoted(one.memory.text, min(most, 100))
            lines.append(tongue.text("why.used", text=text, why=one.why, **parts))
        if known:
            texts = tongue.text("lists.join").join(quoted(one.text, min(most, 60)) for one in known)
            lines.append(tongue.text("why.profile", texts=texts))
        for row in dropped:
            cause = explain_cause(row, tongue.language)
            lines.append(tongue.text("why.dropped", text=quoted(row.text, min(most, 60)), why=cause))
        return "\n".join(lines)

    return fitting(told)
