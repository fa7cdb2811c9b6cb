"""Memories and moments for the tests of recall."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory.model import Category, Kind, Memory, Precision

TAIPEI = "Asia/Taipei"


def at(text: str, zone: str = TAIPEI) -> datetime:
    """Read a local time: ``2026-09-12 21:30``."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def remember(memory_id: str, text: str = "使用者喜歡喝烏龍茶", **fields: Any) -> Memory:
    """Build a memory of one person, said on 2026-09-09."""
    defaults: dict[str, Any] = {
        "user_id": "u1",
        "persona_id": "lily",
        "places": ("dm",),
        "created_at": at("2026-09-09 20:00"),
    }
    return Memory(id=memory_id, text=text, **{**defaults, **fields})


def event(memory_id: str, text: str, start: str | None, end: str | None, **fields: Any) -> Memory:
    """Build an event between two local times of its zone."""
    zone = fields.get("zone", TAIPEI)
    defaults: dict[str, Any] = {
        "category": Category.SCHEDULE,
        "kind": Kind.EVENT,
        "precision": Precision.DAY,
        "zone": zone,
        "valid_from": at(start, zone) if start else None,
        "valid_to": at(end, zone) if end else None,
    }
    return remember(memory_id, text, **{**defaults, **fields})


def exam(memory_id: str = "exam", text: str = "使用者下週二有期末考", **fields: Any) -> Memory:
    """Build the exam of Tuesday, 2026-09-15."""
    return event(memory_id, text, "2026-09-15", "2026-09-16", **{"when_text": "下週二", **fields})
