"""Who this person is, in a few memories: name, identity, the best of each lasting category."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from memory.model import USER_SUBJECT, Category, Kind, Memory, TemporalState
from memory.policy import MemoryPolicy
from memory.temporal import classify

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
    shelves: dict[Category, dict[str, Memory]] = {category: {} for category in (*_CORE, *_LASTING)}
    for memory in memories:
        shelf = shelves.get(memory.category)
        if shelf is None or memory.kind is Kind.EVENT:
            continue
        if classify(memory, now, False, policy) is TemporalState.VALID:
            shelf[memory.id] = memory
    chosen: list[Memory] = []
    for category, shelf in shelves.items():
        best = _most_useful(shelf.values(), now, policy.rule(category).half_life_days)
        chosen.extend(best if category in _CORE else best[: policy.profile_per_category])
    return tuple(chosen)


def _most_useful(memories: Iterable[Memory], now: datetime, half_life_days: float | None) -> list[Memory]:
    """Sort by freshness, without reckoning it: of one half-life the later said is the fresher.

    What nobody knows the age of is as fresh as what was said a half-life ago (:func:`freshness`);
    without a half-life everything is equally fresh, and the later said comes first all the same.
    """
    aged = half_life_days is not None and half_life_days > 0
    half_way = now - timedelta(days=half_life_days or 0)

    def usefulness(memory: Memory) -> tuple[bool, float, float, str]:
        said = memory.confirmed_at
        since = min(said, now) if said is not None else half_way
        return (
            memory.subject != USER_SUBJECT,
            -since.timestamp() if aged else 0.0,
            -(said or _LONG_AGO).timestamp(),
            memory.id,
        )

    return sorted(memories, key=usefulness)
