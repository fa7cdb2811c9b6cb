from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.model import Category, Kind
from memory.policy import MemoryPolicy
from memory.profile import profile
from memory.temporal import freshness
from tests.memory.recall_builders import at, exam, remember

NOW = at("2026-09-15 10:00")
POLICY = MemoryPolicy()


def test_the_name_comes_first_then_the_identity_then_what_lasts() -> None:
    memories = [
        remember("habit", category=Category.HABIT),
        remember("hobby", category=Category.HOBBY),
        remember("preference", category=Category.PREFERENCE),
        remember("identity", category=Category.IDENTITY),
        remember("name", category=Category.NAME),
    ]
    assert [memory.id for memory in profile(memories, NOW, POLICY)] == [
        "name",
        "identity",
        "preference",
        "hobby",
        "habit",
    ]


def test_only_the_three_freshest_of_a_lasting_category_are_shown() -> None:
    memories = [
        remember(f"p{day}", category=Category.PREFERENCE, created_at=at(f"2026-09-0{day} 10:00"))
        for day in range(1, 6)
    ]
    assert [memory.id for memory in profile(memories, NOW, POLICY)] == ["p5", "p4", "p3"]


def test_all_of_the_identity_is_shown() -> None:
    memories = [remember(f"i{n}", category=Category.IDENTITY) for n in range(6)]
    assert len(profile(memories, NOW, POLICY)) == 6


def test_plans_and_odds_and_ends_are_no_profile() -> None:
    assert profile([exam(), remember("o", category=Category.OTHER)], NOW, POLICY) == ()


def test_what_is_archived_or_expired_is_left_out() -> None:
    memories = [
        remember("a", category=Category.NAME, archived=True),
        remember("b", category=Category.HOBBY, expires_at=at("2026-09-01 00:00")),
        remember("c", category=Category.HOBBY, kind=Kind.EVENT),
    ]
    assert profile(memories, NOW, POLICY) == ()


def test_the_persons_own_facts_come_before_those_about_others() -> None:
    memories = [
        remember("a", category=Category.IDENTITY, subject="媽媽"),
        remember("b", category=Category.IDENTITY, created_at=None),
    ]
    assert [memory.id for memory in profile(memories, NOW, POLICY)] == ["b", "a"]


@given(st.permutations([remember(f"m{n}", category=c) for c in Category for n in (c.value, c.name)]))
def test_the_order_of_the_memories_never_matters(memories: list) -> None:
    assert profile(memories, NOW, POLICY) == profile(memories[::-1], NOW, POLICY)


@given(st.lists(st.one_of(st.none(), st.integers(-3000, 3000)), max_size=12), st.sampled_from(list(Category)))
def test_the_order_is_that_of_freshness(hours: list[int | None], category: Category) -> None:
    memories = [
        remember(
            f"m{number}",
            category=category,
            created_at=None if hour is None else NOW - timedelta(hours=hour),
            updated_at=None,
        )
        for number, hour in enumerate(hours)
    ]
    half_life = POLICY.rule(category).half_life_days
    found = [freshness(m.confirmed_at, NOW, half_life) for m in profile(memories, NOW, POLICY)]
    assert found == sorted(found, reverse=True)
