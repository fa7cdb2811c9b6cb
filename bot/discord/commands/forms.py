"""Forms a person fills in: an edited memory, the typed word that erases everything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import discord

OnText = Callable[[discord.Interaction[Any], str], Awaitable[None]]


class OnFailure(Protocol):
    """Who answers when something goes wrong."""

    async def failed(self, interaction: discord.Interaction[Any], error: Exception) -> None:
        """Answer, and log."""
        ...


class OneLine(discord.ui.Modal):
    """A form with one field. It answers at once that an answer comes; ``on_text`` gives it."""

    def __init__(
        self,
        *,
        title: str,
        label: str,
        on_text: OnText,
        on_failure: OnFailure,
        default: str = "",
        placeholder: str = "",
        most: int = 300,
        long: bool = False,
    ) -> None:
        super().__init__(title=title[:45], timeout=900)
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        self._field: discord.ui.TextInput[OneLine] = discord.ui.TextInput(
            style=style,
            default=default[:most] or None,
            placeholder=placeholder[:100] or None,
            max_length=most,
            custom_id="text",
        )
        self.add_item(discord.ui.Label(text=label[:45], component=self._field))
        self._on_text = on_text
        self._failure = on_failure

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        """Hand on what was written."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._on_text(interaction, self._field.value)

    async def on_error(  # type: ignore[override]  # a form has no item
        self, interaction: discord.Interaction[Any], error: Exception
    ) -> None:
        """Hand on what went wrong."""
        await self._failure.failed(interaction, error)
