from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.relations.rules import OfflineJudge, decide
from memory.relations.types import Relation, Statement

C, D, X = Relation.CONTRADICT, Relation.DUPLICATE, Relation.DIFFERENT

CASES = [
    # the source article's measured pairs
    (C, "使用者叫小明", "使用者叫小華"),
    (X, "使用者討厭香菜", "使用者討厭芹菜"),
    (D, "使用者討厭吃香菜", "使用者不吃香菜"),
    (D, "使用者叫小明", "我叫小明"),
    (C, "使用者最討厭吃香菜", "使用者嘗試了香菜烘焙，發現其實蠻香的"),
    (C, "我最討厭吃香菜", "嘗試了香菜烘焙，發現其實蠻香的"),
    (D, "使用者討厭吃香菜", "香菜我一點都不喜歡"),
    # slots with one value
    (C, "使用者住在基隆", "使用者搬到苗栗了"),
    (D, "使用者的生日是 11 月 2 日", "使用者十一月二號生日"),
    (X, "使用者住在基隆", "使用者的老家在苗栗"),
    (C, "The user lives in Rome", "The user moved to Berlin"),
    (D, "The user was born on May 4", "The user's birthday is May 4th"),
    # stance and object
    (C, "使用者喜歡吃茄子", "使用者覺得茄子很噁心"),
    (X, "使用者討厭茄子", "使用者討厭苦瓜"),
    (X, "使用者愛喝紅茶", "使用者愛吃餅乾"),
    (X, "使用者不喜歡冬天的海邊", "使用者喜歡夏天的海邊"),
    # denial
    (C, "使用者會滑雪", "使用者不會滑雪"),
    (C, "The user can drive", "The user can't drive"),
    # numbers and names
    (C, "使用者有兩個小孩", "使用者有四個小孩"),
    (C, "使用者的妹妹叫佳玲", "使用者的妹妹叫佳蓉"),
    # whose it is
    (X, "使用者的弟弟住在宜蘭", "使用者住在桃園"),
    (X, "使用者的媽媽喜歡喝茶", "使用者不喝茶"),
    (X, "The user's aunt hates cats", "The user loves cats"),
    # additions
    (X, "使用者會彈吉他", "使用者也會拉小提琴"),
    (X, "使用者養了一隻貓", "使用者還養了一隻兔子"),
    # time of life, suppositions, exceptions
    (X, "使用者高中時是籃球校隊", "使用者現在很少打籃球"),
    (X, "使用者住在台南", "使用者說如果中了樂透就搬去東京"),
    (X, "使用者平常不喝酒", "使用者昨天在喜宴喝了一杯紅酒"),
    # happenings
    (C, "使用者下週三要跟朋友聚餐", "使用者下週三的聚餐取消了"),
    (C, "使用者的口試在五月三號", "使用者的口試延到五月十號"),
    (C, "使用者下週二要考試", "使用者的考試延到下週四"),
    (C, "使用者週二要看牙醫", "使用者改約週五看牙醫"),
    (X, "使用者上週去看牙醫", "使用者下個月要看牙醫"),
    (X, "使用者三月五號要看牙醫", "使用者九月八號要看牙醫"),
    (X, "使用者昨天跑了三公里", "使用者今天跑了五公里"),
    # corrections
    (C, "使用者養了一隻貓", "使用者養的不是貓，是狗"),
    (C, "The user has a cat", "It's not a cat, it's a dog"),
    # what cannot both be
    (C, "使用者吃素", "使用者最愛吃牛排，每週都吃"),
    (C, "使用者獨居", "使用者的室友半夜很吵"),
    (C, "使用者是獨生子", "使用者的姊姊下個月結婚"),
    (C, "The user is single", "The user's husband is a cook"),
    # ends
    (C, "使用者在學小提琴", "使用者放棄學小提琴了"),
    (C, "使用者養了一隻叫豆豆的狗", "豆豆上個月過世了"),
    # says less
    (D, "使用者每週二晚上固定打羽球", "使用者有在打羽球"),
    # nothing to do with each other
    (X, "使用者怕高", "使用者的耳機壞了"),
]


@pytest.mark.parametrize(("relation", "old", "new"), CASES)
def test_the_relation_follows_from_structure(relation: Relation, old: str, new: str) -> None:
    verdict = decide(Statement(old), Statement(new))
    assert verdict.relation is relation, verdict.reason


def test_two_visits_on_two_stored_dates_are_two() -> None:
    may, june = datetime(2026, 5, 3, tzinfo=UTC), datetime(2026, 6, 3, tzinfo=UTC)
    old = Statement("使用者要看牙醫", valid_from=may)
    assert decide(old, Statement("使用者要看牙醫", valid_from=june)).relation is X


def test_the_given_subject_wins_over_the_words() -> None:
    old = Statement("住在台北", subject="媽媽")
    assert decide(old, Statement("住在台中", subject="user")).relation is X


SENTENCES = st.sampled_from(
    [old for _, old, _ in CASES] + [new for _, _, new in CASES] + ["", "…", "😀", "I", "使用者"]
)


@given(SENTENCES, st.lists(SENTENCES, max_size=3))
async def test_every_candidate_gets_exactly_one_verdict(new: str, known: list[str]) -> None:
    verdicts = await OfflineJudge().judge(Statement(new), [Statement(text) for text in known])
    assert len(verdicts) == len(known)
    assert all(verdict.reason for verdict in verdicts)


@given(SENTENCES, st.floats(0, 2) | st.none())
def test_saying_it_again_is_always_a_duplicate(text: str, distance: float | None) -> None:
    assert decide(Statement(text, distance=distance), Statement(text)).relation is D


@given(st.text(max_size=40))
def test_any_text_at_all_repeats_itself(text: str) -> None:
    assert decide(Statement(text), Statement(text)).relation is D


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_the_judge(old: str, new: str) -> None:
    assert decide(Statement(old), Statement(new)).relation in Relation


ACTIONS = [
    "喜歡吃茄子",
    "會滑雪",
    "養貓",
    "住在台北",
    "抽菸",
    "有駕照",
    "怕狗",
    "吃牛肉",
    "想去日本",
    "看得懂法文",
]


@given(st.sampled_from(ACTIONS), st.sampled_from(["不", "沒有"]), st.floats(0, 1) | st.none())
def test_a_denial_is_never_a_duplicate(action: str, no: str, distance: float | None) -> None:
    said = Statement(f"使用者{action}", distance=distance)
    denied = Statement(f"使用者{no}{action}", distance=distance)
    assert decide(said, denied).relation is not D
    assert decide(denied, said).relation is not D


@given(st.sampled_from(["爸爸", "妹妹", "室友", "同事"]), st.sampled_from(ACTIONS))
def test_somebody_else_never_overturns_what_is_known_of_the_person(other: str, action: str) -> None:
    verdict = decide(Statement(f"使用者{action}"), Statement(f"使用者的{other}不{action}"))
    assert verdict.relation is X
