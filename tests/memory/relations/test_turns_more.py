"""Getting well, giving up and taking up again, jobs beside jobs: each as a kind."""

from __future__ import annotations

from itertools import product

import pytest

from memory.relations.rules import decide
from memory.relations.types import Relation, Statement

C, D, X = Relation.CONTRADICT, Relation.DUPLICATE, Relation.DIFFERENT
AILMENTS = {
    "骨折": "使用者的骨折好了",
    "感冒": "使用者的感冒好了",
    "腸胃炎": "使用者的腸胃炎好了",
    "流感": "使用者流感痊癒了",
}


def relation(old: str, new: str) -> Relation:
    return decide(Statement(old), Statement(new)).relation


@pytest.mark.parametrize(("one", "other"), list(product(AILMENTS, AILMENTS)))
def test_being_well_again_ends_the_ailment_it_names_and_no_other(one: str, other: str) -> None:
    assert relation(f"使用者{one}", AILMENTS[other]) is (C if one == other else X)


@pytest.mark.parametrize(
    ("old", "new", "ended"),
    [
        ("使用者左手骨折", "使用者的手好了", True),
        ("使用者左手骨折", "使用者的腳好了", False),
        ("使用者膝蓋受傷", "使用者的腰不痛了", False),
        ("使用者生病了", "使用者康復了", True),
    ],
)
def test_a_part_of_the_body_that_is_well_says_nothing_about_another(old: str, new: str, ended: bool) -> None:
    assert (relation(old, new) is C) is ended


@pytest.mark.parametrize("allergen", ["貓", "花生", "塵蟎", "海鮮"])
def test_having_no_allergy_overturns_having_it(allergen: str) -> None:
    assert relation(f"使用者對{allergen}過敏", f"使用者對{allergen}不過敏") is C


@pytest.mark.parametrize("main", ["使用者在銀行上班", "使用者是工程師", "使用者在學校工作"])
@pytest.mark.parametrize(
    "side",
    ["使用者週末在酒吧工作", "使用者晚上在補習班工作", "使用者在超商打工", "使用者假日當導遊"],
)
def test_a_job_beside_the_main_one_retires_neither(main: str, side: str) -> None:
    assert relation(main, side) is X
    assert relation(side, main) is not C


def test_the_date_of_a_side_job_may_stand_in_the_quote_alone() -> None:
    old = Statement("使用者在銀行上班")
    new = Statement("使用者在酒吧工作", quote="週末在酒吧工作")
    assert decide(old, new).relation is X


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者戒酒了", "使用者又開始喝酒"),
        ("使用者不打羽球了", "使用者又開始打羽球"),
        ("使用者戒菸", "使用者又抽菸了"),
        ("使用者不養魚了", "使用者又養魚了"),
    ],
)
def test_what_is_taken_up_again_overturns_that_it_was_given_up(old: str, new: str) -> None:
    assert relation(old, new) is C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者用的是三星手機", "使用者的手機換成 iPhone 了"),
        ("使用者用 iPhone", "使用者換成 Pixel"),
        ("使用者騎機車上班", "使用者改搭公車"),
        ("使用者最喜歡的顏色是紅色", "使用者最喜歡的顏色變成黑色"),
        ("使用者的狗叫米粒", "使用者的狗改名叫米漿"),
        ("使用者是國中生", "使用者已經畢業了"),
    ],
)
def test_what_somebody_switched_to_takes_the_place_of_the_old(old: str, new: str) -> None:
    assert relation(old, new) is C


@pytest.mark.parametrize("care", ["使用者在家帶小孩", "使用者在家顧孩子"])
def test_caring_for_children_is_not_said_by_having_them(care: str) -> None:
    assert relation("使用者是兩個孩子的媽", care) is X
    assert relation("使用者有三個小孩", care) is not D


def test_two_places_of_work_are_never_the_same_told_again() -> None:
    assert relation("使用者在咖啡廳打工", "使用者在書店打工") is not D


@pytest.mark.parametrize("home", ["使用者住在中和", "使用者租房子在中和"])
@pytest.mark.parametrize(
    "plan", ["使用者要搬去宜蘭", "使用者下個月要搬到宜蘭", "使用者打算搬到宜蘭", "使用者會搬去宜蘭"]
)
def test_a_planned_move_leaves_the_home_as_it_is(home: str, plan: str) -> None:
    assert relation(home, f"使用者{plan}") is not C


def test_a_plan_that_has_come_true_is_not_the_plan_told_again() -> None:
    assert relation("使用者要搬去宜蘭", "使用者住宜蘭") is X


@pytest.mark.parametrize(
    ("old", "new", "overturned"),
    [
        ("使用者的車是白色的", "使用者的車是 Toyota", False),
        ("使用者的車是白色的", "使用者的車是黑色的", True),
        ("使用者筆電是華碩的", "使用者筆電換 MacBook 了", True),
    ],
)
def test_a_thing_told_in_another_respect_is_the_same_thing(old: str, new: str, overturned: bool) -> None:
    assert (relation(old, new) is C) is overturned


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("使用者住學校宿舍", "使用者搬到東區了", C),
        ("使用者住學校宿舍", "使用者搬出宿舍，現在住在東區", C),
        ("使用者住校", "使用者退宿了", C),
        ("使用者住學校宿舍", "使用者打算搬去台北", X),
        ("使用者住學校宿舍", "使用者搬到男二宿舍", X),
        ("使用者住宿舍", "使用者住新竹", X),
        ("使用者在宿舍養了一隻貓", "使用者搬到東區", X),
        ("The user lives in a dorm", "The user moved to Boston", C),
    ],
)
def test_moving_ends_the_dormitory_and_a_district_does_not(old: str, new: str, expected: Relation) -> None:
    assert relation(old, new) is expected
