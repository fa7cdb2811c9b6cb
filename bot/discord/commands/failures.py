"""What a person reads when a command fails: never a traceback, always an answer."""

from __future__ import annotations

import logging
import secrets
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk, quoted
from bot.discord.commands.errors import Refusal
from bot.discord.commands.words import Tongue, locale_language
from llm.errors import ModelError
from memory.store.errors import NoSuchMemory

log = logging.getLogger(__name__)

_GONE = frozenset({10062, 40060, 10008})  # unknown interaction, answered already, message deleted

_TYPED = 600  # doubled by escaping it still leaves room for the refusal


class Failures:
    """Answers for commands, buttons and forms that failed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def failed(self, interaction: discord.Interaction[Any], error: Exception, typed: str = "") -> None:
        """Answer a failure, and log it; what is said is decided in this order.

        1. an error wrapped by the library is looked at itself;
        2. the interaction is gone (too late, answered, deleted): nothing can be said, it is logged;
        3. a refusal, a memory that is gone, a missing right: its own words;
        4. a command Discord shows in an older form: to try again in a moment;
        5. a model that is away: that nothing was changed and to try later;
        6. everything else: in-character words with a short code, which the log has too.

        ``typed`` is what the person wrote into a form: they get it back, so nothing is lost to them.
        """
        cause = getattr(error, "original", None) or error
        if isinstance(cause, discord.HTTPException) and cause.code in _GONE:
            log.warning("an interaction could not be answered: code %d", cause.code)
            return
        tongue = await self._tongue(interaction)
        text = self._words(cause, tongue, interaction)
        if typed.strip():
            text += "\n" + tongue.text("refusals.typed", text=quoted(typed, _TYPED))
        await self._say(interaction, text)

    def _words(self, cause: BaseException, tongue: Tongue, interaction: discord.Interaction[Any]) -> str:
        match cause:
            case Refusal():
                return tongue.text(f"refusals.{cause.key}", **cause.values)
            case NoSuchMemory():
                return tongue.text("refusals.no_such_memory")
            case app_commands.MissingPermissions() | app_commands.CheckFailure():
                return tongue.text("refusals.manage_server")
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                return tongue.text("refusals.old_command")
            case app_commands.TransformerError():
                return tongue.text("refusals.no_such_value")
            case ModelError():
                return tongue.text("refusals.model_away")
        code = secrets.token_hex(3)
        name = interaction.command.qualified_name if interaction.command else str(interaction.type)
        log.error("code %s: %s failed", code, name, exc_info=(type(cause), cause, cause.__traceback__))
        return tongue.text("refusals.broken", code=code)

    async def _tongue(self, interaction: discord.Interaction[Any]) -> Tongue:
        try:
            return (await self._desk.asker(interaction)).tongue
        except Exception as error:
            log.warning("no settings of the asker: %s", type(error).__name__)
            return Tongue(locale_language(interaction))

    async def _say(self, interaction: discord.Interaction[Any], text: str) -> None:
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            elif interaction.response.is_done():
                await interaction.followup.send(text, ephemeral=True)
            else:
                await interaction.response.send_message(text, ephemeral=True)
        except discord.HTTPException as error:
            log.warning("a failure could not be told: code %d", error.code)
