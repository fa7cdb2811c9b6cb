"""Who speaks in a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any


def answered_by(companion: Any) -> Callable[[str], Awaitable[Any]]:
    """Return one companion as everybody's, whichever character a message was said to."""

    async def companion_of(_persona_id: str) -> Any:
        return companion

    return companion_of
