"""Making room: who goes first when a person's memories reach the cap. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

from memory.model import Category, Memory
from memory.policy import MemoryPolicy

_BEGINNING = datetime.min.replace(tzinfo=UTC)


def evictions(
    live: Iterable[Memory], now: datetime, policy: MemoryPolicy, spare: Collection[str] = ()
) -> tuple[Memory, ...]:
    """Return what has to leave so that at most the cap stays, in the order it goes.

    The order of the categories is the policy's; within one, upcoming events go last, then the
    oldest ``created_at`` goes first (unknown counts as oldest). ``spare`` holds ids that stay
    (what was just said, what was just restored); categories without a rank stay always, so fewer
    than needed may be returned.
    """
    held = list(live)
    excess = len(held) - policy.cap_per_person
    if excess <= 0:
        return ()
    ranked = sorted(
        (m for m in held if m.id not in spare and policy.rule(m.category).eviction_rank is not None),
        key=lambda m: _order(m, now, policy),
    )
    return tuple(ranked[:excess])


def _order(memory: Memory, now: datetime, policy: MemoryPolicy) -> tuple[float, bool, datetime, str]:
    rank = policy.rule(memory.category).eviction_rank
    upcoming = (
        memory.category is Category.SCHEDULE and memory.valid_from is not None and memory.valid_from > now
    )
    return (float(rank or 0), upcoming, memory.created_at or _BEGINNING, memory.id)
