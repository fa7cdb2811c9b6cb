"""Making room at the cap."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.capacity import evictions
from memory.model import ArchivedReason, Category, Memory
from memory.policy import MemoryPolicy
from tests.support.world import START, fact, open_world

pytestmark = pytest.mark.usefixtures("store")

ORDER = [
    Category.SCHEDULE,
    Category.OTHER,
    Category.HABIT,
    Category.HOBBY,
    Category.PREFERENCE,
    Category.IDENTITY,
]


def memory(number: int, category: Category, days_old: float | None = None, **fields: object) -> Memory:
    created = None if days_old is None else START - timedelta(days=days_old)
    return Memory(
        id=f"m{number:04d}",
        user_id="u1",
        persona_id="lily",
        places=("dm",),
        text=f"事實{number}",
        category=category,
        created_at=created,
        **fields,  # type: ignore[arg-type]
    )


def policy(cap: int) -> MemoryPolicy:
    return MemoryPolicy(cap_per_person=cap)


def test_nothing_leaves_under_the_cap():
    assert evictions([memory(1, Category.SCHEDULE, 1)], START, policy(1)) == ()


def test_categories_leave_in_the_tables_order_whatever_their_age():
    held = [memory(i, category, days_old=i) for i, category in enumerate(reversed(ORDER))]
    leaving = evictions(held, START, policy(0))
    assert [m.category for m in leaving] == ORDER


def test_within_a_category_the_oldest_leaves_first_and_an_unknown_date_counts_as_oldest():
    held = [memory(1, Category.HABIT, 5), memory(2, Category.HABIT, 50), memory(3, Category.HABIT)]
    assert [m.id for m in evictions(held, START, policy(0))] == ["m0003", "m0002", "m0001"]


def test_an_upcoming_event_leaves_after_those_that_are_over():
    upcoming = memory(1, Category.SCHEDULE, 30, valid_from=START + timedelta(days=2))
    over = memory(2, Category.SCHEDULE, 1, valid_from=START - timedelta(days=1))
    assert evictions([upcoming, over], START, policy(1)) == (over,)


def test_a_name_is_never_evicted():
    held = [memory(1, Category.NAME, 900), memory(2, Category.NAME, 800)]
    assert evictions(held, START, policy(0)) == ()


def test_what_was_just_said_stays():
    new = memory(1, Category.SCHEDULE, 0)
    old = memory(2, Category.IDENTITY, 400)
    assert evictions([new, old], START, policy(1), spare={new.id}) == (old,)


async def test_fifty_more_than_the_cap_evict_in_order_and_can_all_be_restored(tmp_path):
    cap, more = 200, 50
    wheel = [Category.NAME, *ORDER]
    async with open_world(tmp_path, policy=policy(cap)) as world:
        for number in range(cap):
            category = Category.NAME if number == 0 else wheel[1 + number % 6]
            world.later(minutes=1)
            await world.say(f"第{number}句", fact(f"甲{number}乙{number * 7}丙", category))
        before = {m.id: m for m in await world.all()}
        assert len(before) == cap
        evicted: list[Memory] = []
        for number in range(cap, cap + more):
            world.later(minutes=1)
            observation = await world.say(
                f"第{number}句", fact(f"丁{number}戊{number * 11}己", Category.PREFERENCE)
            )
            evicted += observation.archived
        assert len(evicted) == more
        schedules = sorted(
            (m for m in before.values() if m.category is Category.SCHEDULE),
            key=lambda m: m.created_at or START,
        )
        others = sorted(
            (m for m in before.values() if m.category is Category.OTHER), key=lambda m: m.created_at or START
        )
        expected = [m.id for m in schedules + others][:more]
        assert [m.id for m in evicted] == expected
        assert {m.archived_reason for m in evicted} == {ArchivedReason.EVICTED}
        live = [m for m in await world.all() if not m.archived]
        assert len(live) == cap
        assert [m for m in live if m.category is Category.NAME] == [
            m for m in before.values() if m.category is Category.NAME
        ]
        for gone in evicted:
            restored = await world.service.lifecycle.restore(gone.id, "test")
            assert not restored.memory.archived
            assert restored.memory.text == gone.text
