"""The expiry sweep: what has passed its time leaves, whoever wakes the sweep up and however late."""

from __future__ import annotations

from memory.lifecycle import Lifecycle
from memory.model import Memory
from memory.store.outbox import Outbox

ACTOR = "scheduler:expiry"


async def sweep(lifecycle: Lifecycle, outbox: Outbox) -> tuple[Memory, ...]:
    """Archive every event whose ``expires_at`` has passed; returns what left, the longest due first.

    The clock of the lifecycle says what *now* is; a second sweep at the same moment finds nothing.
    """
    left = await lifecycle.expire(ACTOR)
    if left:
        outbox.wake()
    return left
