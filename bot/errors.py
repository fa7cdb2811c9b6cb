"""The errors a person at the command line is meant to read: one line each, naming the field and the fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from memory.catalog import Catalog

FAILED = 1
WRONG_USAGE = 2
_MOST_SHOWN = 400


@dataclass(frozen=True, slots=True)
class Line:
    """One line for a person: a text of the locale files and the values that fill it.

    ``key`` is dotted below ``errors``; values that are lines themselves are put into words first.
    """

    key: str
    values: tuple[tuple[str, object], ...] = field(default=())

    @classmethod
    def of(cls, line_key: str, /, **values: object) -> Line:
        """Build a line from keyword values."""
        return cls(line_key, tuple(values.items()))

    def text(self, catalog: Catalog) -> str:
        """Return the line in the catalog's language, on one line."""
        values = {
            name: value.text(catalog) if isinstance(value, Line) else _shown(value)
            for name, value in self.values
        }
        return " ".join(catalog.text(f"errors.{self.key}", **values).split())


def _shown(value: object) -> object:
    """Return a value as a screen may show it: without control characters of a file, not without end."""
    if not isinstance(value, (str, Path)):
        return value
    text = "".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in str(value))
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


class UserError(Exception):
    """Something the person at the command line can mend; ``exit_code`` is 1 (failed) or 2 (wrong usage)."""

    exit_code = FAILED
    most_told: int | None = 20

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__("; ".join(line.key for line in lines))
        self.lines = tuple(lines)

    @classmethod
    def of(cls, line_key: str, /, **values: object) -> Self:
        """Build an error of one line."""
        return cls([Line.of(line_key, **values)])

    def texts(self, catalog: Catalog) -> list[str]:
        """Return the lines to show, one per problem; of very many the first and how many more there are."""
        told = [line.text(catalog) for line in self.lines[: self.most_told]]
        more = len(self.lines) - len(told)
        return [*told, catalog.text("errors.more", count=more)] if more else told


class UsageError(UserError):
    """The command, a file given to it, or a setting is wrong; nothing was done."""

    exit_code = WRONG_USAGE


class SettingsError(UsageError):
    """Everything that is wrong with the settings, at once."""

    most_told = None
