"""Forms a person fills in. They outlive a restart: all that is needed to act on one is in its id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

_FIELD = "text"
_TITLE = _LABEL = 45  # Discord's limits
_PLACEHOLDER = 100
_ID = re.compile(r"lily:form:(?P<form>\w+):(?P<owner>\d{1,20}):(?P<rest>.*)")


class Form(StrEnum):
    """What a form is for."""

    EDIT = "edit"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that was sent: what it is for, whose it is, to what it applies, and what was typed."""

    form: Form
    owner: int
    rest: str
    text: str


class OneField(discord.ui.Modal):
    """A form with one field. Nothing waits for it here: what is sent is read by :func:`filled`."""

    def __init__(
        self,
        form: Form,
        owner: int,
        rest: str = "",
        *,
        title: str,
        label: str,
        default: str = "",
        placeholder: str = "",
        most: int = 300,
        long: bool = False,
    ) -> None:
        super().__init__(title=title[:_TITLE], timeout=None, custom_id=f"lily:form:{form}:{owner}:{rest}")
        field: discord.ui.TextInput[OneField] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph if long else discord.TextStyle.short,
            default=default[:most] or None,
            placeholder=placeholder[:_PLACEHOLDER] or None,
            max_length=most,
            custom_id=_FIELD,
        )
        self.add_item(discord.ui.Label(text=label[:_LABEL], component=field))

    def is_finished(self) -> bool:
        """Keep the library from holding the form, and a memory in it, until it is sent."""
        return True


def filled(interaction: discord.Interaction[Any]) -> Filled | None:
    """Read a form that was sent, whichever run opened it; None for one of another make."""
    data: Mapping[str, Any] = interaction.data or {}
    match = _ID.fullmatch(str(data.get("custom_id", "")))
    if match is None or match["form"] not in set(Form):
        return None
    return Filled(Form(match["form"]), int(match["owner"]), match["rest"], typed(interaction))


def typed(interaction: discord.Interaction[Any]) -> str:
    """Return what was typed into a form, whatever it is for."""
    data: Mapping[str, Any] = interaction.data or {}
    return "\n".join(_values(data.get("components", ())))


def _values(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in components or ():
        if isinstance(one.get("value"), str):
            yield one["value"]
        inside = [one["component"]] if "component" in one else one.get("components", ())
        yield from _values(inside)
