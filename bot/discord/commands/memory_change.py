"""``/memory forget``, ``restore``, ``edit``, ``pause``, ``resume``: changing what is one's own."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Asker, Desk, answer, quoted, wait
from bot.discord.commands.errors import Refusal
from bot.discord.commands.fitting import fitting
from bot.discord.commands.forms import Form, OneField
from bot.discord.commands.words import said
from bot.discord.ids import person_actor
from memory.editing import MOST, Editor


class Changes:
    """Changes to a person's own memories, each answered in words."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def forget(self, asker: Asker, memory_id: str) -> str:
        """Archive a memory by its owner's wish."""
        one = await self._desk.own(asker, memory_id)
        if one.archived:
            return asker.tongue.text("forget.already", text=quoted(one.text))
        await self._desk.memory.lifecycle.forget(one.id, person_actor(asker.id))
        self._desk.memory.outbox.wake()
        return asker.tongue.text("forget.done", text=quoted(one.text))

    async def forget_source(self, asker: Asker, message_id: str) -> str:
        """Archive everything that was learned from one message."""
        found = await self._desk.parts.learned.from_message(asker.key, message_id)
        for one in found:
            await self._desk.memory.lifecycle.forget(one.id, person_actor(asker.id))
        self._desk.memory.outbox.wake()
        if not found:
            return asker.tongue.text("forget.nothing_from_it")

        def told(most: int) -> str:
            lines = [asker.tongue.text("forget.item", text=quoted(one.text, most)) for one in found]
            return "\n".join([asker.tongue.text("forget.from_it", count=len(found)), *lines])

        return fitting(told)

    async def restore(self, asker: Asker, memory_id: str) -> str:
        """Bring a memory back, and tell what left for it."""
        one = await self._desk.own(asker, memory_id)
        if not one.archived:
            return asker.tongue.text("restore.already", text=quoted(one.text))
        restored = await self._desk.memory.lifecycle.restore(one.id, person_actor(asker.id))
        self._desk.memory.outbox.wake()

        def told(most: int) -> str:
            lines = [asker.tongue.text("restore.done", text=quoted(one.text, most))]
            for other in restored.archived:
                reason = asker.tongue.reason(other.archived_reason)
                lines.append(asker.tongue.text("restore.left", text=quoted(other.text, most), reason=reason))
            return "\n".join(lines)

        return fitting(told)

    async def edit(self, asker: Asker, memory_id: str, text: str, edit_id: str) -> str:
        """Put a memory into other words."""
        one = await self._desk.own(asker, memory_id)
        if one.archived:
            raise Refusal("archived_already")
        if not text.strip():
            raise Refusal("no_text")
        memory = self._desk.memory
        editor = Editor(memory.database, memory.embedder, memory.clock, memory.policy)
        after = await editor.edit(
            one.id, text, actor=person_actor(asker.id), edit_id=edit_id, zone=asker.zone
        )
        memory.outbox.wake()
        return asker.tongue.text("edit.done", before=quoted(one.text), after=quoted(after.text))


def add_changing(group: app_commands.Group, desk: Desk) -> None:
    """Add the commands that change memories."""
    changes = Changes(desk)

    @group.command(name=said("memory_forget.name"), description=said("memory_forget.about"))
    @app_commands.rename(memory=said("options.memory.name"))
    @app_commands.describe(memory=said("options.memory.about"))
    async def forget(interaction: discord.Interaction[Any], memory: str) -> None:
        await wait(interaction)
        await answer(interaction, await changes.forget(await desk.asker(interaction), memory))

    @group.command(name=said("memory_restore.name"), description=said("memory_restore.about"))
    @app_commands.rename(memory=said("options.memory.name"))
    @app_commands.describe(memory=said("options.archived_memory.about"))
    async def restore(interaction: discord.Interaction[Any], memory: str) -> None:
        await wait(interaction)
        await answer(interaction, await changes.restore(await desk.asker(interaction), memory))

    @group.command(name=said("memory_edit.name"), description=said("memory_edit.about"))
    @app_commands.rename(memory=said("options.memory.name"))
    @app_commands.describe(memory=said("options.memory.about"))
    async def edit(interaction: discord.Interaction[Any], memory: str) -> None:
        asker = await desk.asker(interaction)
        one = await desk.own(asker, memory)
        if one.archived:
            raise Refusal("archived_already")

        form = OneField(
            Form.EDIT,
            asker.id,
            one.id,
            title=asker.tongue.text("edit.title"),
            label=asker.tongue.text("edit.label"),
            default=one.text,
            most=MOST,
            long=True,
        )
        await interaction.response.send_modal(form)

    @forget.autocomplete("memory")
    @edit.autocomplete("memory")
    async def live_ones(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        return await desk.choices(interaction, typed, archived=False)

    @restore.autocomplete("memory")
    async def archived_ones(
        interaction: discord.Interaction[Any], typed: str
    ) -> list[app_commands.Choice[str]]:
        return await desk.choices(interaction, typed, archived=True)

    @group.command(name=said("memory_pause.name"), description=said("memory_pause.about"))
    async def pause(interaction: discord.Interaction[Any]) -> None:
        await _pause(interaction, yes=True)

    @group.command(name=said("memory_resume.name"), description=said("memory_resume.about"))
    async def resume(interaction: discord.Interaction[Any]) -> None:
        await _pause(interaction, yes=False)

    async def _pause(interaction: discord.Interaction[Any], *, yes: bool) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        await desk.memory.people.change(asker.key, paused=yes)
        await answer(interaction, asker.tongue.text("pause.on" if yes else "pause.off"))
