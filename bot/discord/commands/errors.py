"""Refusals people are meant to read."""

from __future__ import annotations


class Refusal(Exception):
    """Why a command is not carried out, for the person to read: a key below ``discord.refusals``."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def number_in(text: str) -> int:
    """Read a number in a button's id; :class:`Refusal` for what is none."""
    if not (text.isascii() and text.isdigit()):
        raise Refusal("no_such_value")
    return int(text)
