from __future__ import annotations

import pytest

from memory.model import Category
from memory.policy import Thresholds
from memory.relations.gates import gate
from memory.relations.rules import decide
from memory.relations.types import Relation, Statement

ENDED = [
    ("使用者有養兔子，叫雪球", "使用者沒養兔子了"),
    ("使用者在超商打工", "使用者沒在超商做了"),
    ("使用者有在玩原神", "使用者棄原神了"),
    ("使用者念成大資工", "使用者畢業了"),
    ("使用者是做會計的", "使用者轉行去當甜點師傅了"),
    ("使用者一個人在台北住", "使用者辭職之後就回老家住了"),
    ("使用者禮拜一三五會去重訓", "使用者重訓改成二四六了"),
    ("使用者開一台Mazda 3上班", "使用者把車子報廢了"),
    ("使用者早上都不吃東西", "使用者早上都會吃個吐司"),
    ("使用者習慣早上不吃早餐", "使用者現在都會吃早餐"),
    ("使用者超討厭香菜", "使用者現在沒那麼討厭香菜"),
    ("使用者最愛吃麻辣鍋", "使用者現在覺得麻辣鍋還好"),
    ("使用者咖啡不敢喝", "使用者現在能喝咖啡"),
    ("使用者最喜歡的季節是夏天", "使用者改喜歡秋天"),
    ("使用者最愛蝦子", "使用者開始對蝦子過敏了"),
    ("使用者腳骨折了", "使用者可以走路了"),
    ("使用者要去沖繩玩", "使用者的沖繩行取消了"),
    ("The user is a nurse", "The user quit nursing"),
    ("The user can't stand mushrooms", "The user thinks mushrooms are not that bad anymore"),
    ("ユーザーは納豆が苦手", "ユーザーは納豆、最近食べられるようになった"),
]
KEPT = [
    ("使用者喜歡彈鋼琴", "使用者把鋼琴送給表妹了"),
    ("使用者在學鋼琴", "使用者把鋼琴送給表妹了"),
    ("使用者買了一台Switch", "使用者把機車賣掉了"),
    ("使用者的老家在屏東", "使用者辭職之後就回老家住了"),
    ("使用者一個人在台北住", "使用者過年回老家住了幾天"),
    ("使用者的體重82公斤", "使用者目標是瘦到75"),
    ("使用者最喜歡的水果是荔枝", "使用者現在最愛漢堡"),
    ("使用者早餐不吃蛋", "使用者早上會吃吐司"),
    ("使用者感冒了", "使用者可以走路了"),
    ("使用者念研究所", "使用者高中畢業了"),
    ("使用者希望可以準時畢業", "使用者畢業了"),
    ("使用者是工程師", "The user quit nursing"),
]


@pytest.mark.parametrize(("old", "new"), ENDED)
def test_what_ends_it_in_other_words_overturns_it(old: str, new: str) -> None:
    assert decide(Statement(old), Statement(new)).relation is Relation.CONTRADICT


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_what_ends_something_else_leaves_it_be(old: str, new: str) -> None:
    assert decide(Statement(old), Statement(new)).relation is Relation.DIFFERENT


THRESHOLDS = Thresholds(0.1, 0.3, 0.5, "for these tests")
FAR = (Statement("使用者是做會計的", category=Category.IDENTITY, distance=0.9),)


def test_a_change_is_compared_with_what_it_ends_however_far_apart_the_two_are() -> None:
    new = Statement("使用者轉行去當甜點師傅了", category=Category.HABIT)
    assert gate(new, FAR, THRESHOLDS).candidates == (0,)


def test_what_changes_nothing_is_not_compared_with_what_is_far() -> None:
    new = Statement("使用者喜歡甜點師傅", category=Category.PREFERENCE)
    assert gate(new, FAR, THRESHOLDS).candidates == ()
