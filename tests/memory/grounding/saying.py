"""Shorthand for tests: say something at a wall time in a zone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from memory.grounding import TimeExpression, resolve

TAIPEI = "Asia/Taipei"
THURSDAY = "2026-10-15T10:00"
"""Most examples are said on this Thursday morning."""


def at(wall: str, zone: str = TAIPEI) -> datetime:
    """Return the instant of a wall time."""
    return datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone))


def said(text: str, wall: str = THURSDAY, zone: str = TAIPEI) -> TimeExpression:
    """Return the only expression of a text."""
    found = resolve(text, at(wall, zone), zone)
    assert len(found) == 1, found
    return found[0]


def stretch(text: str, wall: str = THURSDAY, zone: str = TAIPEI) -> str:
    """Return ``start..end`` of the only expression, midnights as bare dates."""
    found = said(text, wall, zone)
    if found.start is None or found.end is None:
        return found.recurrence or "-"
    return f"{_short(found.start)}..{_short(found.end)}"


def start(text: str, wall: str = THURSDAY, zone: str = TAIPEI) -> str:
    """Return the start of the only expression."""
    found = said(text, wall, zone)
    return _short(found.start) if found.start is not None else found.recurrence or "-"


def _short(moment: datetime) -> str:
    local = moment.replace(tzinfo=None)
    return local.strftime("%Y-%m-%d" if (local.hour, local.minute) == (0, 0) else "%Y-%m-%dT%H:%M")
