"""What one handler makes of a message."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of a reply. ``open``: a question of hers may still follow. ``asked``: events it asks about."""

    text: str
    why: str
    open: bool = False
    asked: tuple[str, ...] = ()
