"""Whole kinds of pairs, each over words drawn from a field of the lexicon."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.relations.rules import decide
from memory.relations.types import Relation, Statement

C, D, X = Relation.CONTRADICT, Relation.DUPLICATE, Relation.DIFFERENT


def relation(old: str, new: str, distance: float | None = None) -> Relation:
    return decide(Statement(old, distance=distance), Statement(new)).relation


FOODS = st.sampled_from(["海膽", "九層塔", "蘆筍", "百香果", "麻糬", "提拉米蘇", "虱目魚", "河粉"])
INSTRUMENTS = st.sampled_from(["豎琴", "琵琶", "手風琴", "單簧管", "電吉他", "木箱鼓"])
DISTRICTS = st.sampled_from(
    [("板橋", "新北"), ("西屯", "台中"), ("左營", "高雄"), ("礁溪", "宜蘭"), ("中壢", "桃園")]
)
DISTANCES = st.floats(0, 2) | st.none()


@given(FOODS, FOODS, DISTANCES)
def test_liking_another_food_never_overturns_the_first(one: str, other: str, distance: float | None) -> None:
    verdict = relation(f"使用者喜歡吃{one}", f"使用者喜歡吃{other}", distance)
    assert verdict is (D if one == other else X)


@given(FOODS, DISTANCES)
def test_liking_and_then_hating_a_food_excludes(food: str, distance: float | None) -> None:
    assert relation(f"使用者愛吃{food}", f"使用者討厭{food}", distance) is C
    assert relation(f"使用者敢吃{food}", f"使用者不敢吃{food}", distance) is C


@given(INSTRUMENTS, INSTRUMENTS, DISTANCES)
def test_another_instrument_comes_on_top(one: str, other: str, distance: float | None) -> None:
    assert relation(f"使用者會{one}", f"使用者也會{other}", distance) in {X, D if one == other else X}


@given(DISTRICTS, DISTRICTS)
def test_a_town_and_its_county_are_no_two_homes(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert relation(f"使用者住在{one[0]}", f"使用者住在{one[1]}") is D
    assert relation(f"使用者住在{one[1]}", f"使用者住在{one[0]}") is not C
    if one != other:
        assert relation(f"使用者住在{one[0]}", f"使用者住在{other[0]}") is C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者的時薪是兩百元", "使用者的時薪調到兩百三十元"),
        ("使用者的房租是八千", "使用者的房租漲到九千五"),
        ("The user's rent is 700 dollars", "The user's rent went up to 820 dollars"),
        ("The user's salary is 3000 dollars", "The user's salary was raised to 3400 dollars"),
    ],
)
def test_an_amount_that_rose_or_fell_replaces_the_old_one(old: str, new: str) -> None:
    assert relation(old, new) is C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者在雅加達有親戚", "使用者從沒出過國"),
        ("使用者從沒出過國", "使用者打算明年去挪威玩"),
        ("使用者從沒出過國", "使用者上週去礁溪玩"),
        ("使用者怕水", "使用者在學游泳，想克服怕水"),
        ("使用者有懼高症", "使用者第一次去攀岩"),
    ],
)
def test_a_plan_a_first_try_or_a_trip_at_home_refutes_nothing(old: str, new: str) -> None:
    assert relation(old, new) is not C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者從沒出過國", "使用者剛從秘魯旅行回來"),
        ("使用者怕水", "使用者的工作是救生員"),
        ("使用者有懼高症", "使用者每個月都去跳傘"),
        ("使用者是無神論者", "使用者每週日都上教堂做禮拜"),
        ("使用者對狗過敏", "使用者每天抱著自己的柴犬睡覺"),
        ("使用者是國中生", "使用者下個月要退休"),
        ("The user is afraid of heights", "The user loves bungee jumping"),
        ("The user has never been abroad", "The user just got back from a trip abroad"),
    ],
)
def test_what_a_state_rules_out_overturns_it(old: str, new: str) -> None:
    assert relation(old, new) is C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者要參加馬術比賽", "使用者為了馬術比賽每週練兩次"),
        ("使用者打算買房", "使用者在找有電梯的房子"),
        ("The user is getting married in May", "The user is looking for a wedding band"),
    ],
)
@pytest.mark.parametrize("distance", [0.05, 0.2, None])
def test_preparing_for_something_is_news_however_near(old: str, new: str, distance: float | None) -> None:
    assert relation(old, new, distance) is X


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者在讀碩士班", "使用者拿到碩士學位了"),
        ("使用者在練馬拉松", "使用者跑完馬拉松了，不練了"),
        ("The user is studying for the bar exam", "The user passed the bar exam"),
        ("使用者戴牙套", "使用者的牙套拆掉了"),
    ],
)
def test_the_end_of_what_was_under_way_is_no_repetition(old: str, new: str) -> None:
    assert relation(old, new, 0.1) is C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者在公司不喝咖啡", "使用者在家會喝咖啡"),
        ("使用者喜歡喝熱的豆漿", "使用者不喜歡喝冰的豆漿"),
        ("使用者三月剪了頭髮", "使用者預定週六剪頭髮"),
        ("The user got new tires in March", "The user has new tires scheduled for Monday"),
    ],
)
def test_another_setting_opposite_or_time_stands_beside_it(old: str, new: str) -> None:
    assert relation(old, new, 0.1) is X


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者在家排行最小", "使用者是家中老么"),
        ("使用者戒酒五年了", "使用者已經五年沒碰酒"),
        ("The user lost their grandmother in May", "The user's grandma passed away in May"),
        ("The user stopped drinking a year ago", "The user has been sober for a year"),
        ("The user is a seventh grader", "The user is in seventh grade"),
    ],
)
def test_the_same_state_in_other_words_is_known(old: str, new: str) -> None:
    assert relation(old, new, 0.25) is D


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者在郵局上班", "使用者在加油站上班"),
        ("The user works at Initech", "The user works at Globex"),
        ("使用者家裡有三個人", "使用者家有五口人"),
        ("The user is in ninth grade", "The user started tenth grade"),
    ],
)
def test_another_employer_grade_or_household_replaces_the_old_one(old: str, new: str) -> None:
    assert relation(old, new) is C


@given(st.sampled_from(["弟弟", "表姊", "同事"]), DISTANCES)
def test_two_states_of_the_same_relative_exclude_each_other(who: str, distance: float | None) -> None:
    assert relation(f"使用者的{who}單身", f"使用者的{who}交女朋友了", distance) is C
    assert relation(f"使用者的{who}單身", "使用者交女朋友了", distance) is X


def test_nearness_alone_never_retires_anything() -> None:
    for old, new in (("使用者的書架是木頭的", "使用者的書架靠窗"), ("使用者養蜂", "使用者賣蜂蜜")):
        assert relation(old, new, 0.0) is not C


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("使用者吃素", "使用者在喜宴上不小心吃到一口火腿"),
        ("使用者不喝酒", "使用者偶爾在過年喝一杯高粱"),
        ("The user is a vegetarian", "The user accidentally ate some bacon at a buffet"),
    ],
)
def test_a_slip_or_an_exception_retires_no_habit(old: str, new: str) -> None:
    assert relation(old, new) is not C


def test_another_school_replaces_the_old_one() -> None:
    assert relation("使用者的大學是逢甲", "使用者念的是東海大學") is C
