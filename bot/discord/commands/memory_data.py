"""``/memory export`` and ``erase``: taking everything along, and leaving nothing behind."""

from __future__ import annotations

import io
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import discord
from discord import app_commands

from bot.discord.buttons import Press, Verb, button, view_of
from bot.discord.commands.desk import Asker, Desk, answer, wait
from bot.discord.commands.errors import Refusal
from bot.discord.commands.forms import Form, OneField
from bot.discord.commands.words import Tongue, said
from bot.discord.forgetting import forget_messages
from memory.catalog import LANGUAGES
from memory.erasure import ErasureUnproven
from memory.transfer import export_lines


def add_data(group: app_commands.Group, desk: Desk) -> None:
    """Add the commands about a person's data as a whole."""

    @group.command(name=said("memory_export.name"), description=said("memory_export.about"))
    async def export(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        lines = [line async for line in export_lines(desk.memory.database, asker.key, asker.now)]
        if len(lines) == 1:
            await answer(interaction, asker.tongue.text("export.nothing"))
            return
        data = "".join(json.dumps(one, ensure_ascii=False, default=_plain) + "\n" for one in lines).encode()
        if len(data) > interaction.filesize_limit:
            raise Refusal("export_too_large")
        name = f"lily-{asker.now:%Y-%m-%d}.jsonl"
        text = asker.tongue.text("export.done", count=len(lines) - 1)
        await answer(interaction, text, file=discord.File(io.BytesIO(data), name))

    @group.command(name=said("memory_erase.name"), description=said("memory_erase.about"))
    async def erase(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        found = await desk.owned(replace(asker, persona_id=None))  # of every character
        go_on = button(
            Press(Verb.ERASE, asker.id),
            asker.tongue.text("erase.go_on"),
            style=discord.ButtonStyle.danger,
        )
        await answer(interaction, asker.tongue.text("erase.warning", count=len(found)), view=view_of([go_on]))


class Erasing:
    """Erases a person once they have typed the word."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def form(self, asker: Asker) -> OneField:
        """Return the form that asks for the word."""
        word = asker.tongue.text("erase.word")
        return OneField(
            Form.ERASE,
            asker.id,
            title=asker.tongue.text("erase.title"),
            label=asker.tongue.text("erase.label", word=word),
            placeholder=word,
            most=40,
        )

    async def erase(self, asker: Asker, text: str) -> str:
        """Erase a person who typed the word: in any language, for theirs may have changed meanwhile."""
        words = {Tongue(language).text("erase.word").casefold() for language in LANGUAGES}
        if text.strip().casefold() not in words:
            raise Refusal("erase_word", word=asker.tongue.text("erase.word"))
        return await self._erase(asker)

    async def _erase(self, asker: Asker) -> str:
        memory = self._desk.memory
        await self._desk.parts.talk.let_go(asker.key)
        async with AsyncExitStack() as stack:
            for persona_id in sorted(await memory.inbox.personas(asker.key)):
                await stack.enter_async_context(memory.leases.hold(f"observe|{persona_id}|{asker.key}"))
            try:
                erased = await memory.eraser.erase(asker.key)
            except ErasureUnproven:
                raise Refusal("erase_again") from None
        self._desk.parts.learned.forget(asker.key)
        self._desk.parts.talk.forget(asker.key)
        forget_messages(self._desk.parts.client, asker.id)
        removed = {what: count for what, count in erased.removed.items() if count}
        names = {what: asker.tongue.catalog.text(f"commands.erase.what.{what}") for what in removed}
        rows = [
            asker.tongue.text("erase.row", what=names[what], count=count) for what, count in removed.items()
        ]
        verified = asker.tongue.text("erase.done", traces=erased.traces, files=erased.files)
        return "\n".join([verified, *rows])


def _plain(value: object) -> str:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no form in an export")
