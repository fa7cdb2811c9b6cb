from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory.model import Category
from memory.policy import Thresholds
from memory.relations.gates import gate, settle_slot, unseen_difference
from memory.relations.types import Relation, Statement

LIMITS = Thresholds(duplicate=0.25, gray=0.45, floor=0.5, source="a test")
NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


def known(text: str, distance: float | None = None, **fields: object) -> Statement:
    return Statement(text, distance=distance, **fields)  # type: ignore[arg-type]


def test_a_near_restatement_is_skipped_without_asking() -> None:
    decision = gate(Statement("使用者不吃香菜"), [known("使用者討厭吃香菜", 0.2)], LIMITS)
    assert decision.duplicate_of == 0
    assert decision.candidates == ()


def test_equal_words_are_skipped_even_without_a_distance() -> None:
    decision = gate(Statement("我叫小明。"), [known("使用者喜歡茶"), known("使用者叫小明")], LIMITS)
    assert decision.duplicate_of == 1


UNSEEN = [
    ("使用者會游泳", "使用者不會游泳", "the negation"),
    ("使用者喜歡貓", "使用者討厭貓", "the stance"),
    ("使用者有兩隻貓", "使用者有三隻貓", "a number"),
    ("使用者週一開會", "使用者週二開會", "a date"),
    ("使用者的狗叫豆豆", "使用者的狗叫毛毛", "a name"),
    ("使用者的媽媽喜歡貓", "使用者喜歡貓", "whose it is"),
    ("使用者討厭芹菜", "使用者討厭香菜", "the thing"),
    ("使用者住在台北", "使用者大學時住在台北", "the time of life"),
    ("使用者養貓", "使用者說如果搬家就養貓", "how real it is"),
]


@pytest.mark.parametrize(("old", "new", "what"), UNSEEN)
def test_what_a_vector_cannot_see_keeps_a_near_pair_from_being_skipped(old: str, new: str, what: str) -> None:
    assert unseen_difference(Statement(new), Statement(old)) == what
    decision = gate(Statement(new), [known(old, 0.05)], LIMITS)
    assert decision.duplicate_of is None
    assert decision.candidates == (0,)
    assert what in decision.reasons[0]


def test_the_same_words_on_another_date_are_not_skipped() -> None:
    tomorrow = Statement("使用者要開會", valid_from=NOW + timedelta(days=1))
    assert gate(tomorrow, [known("使用者要開會", 0.0, valid_from=NOW)], LIMITS).duplicate_of is None


def test_the_gray_zone_goes_to_the_judge_nearest_first() -> None:
    candidates = [known("使用者喜歡紅茶", 0.44), known("使用者喜歡綠茶", 0.3), known("使用者有車", 0.46)]
    decision = gate(Statement("使用者喜歡抹茶", category=Category.PREFERENCE), candidates, LIMITS)
    assert decision.candidates == (1, 0)


def test_the_same_slot_is_asked_about_whatever_its_distance_and_first() -> None:
    candidates = [
        known("使用者喜歡茶", 0.3),
        known("使用者住在台北", 0.9, attribute="home"),
        known("使用者的媽媽住在台南", 0.8, attribute="home", subject="媽媽"),
    ]
    decision = gate(Statement("使用者搬到台中", attribute="home"), candidates, LIMITS)
    assert decision.candidates == (1, 0)


def test_the_newest_of_the_category_is_asked_about() -> None:
    candidates = [
        known("使用者在學法文", 0.9, category=Category.HOBBY, said_at=NOW),
        known("使用者在學德文", 0.8, category=Category.HOBBY, said_at=NOW - timedelta(days=3)),
        known("使用者有車", 0.7, said_at=NOW),
    ]
    decision = gate(Statement("使用者在集郵", category=Category.HOBBY), candidates, LIMITS)
    assert decision.candidates == (0,)


def test_at_most_three_are_asked_about() -> None:
    candidates = [known(f"使用者喜歡第{i}種茶", 0.3) for i in range(9)]
    assert len(gate(Statement("使用者喜歡抹茶"), candidates, LIMITS).candidates) == 3


def test_nothing_known_is_stored_at_once() -> None:
    decision = gate(Statement("使用者喜歡抹茶"), [], LIMITS)
    assert (decision.duplicate_of, decision.candidates) == (None, ())
    assert decision.reason


def test_an_embedder_without_a_duplicate_limit_never_skips_by_distance() -> None:
    never = Thresholds(duplicate=0.0, gray=0.65, floor=0.4, source="a test")
    decision = gate(Statement("使用者不吃香菜"), [known("使用者討厭吃香菜", 0.0)], never)
    assert decision.duplicate_of is None


def test_a_slot_with_one_value_is_settled_in_code() -> None:
    old = Statement("使用者叫小明", attribute="name")
    verdict = settle_slot(Statement("使用者叫小華", attribute="name"), old)
    assert verdict is not None
    assert verdict.relation is Relation.CONTRADICT
    again = settle_slot(Statement("我叫小明", attribute="name"), old)
    assert again is not None
    assert again.relation is Relation.DUPLICATE


def test_a_vaguer_value_of_a_slot_does_not_overturn_it() -> None:
    verdict = settle_slot(
        Statement("使用者住在高雄", attribute="home"), Statement("使用者住在高雄左營", attribute="home")
    )
    assert verdict is not None
    assert verdict.relation is Relation.DUPLICATE


def test_slots_of_two_people_and_open_slots_are_left_to_the_judge() -> None:
    mine = Statement("使用者住在台北", attribute="home")
    hers = Statement("媽媽住在台南", attribute="home", subject="媽媽")
    assert settle_slot(mine, hers) is None
    food = Statement("使用者討厭香菜", attribute="food:香菜")
    assert settle_slot(food, food) is None
