"""Who this person is, in a few memories: name, identity, the best of each lasting category."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from memory.model import USER_SUBJECT, Category, Kind, Memory, TemporalState
from memory.policy import MemoryPolicy
from memory.temporal import classify, decay

# Most useful first; every value of the core is shown, of the lasting ones only the best few.
_CORE = (Category.NAME, Category.IDENTITY)
_LASTING = (Category.PREFERENCE, Category.HOBBY, Category.HABIT)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def profile(memories: Iterable[Memory], now: datetime, policy: MemoryPolicy) -> tuple[Memory, ...]:
    """Return the live memories that say who the person is, most useful first.

    Name, then identity, then the top ``policy.profile_per_category`` of preference, hobby and
    habit. Within a category the person's own facts come before those about others, fresh ones
    before faded ones; ties go by id, so the order of ``memories`` never matters.
    """
    live = [
        memory
        for memory in {memory.id: memory for memory in memories}.values()
        if memory.kind is not Kind.EVENT and classify(memory, now, False, policy) is TemporalState.VALID
    ]

    def usefulness(memory: Memory) -> tuple[bool, float, float, str]:
        said = memory.confirmed_at or _LONG_AGO
        return memory.subject != USER_SUBJECT, -decay(memory, now, policy), -_seconds(said), memory.id

    chosen: list[Memory] = []
    for category in (*_CORE, *_LASTING):
        best = sorted((memory for memory in live if memory.category is category), key=usefulness)
        chosen.extend(best if category in _CORE else best[: policy.profile_per_category])
    return tuple(chosen)


def _seconds(moment: datetime) -> float:
    return (moment - _LONG_AGO).total_seconds()
