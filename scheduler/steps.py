"""Named moments of a follow-up on its way out: where a crash is rehearsed."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class FollowUpStep(StrEnum):
    """The moments, in their order. Each comes right after what it names."""

    CLAIMED = "claimed"
    COMPOSED = "composed"
    PREPARED = "prepared"
    DELIVERED = "delivered"
    SENT = "sent"
    TAKEN_OVER = "taken over"
    SETTLED = "settled"


OnFollowUpStep = Callable[[FollowUpStep], None]


def ignore_step(step: FollowUpStep) -> None:
    """Do nothing."""
