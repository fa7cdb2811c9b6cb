"""The settings a replay line may carry: a person's zone, language, check-ins and quiet hours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from bot.settings.base import near_zone
from memory.catalog import LANGUAGES

_NAMES = ("timezone", "language", "check_ins", "quiet_hours")
_HOURS = re.compile(r"(?P<start>(?:[01]\d|2[0-3]):[0-5]\d)\s*[-–~]\s*(?P<end>(?:[01]\d|2[0-3]):[0-5]\d)")


class Complain(Protocol):
    """Notes what is wrong with a field."""

    def __call__(self, field: str, key: str, **values: object) -> None:
        """Note it: ``key`` is a text below ``errors``."""
        ...


def read_preferences(given: Any, wrong: Complain) -> dict[str, Any] | None:
    """Return the columns to change, or None where something was complained about.

    ``null`` puts a setting back to the default of the house.
    """
    if not isinstance(given, Mapping):
        wrong("settings", "replay.no_object", known=", ".join(_NAMES))
        return None
    complaints = 0

    def complain(field: str, key: str, **values: object) -> None:
        nonlocal complaints
        complaints += 1
        wrong(f"settings.{field}", key, **values)

    changes: dict[str, Any] = {}
    for name, value in given.items():
        match name:
            case "timezone":
                changes["zone"] = _zone(value, complain)
            case "language":
                changes["language"] = _language(value, complain)
            case "check_ins":
                changes["check_ins"] = _switch(value, complain)
            case "quiet_hours":
                changes["quiet_from"], changes["quiet_to"] = _hours(value, complain)
            case _:
                complain(name, "replay.unknown_field", known=", ".join(_NAMES))
    return None if complaints else changes


def _zone(value: Any, complain: Complain) -> str | None:
    if value is None:
        return None
    try:
        return ZoneInfo(value).key
    except (TypeError, ValueError, OSError, LookupError):
        near = near_zone(str(value)) or "Asia/Taipei"
        complain("timezone", "replay.no_zone", value=value, near=near)
        return None


def _language(value: Any, complain: Complain) -> str | None:
    if value is not None and value not in LANGUAGES:
        complain("language", "replay.no_language", value=value, known=", ".join(LANGUAGES))
        return None
    return value if value is None else str(value)


def _switch(value: Any, complain: Complain) -> bool:
    if value is not None and not isinstance(value, bool):
        complain("check_ins", "replay.no_switch", value=value)
    return bool(value)


def _hours(value: Any, complain: Complain) -> tuple[str | None, str | None]:
    if value is None:
        return None, None
    text = "-".join(map(str, value)) if isinstance(value, list) else str(value)
    match = _HOURS.fullmatch(text.strip())
    if match is None or match["start"] == match["end"]:
        complain("quiet_hours", "replay.no_hours", value=value)
        return None, None
    return match["start"], match["end"]
