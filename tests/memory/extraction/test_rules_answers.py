"""Answers read with her last turn."""

from __future__ import annotations

import pytest

from memory.extraction.types import Change
from memory.model import Category
from tests.memory.extraction.scoring import ask


@pytest.mark.parametrize(
    ("her", "said", "text", "category"),
    [
        ("你叫什麼？", "小明", "使用者叫小明", Category.NAME),
        ("哼，你叫什麼名字啦！", "我叫小明啦", "使用者叫小明", Category.NAME),
        ("你幾歲？", "22", "使用者22歲", Category.IDENTITY),
        ("你住哪裡？", "台中", "使用者住在台中", Category.IDENTITY),
        ("你討厭吃什麼？", "香菜", "使用者討厭吃香菜", Category.PREFERENCE),
        ("你有什麼興趣？", "爬山", "使用者的興趣是爬山", Category.HOBBY),
        ("你生日什麼時候？", "3月5號", "使用者的生日是3月5號", Category.IDENTITY),
    ],
)
def test_a_bare_answer_is_read_by_her_question(her: str, said: str, text: str, category: Category) -> None:
    fact = ask(said, her).facts[0]
    assert (fact.text, fact.category) == (text, category)
    assert fact.quote in said


@pytest.mark.parametrize("said", ["小明", "22", "香菜"])
def test_without_her_question_a_bare_word_says_nothing(said: str) -> None:
    assert ask(said).facts == ()
    assert ask(said, "嗯嗯，這樣啊。").facts == ()


@pytest.mark.parametrize("said", ["不告訴你", "秘密", "你猜", "忘了", "為什麼要問", "嗯", "哈哈"])
def test_an_evasion_is_no_answer(said: str) -> None:
    assert ask(said, "你叫什麼名字？").facts == ()


def test_an_answer_that_does_not_fit_the_question_is_none() -> None:
    assert ask("香菜", "你幾歲？").facts == ()


def test_the_outcome_of_the_event_she_asked_about_is_told() -> None:
    fact = ask("爆了啦", "期末考怎麼樣？").facts[0]
    assert (fact.change, fact.outcome, fact.category) == (Change.DONE, "爆了", Category.SCHEDULE)


@pytest.mark.parametrize(
    ("her", "said", "text"),
    [
        ("你家的貓還好嗎？", "不是貓，是狗", "使用者養的是狗，不是貓"),
        ("你叫志明對吧？", "不是志明，是志強", "使用者叫志強，不是志明"),
        ("你住台北對不對？", "不是台北，是台中", "使用者住在台中，不是台北"),
    ],
)
def test_a_correction_puts_right_what_she_said(her: str, said: str, text: str) -> None:
    assert [fact.text for fact in ask(said, her).facts] == [text]


def test_a_corrected_day_moves_the_event_she_named() -> None:
    fact = ask("不是週二，是週三", "你週二要考試對吧？").facts[0]
    assert (fact.change, fact.when_text) == (Change.MOVED, "週三")


def test_a_correction_of_nothing_she_said_is_no_fact() -> None:
    assert ask("不是紅色，是藍色").facts == ()


def test_her_words_are_never_the_source() -> None:
    for her in ("我最喜歡草莓了！你呢？", "你下週要考試對吧？我記得你叫小明。"):
        for said in ("嗯嗯", "對啊", "哈哈"):
            assert ask(said, her).facts == ()
