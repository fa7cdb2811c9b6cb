"""Buttons that outlive a restart: all they need is in their id, and only their owner may press them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self, cast

import discord

_LONGEST = 100  # Discord's limit for a custom id


class Verb(StrEnum):
    """What a button does."""

    PAGE = "page"
    RESTORE = "restore"
    FORGET = "forget"
    FORGET_SOURCE = "source"
    PRUNE = "prune"
    ERASE = "erase"
    CHECK_IN = "checkin"
    TIMELINE = "timeline"
    LORE = "lore"


@dataclass(frozen=True, slots=True)
class Press:
    """A button as its id tells it: what it does, whose it is, and to what."""

    verb: Verb
    owner: int
    rest: str = ""

    @property
    def custom_id(self) -> str:
        """Return the id Discord keeps with the button."""
        return f"lily:{self.verb}:{self.owner}:{self.rest}"


class Presser(Protocol):
    """Who acts on presses and forms."""

    async def press(self, interaction: discord.Interaction[Any], press: Press) -> None:
        """Act, and answer the interaction."""
        ...

    async def submit(self, interaction: discord.Interaction[Any]) -> None:
        """Act on a form that was sent, and answer the interaction."""
        ...

    async def unread(self, interaction: discord.Interaction[Any]) -> None:
        """Answer for a button that can't be read."""
        ...


_VERBS = "|".join(verb.value for verb in Verb)
_ID = re.compile(rf"lily:(?P<verb>{_VERBS}):(?P<owner>\d{{1,20}}):(?P<rest>.*)")


def is_readable(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was pressed has an id of this make."""
    data: Mapping[str, Any] = interaction.data or {}
    return _ID.fullmatch(str(data.get("custom_id", ""))) is not None


class LilyButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=_ID):
    """A button that is made anew from its id each time it is pressed."""

    def __init__(self, press: Press, button: discord.ui.Button[Any]) -> None:
        self.press = press
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Read a button back from its id."""
        press = Press(Verb(match["verb"]), int(match["owner"]), match["rest"])
        return cls(press, cast("discord.ui.Button[Any]", item))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press to whoever acts on it."""
        presser: Presser = interaction.client.presser
        await presser.press(interaction, self.press)


def button(
    press: Press,
    label: str,
    *,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    disabled: bool = False,
    row: int | None = None,
) -> LilyButton:
    """Return a button to put in a view."""
    if len(press.custom_id) > _LONGEST:
        raise ValueError(f"a button's id holds at most {_LONGEST} characters: {press.custom_id!r}")
    inner: discord.ui.Button[Any] = discord.ui.Button(
        label=label[:80], style=style, disabled=disabled, custom_id=press.custom_id, row=row
    )
    return LilyButton(press, inner)


def view_of(buttons: Iterable[LilyButton]) -> discord.ui.View:
    """Return a view that never times out."""
    view = discord.ui.View(timeout=None)
    for one in buttons:
        view.add_item(one)
    return view
