"""What is no fact, and why."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.extraction.clauses import split_clauses
from memory.extraction.screens import is_crisis, worth_a_model_call, zero_cause
from memory.extraction.types import ExtractionRequest, ZeroCause
from tests.memory.extraction.scoring import SAID_AT, ask


def worth(text: str, her: str | None = None) -> bool:
    return worth_a_model_call(
        ExtractionRequest(text=text, said_at=SAID_AT, zone="Asia/Taipei", language="zh-TW", her_last_turn=her)
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", ZeroCause.EMPTY),
        ("  \n", ZeroCause.EMPTY),
        ("早啊", ZeroCause.SMALL_TALK),
        ("🥺🥺", ZeroCause.SMALL_TALK),
        ("……", ZeroCause.SMALL_TALK),
        ("我幾歲？", ZeroCause.QUESTION),
        ("要是我有一棟房子就好了", ZeroCause.HYPOTHETICAL),
        ("她說她住在台東", ZeroCause.QUOTED),
        ("> 我住在台東", ZeroCause.QUOTED),
        ("我結婚了，開玩笑的啦", ZeroCause.JOKE),
        ("唱首歌給我聽", ZeroCause.COMMAND),
        ("不想活了", ZeroCause.CRISIS),
        ("路上車好多", ZeroCause.NOTHING_TO_KEEP),
    ],
)
def test_a_message_without_a_fact_has_its_cause(text: str, cause: ZeroCause) -> None:
    answer = ask(text)
    assert answer.facts == ()
    assert answer.cause is cause


@pytest.mark.parametrize(
    "text",
    [
        "我不想活了",
        "好想死",
        "想自殺",
        "活不下去了",
        "我想結束生命",
        "I want to kill myself",
        "I wanna die",
        "死にたい",
    ],
)
def test_words_of_ending_ones_life_are_a_crisis_and_give_no_fact(text: str) -> None:
    assert is_crisis(text)
    answer = ask(f"我叫小明。{text}")
    assert answer.facts == ()
    assert answer.cause is ZeroCause.CRISIS


@pytest.mark.parametrize(
    "text",
    [
        "笑死",
        "累死了",
        "想死你了",
        "熱到想死",
        "尷尬到想死",
        "主角最後自殺了",
        "愛死這家店了",
        "dying of laughter",
        "餓死",
    ],
)
def test_hyperbole_and_fiction_are_no_crisis(text: str) -> None:
    assert not is_crisis(text)


def test_a_question_after_a_fact_takes_nothing_from_it() -> None:
    assert [fact.when_text for fact in ask("我下週要考試，怎麼辦？").facts] == ["下週"]


def test_a_joke_takes_back_only_what_came_before_it() -> None:
    facts = ask("我是外星人，開玩笑的，其實我是學生").facts
    assert [fact.text for fact in facts] == ["使用者是學生"]


def test_denying_a_joke_keeps_the_fact() -> None:
    assert [fact.text for fact in ask("我養了一隻蛇，沒在開玩笑").facts] == ["使用者養了一隻蛇"]


def test_a_hypothetical_colours_the_rest_of_its_sentence_only() -> None:
    facts = ask("如果我有錢，我要買車。我住在宜蘭").facts
    assert [fact.text for fact in facts] == ["使用者住在宜蘭"]


def test_what_others_say_is_not_the_persons_until_they_speak_for_themselves() -> None:
    facts = ask("我媽說我很懶，但我每天都運動一小時").facts
    assert [fact.text for fact in facts] == ["使用者每天都運動一小時"]


def test_a_name_in_quotation_marks_is_a_name() -> None:
    assert ask("我叫「雨潔」").facts[0].text == "使用者叫雨潔"


@pytest.mark.parametrize(
    "text", ["早安", "哈哈哈", "你喜歡什麼？", "幫我寫作業", "😂", "", "我不想活了", "如果我是貓就好了"]
)
def test_small_talk_and_pure_questions_are_not_worth_a_model_call(text: str) -> None:
    assert not worth(text)


@pytest.mark.parametrize(
    "text", ["我最近開始養魚", "昨天跟阿哲吵架了", "小明", "我那個下週的口試要穿什麼？", "I moved last month"]
)
def test_what_may_hold_a_fact_is_worth_a_call(text: str) -> None:
    assert worth(text)


def test_a_wall_of_text_is_left_to_the_model() -> None:
    wall = "我跟你說我最近的生活真的是" + "非常精彩又充實" * 40
    assert ask(wall).cause is ZeroCause.NOTHING_TO_KEEP
    assert worth(wall)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="我你叫小明要考試了嗎？！，。「」 \n下週二喜歡不討厭貓abcI'm .,?>…", max_size=40))
def test_every_empty_extraction_has_a_cause_and_every_full_one_none(text: str) -> None:
    answer = ask(text)
    assert (answer.cause is None) == bool(answer.facts)
    assert all(fact.quote and fact.quote in text for fact in answer.facts)
    assert all(fact.text and "\n" not in fact.text for fact in answer.facts)
    if not answer.facts:
        assert zero_cause(text) is answer.cause


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_a_clause_is_a_stretch_of_its_message(text: str) -> None:
    for clause in split_clauses(text):
        assert text[clause.start : clause.end] == clause.text
        assert len(clause.folded) == len(clause.text)


@pytest.mark.parametrize(
    "text",
    [
        "我" + "一直都" * 40,
        "我" + "已經就快剛滿" * 40,
        "哈" * 60 + "x",
        "i " + "really just also " * 60,
        "其實好還蠻" * 60,
        "我喜歡" * 300,
    ],
)
def test_a_pasted_wall_of_words_is_read_at_once(text: str) -> None:
    ask("我喜歡貓")  # the tables are read once
    before = perf_counter()
    ask(text)
    assert perf_counter() - before < 3
