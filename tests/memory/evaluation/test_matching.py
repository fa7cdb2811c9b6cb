from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.evaluation.conversation import GoldFact
from memory.evaluation.matching import assign, dated_right, fits, rests_on
from memory.model import Category, Memory

ZONE = "Asia/Taipei"


def memory(text: str, category: str = "preference", **fields: Any) -> Memory:
    values = {"id": text, "user_id": "u", "persona_id": "lily", "places": ("dm",), "quote": text}
    return Memory(text=text, category=Category(category), **{**values, **fields})


def fact(*has: str, category: str = "preference", key: str = "k", **fields: Any) -> GoldFact:
    groups = tuple(tuple(group.split("|")) for group in has)
    return GoldFact(key, groups, frozenset(map(Category, category.split("/"))), **fields)


@pytest.mark.parametrize(
    "text", ["使用者討厭香菜", "使用者一點都不敢吃香菜", "使用者讨厌吃香菜", "香菜使用者不行"]
)
def test_the_wording_and_the_script_do_not_matter(text: str) -> None:
    assert fits(memory(text), fact("香菜"))


def test_another_thing_another_shelf_and_another_person_are_not_it() -> None:
    assert not fits(memory("使用者討厭芹菜"), fact("香菜"))
    assert not fits(memory("使用者討厭香菜", "hobby"), fact("香菜"))
    assert fits(memory("使用者討厭香菜", "hobby"), fact("香菜", category="preference/hobby"))
    assert not fits(memory("使用者的媽媽討厭香菜", subject="媽媽"), fact("香菜"))


@pytest.mark.parametrize("subject", ["媽媽", "使用者的媽媽", "母親"])
def test_a_relative_is_the_same_by_any_of_their_names(subject: str) -> None:
    assert fits(memory("討厭香菜", subject=subject), fact("香菜", subjects=("媽媽",)))


def test_one_word_of_each_group_is_enough_and_each_group_is_needed() -> None:
    gold = fact("兩隻|2隻", "貓|貓咪")
    assert fits(memory("使用者有2隻貓咪"), gold)
    assert not fits(memory("使用者有3隻貓"), gold)
    assert not fits(memory("使用者有兩隻狗"), gold)


@pytest.mark.parametrize("text", ["使用者有兩隻貓", "使用者有2隻貓"])
def test_numerals_are_read_as_digits(text: str) -> None:
    assert fits(memory(text), fact("兩隻"))
    assert fits(memory(text), fact("2隻"))


def test_a_word_that_must_not_be_there_rules_a_memory_out() -> None:
    gold = fact("茄子", lacks=("喜歡",))
    assert fits(memory("使用者討厭茄子"), gold)
    assert not fits(memory("使用者喜歡茄子"), gold)


def test_a_memory_rests_on_words_that_were_said() -> None:
    assert rests_on(memory("使用者討厭香菜", quote="我討厭香菜"), "欸，我討厭香菜啦")
    assert not rests_on(memory("使用者討厭香菜", quote="我討厭芹菜"), "我討厭香菜")
    assert not rests_on(memory("使用者討厭香菜", quote=""), "我討厭香菜")


def test_a_date_is_right_by_the_local_day_or_by_being_left_out() -> None:
    evening = memory("x", "schedule", valid_from=datetime(2026, 9, 14, 23, 0, tzinfo=UTC))
    assert dated_right(evening, fact("x", when="2026-09-15"), ZONE) is True
    assert dated_right(evening, fact("x", when="2026-09-15T07:00"), ZONE) is True
    assert dated_right(evening, fact("x", when="2026-09-14"), ZONE) is False
    assert dated_right(evening, fact("x", when=""), ZONE) is False
    assert dated_right(memory("x", "schedule"), fact("x", when=""), ZONE) is True
    assert dated_right(evening, fact("x"), ZONE) is None


def test_two_visits_are_told_apart_by_their_dates() -> None:
    first = memory("牙醫", "schedule", id="a", valid_from=datetime(2026, 9, 2, 4, tzinfo=UTC))
    second = memory("牙醫", "schedule", id="b", valid_from=datetime(2026, 9, 16, 4, tzinfo=UTC))
    late = fact("牙醫", category="schedule", key="late", when="2026-09-16")
    early = fact("牙醫", category="schedule", key="early", when="2026-09-02")
    pairs = assign([first, second], [late, early], ZONE)
    assert {name: one.key for name, one in pairs.items()} == {"a": "early", "b": "late"}


WORDS = st.lists(st.sampled_from(["貓", "狗", "魚", "貓狗", "狗魚"]), max_size=4)


@given(WORDS, WORDS)
def test_every_memory_is_at_most_one_fact_and_no_pair_is_left_apart(
    texts: list[str], wanted: list[str]
) -> None:
    memories = [memory(text, id=str(place)) for place, text in enumerate(texts)]
    facts = [fact(word, key=str(place)) for place, word in enumerate(wanted)]
    pairs = assign(memories, facts, ZONE)
    taken = [one.key for one in pairs.values()]
    assert len(set(taken)) == len(taken)
    assert all(fits(one, pairs[one.id]) for one in memories if one.id in pairs)
    left = [one for one in memories if one.id not in pairs]
    free = [one for one in facts if one.key not in taken]
    assert not any(fits(one, other) for one in left for other in free)
