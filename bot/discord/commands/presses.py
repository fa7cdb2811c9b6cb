"""What happens when a button is pressed or a form is sent, whenever and by whichever run it was made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.discord.buttons import Press, Verb
from bot.discord.commands.admin import Pruning
from bot.discord.commands.begun import Begun
from bot.discord.commands.checkin import switch
from bot.discord.commands.desk import Asker, Desk, answer, wait
from bot.discord.commands.errors import Refusal, number_in
from bot.discord.commands.failures import Failures
from bot.discord.commands.forms import Filled, Form, filled, typed
from bot.discord.commands.memory_change import Changes
from bot.discord.commands.memory_data import Erasing
from bot.discord.commands.memory_read import page_of
from bot.discord.commands.memory_timeline import page_number, show_timeline
from bot.discord.commands.pages import Page
from bot.discord.commands.rights import manage
from bot.discord.commands.server_lore import lore_page, lore_press
from bot.discord.ids import message_key


class Presses:
    """Acts on presses and forms. Only the person they were made for may use them.

    Each is answered at once, before anything is looked up: Discord waits three seconds only.
    """

    def __init__(self, desk: Desk, failures: Failures, begun: Begun) -> None:
        self._desk = desk
        self._failures = failures
        self._begun = begun
        self._changes = Changes(desk)
        self._erasing = Erasing(desk)
        self._pruning = Pruning(desk)

    async def press(self, interaction: discord.Interaction[Any], press: Press) -> None:
        """Act, and answer the interaction, also where it fails."""
        self._begun.count()
        try:
            if interaction.user.id != press.owner:
                await wait(interaction)
                raise Refusal("not_your_button")
            match press.verb:
                case Verb.ERASE:
                    form = self._erasing.form(await self._desk.asker(interaction))
                    await interaction.response.send_modal(form)
                case Verb.PAGE:
                    await interaction.response.defer()
                    await self._turn(interaction, press.rest)
                case Verb.LORE:
                    await interaction.response.defer()
                    await self._turn_lore(interaction, press.rest)
                case _:
                    await wait(interaction)
                    await self._act(interaction, press)
        except Exception as error:
            await self._failures.failed(interaction, error)

    async def submit(self, interaction: discord.Interaction[Any]) -> None:
        """Act on a form, and answer the interaction; where it fails, what was typed is given back."""
        self._begun.count()
        try:
            await wait(interaction)
            form = filled(interaction)
            if form is None:
                raise Refusal("old_form")
            if interaction.user.id != form.owner:
                raise Refusal("not_your_button")
            await answer(interaction, await self._fill(interaction, form))
        except Exception as error:
            await self._failures.failed(interaction, error, typed(interaction))

    async def unread(self, interaction: discord.Interaction[Any]) -> None:
        """Answer for a button of another make: of an older version, or nobody's."""
        self._begun.count()
        try:
            await wait(interaction)
            raise Refusal("old_button")
        except Exception as error:
            await self._failures.failed(interaction, error)

    async def _act(self, interaction: discord.Interaction[Any], press: Press) -> None:
        asker = await self._desk.asker(interaction)
        match press.verb:
            case Verb.RESTORE:
                await answer(interaction, await self._changes.restore(_whoever(asker), press.rest))
            case Verb.FORGET:
                await answer(interaction, await self._changes.forget(_whoever(asker), press.rest))
            case Verb.FORGET_SOURCE:
                key = message_key(number_in(press.rest))
                await answer(interaction, await self._changes.forget_source(asker, key))
            case Verb.PRUNE:
                text, view = await self._pruning.carry_out(interaction, asker, press.rest)
                await answer(interaction, text, view=view)
            case Verb.TIMELINE:
                await show_timeline(interaction, self._desk, asker, page_number(press.rest))
            case Verb.CHECK_IN:
                await answer(interaction, await switch(self._desk, asker, wanted=press.rest == "on"))

    async def _fill(self, interaction: discord.Interaction[Any], form: Filled) -> str:
        asker: Asker = await self._desk.asker(interaction)
        if form.form is Form.ERASE:
            return await self._erasing.erase(asker, form.text)
        return await self._changes.edit(
            _whoever(asker), form.rest, form.text, f"discord:edit:{interaction.id}"
        )

    async def _turn(self, interaction: discord.Interaction[Any], rest: str) -> None:
        try:
            page = Page.parse(rest)
        except ValueError:
            raise Refusal("no_such_value") from None
        shown = await page_of(self._desk, await self._desk.asker(interaction), page)
        await interaction.edit_original_response(content=shown.text, view=shown.view)

    async def _turn_lore(self, interaction: discord.Interaction[Any], rest: str) -> None:
        guild_id, number = lore_press(rest)
        manage(interaction, guild_id)
        shown = await lore_page(self._desk, await self._desk.asker(interaction), guild_id, number)
        await interaction.edit_original_response(content=shown.text, view=shown.view)


def _whoever(asker: Asker) -> Asker:
    """Let a button that names a memory work whoever speaks there now: it was made for that one."""
    return replace(asker, persona_id=None)
