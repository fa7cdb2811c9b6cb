"""Named moments on a message's way: where a crash is rehearsed, where a stage is timed."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Step(StrEnum):
    """The moments, in their order. Each comes right after what it names has been committed."""

    ADMITTED = "admitted"
    RECALLED = "recalled"
    WRITTEN_DOWN = "written_down"
    DELIVERED = "delivered"
    REPLIED = "replied"
    EXTRACTED = "extracted"
    COMPARED = "compared"
    OBSERVED = "observed"
    MIRRORED = "mirrored"
    SETTLED = "settled"


OnStep = Callable[[Step], None]


def ignore_step(step: Step) -> None:
    """Do nothing."""
