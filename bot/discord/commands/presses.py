"""What happens when a button is pressed, whenever and by whichever run it was made."""

from __future__ import annotations

from typing import Any

import discord

from bot.discord.buttons import Press, Verb
from bot.discord.commands.admin import Pruning
from bot.discord.commands.checkin import switch
from bot.discord.commands.desk import Asker, Desk, answer
from bot.discord.commands.errors import Refusal
from bot.discord.commands.failures import Failures
from bot.discord.commands.memory_change import Changes
from bot.discord.commands.memory_data import Erasing
from bot.discord.commands.memory_read import page_of
from bot.discord.commands.memory_timeline import page_number, show_timeline
from bot.discord.commands.pages import Page
from bot.discord.ids import message_key


class Presses:
    """Acts on presses. Only the person a button was made for may press it."""

    def __init__(self, desk: Desk, failures: Failures) -> None:
        self._desk = desk
        self._failures = failures
        self._changes = Changes(desk)
        self._erasing = Erasing(desk, failures)
        self._pruning = Pruning(desk)

    async def press(self, interaction: discord.Interaction[Any], press: Press) -> None:
        """Act, and answer the interaction, also where it fails."""
        try:
            if interaction.user.id != press.owner:
                raise Refusal("not_your_button")
            await self._act(interaction, press)
        except Exception as error:
            await self._failures.failed(interaction, error)

    async def _act(self, interaction: discord.Interaction[Any], press: Press) -> None:
        asker = await self._desk.asker(interaction)
        if press.verb is Verb.ERASE:
            await interaction.response.send_modal(self._erasing.form(asker))
            return
        if press.verb is Verb.PAGE:
            await self._turn(interaction, asker, press.rest)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        match press.verb:
            case Verb.RESTORE:
                await answer(interaction, await self._changes.restore(asker, press.rest))
            case Verb.FORGET:
                await answer(interaction, await self._changes.forget(asker, press.rest))
            case Verb.FORGET_SOURCE:
                key = message_key(int(press.rest))
                await answer(interaction, await self._changes.forget_source(asker, key))
            case Verb.PRUNE:
                text, view = await self._pruning.carry_out(interaction, asker, press.rest)
                await answer(interaction, text, view=view)
            case Verb.TIMELINE:
                await show_timeline(interaction, self._desk, asker, page_number(press.rest))
            case Verb.CHECK_IN:
                await answer(interaction, await switch(self._desk, asker, wanted=press.rest == "on"))

    async def _turn(self, interaction: discord.Interaction[Any], asker: Asker, rest: str) -> None:
        try:
            page = Page.parse(rest)
        except ValueError:
            raise Refusal("no_such_value") from None
        shown = await page_of(self._desk, asker, page)
        await interaction.response.edit_message(content=shown.text, view=shown.view)
