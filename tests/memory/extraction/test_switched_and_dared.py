"""What is switched, dared, left out of its clause, or done beside the main job: each as a kind."""

from __future__ import annotations

import pytest

from tests.memory.extraction.scoring import ask


@pytest.mark.parametrize(
    ("say", "category", "text"),
    [
        ("其實秋葵蠻好吃的", "preference", "使用者覺得秋葵蠻好吃的"),
        ("沒想到芹菜沒那麼難吃", "preference", "使用者覺得"),
        ("我不太敢吃芒果", "preference", "不太敢吃芒果"),
        ("我不大敢喝咖啡", "preference", "不大敢喝咖啡"),
        ("我不太能吃辣", "preference", "不太能吃辣"),
        ("我吃不了香菜", "preference", "吃不了香菜"),
        ("我現在敢吃羊肉了", "preference", "敢吃羊肉"),
        ("羊肉我現在敢吃了", "preference", "使用者現在敢吃羊肉"),
        ("我看鬼片會做惡夢，所以不敢看", "preference", "使用者不敢看鬼片"),
        ("我換成小米了", "other", "換成小米"),
        ("我手機換三星了", "other", "換三星"),
        ("我騎 Vespa 上班", "habit", "Vespa上班"),
        ("我改搭公車", "habit", "改搭公車"),
        ("我又開始打羽球了", "habit", "又開始打羽球"),
        ("週末在花店兼差", "identity", "在花店兼差"),
        ("我家在羅東", "identity", "使用者家在羅東"),
        ("我在家顧小孩", "identity", "在家顧小孩"),
        ("妳好，我是雅婷", "name", "使用者叫雅婷"),
    ],
)
def test_it_is_found(say: str, category: str, text: str) -> None:
    facts = ask(say).facts
    assert any(fact.category.value == category and text in fact.text for fact in facts), facts


@pytest.mark.parametrize(
    "say",
    [
        "這家店其實很好吃",
        "晚餐其實不錯吃",
        "終於可以吃飯了",
        "我換成早班了",
        "哈囉，我是社畜",
        "夏天每天都吃",
        "我今天吃不了那麼多",
    ],
)
def test_chat_that_looks_like_it_is_not(say: str) -> None:
    assert ask(say).facts == ()
