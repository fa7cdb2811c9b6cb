"""What a look at her finds: a line that says what to do where something is to be done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.errors import Line


class Status(StrEnum):
    """How a check went: ``note`` works but could be better."""

    FINE = "fine"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; the line says what to do where something is to be done."""

    name: str
    status: Status
    line: Line
