"""Who or what was brought up is named in the next breath; what is liked may stand in front."""

from __future__ import annotations

import pytest

from memory.extraction.types import Fact
from memory.model import Category
from tests.memory.extraction.scoring import ask


def facts(text: str) -> tuple[Fact, ...]:
    return ask(text).facts


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("我養了一隻橘貓，叫麻糬", "使用者養了一隻橘貓，叫麻糬"),
        ("我養了一隻橘貓，牠叫麻糬", "使用者養了一隻橘貓，叫麻糬"),
        ("我養了一隻橘貓。牠叫麻糬", "使用者養了一隻橘貓，叫麻糬"),
        ("我有個妹妹，叫小雨", "使用者有個妹妹，叫小雨"),
        ("我有一個哥哥，名字叫阿德", "使用者有一個哥哥，名字叫阿德"),
        ("我有個好朋友，叫阿哲", "使用者有個好朋友，叫阿哲"),
    ],
)
def test_the_name_belongs_to_who_was_brought_up(text: str, sentence: str) -> None:
    (fact,) = facts(text)
    assert (fact.text, fact.category) == (sentence, Category.IDENTITY)
    assert fact.attribute != "name"
    assert fact.quote in text


@pytest.mark.parametrize("text", ["我養了貓，叫聲很可愛", "我有個妹妹，叫我去買飯", "我有個妹妹，很可愛"])
def test_what_is_no_name_names_nobody(text: str) -> None:
    assert Category.NAME not in {fact.category for fact in facts(text)}


def test_a_new_sentence_without_a_pronoun_is_about_the_person() -> None:
    assert [fact.attribute for fact in facts("我有個妹妹。叫我小雨就好")][1:] == ["nickname"]


@pytest.mark.parametrize(
    ("text", "sentence", "attribute"),
    [
        ("香菜我一點都不喜歡", "使用者一點都不喜歡香菜", "food:香菜"),
        ("香菜我不喜歡", "使用者不喜歡香菜", "food:香菜"),
        ("咖啡我超愛", "使用者超愛咖啡", "drink:咖啡"),
        ("苦瓜我從來不吃", "使用者從來不吃苦瓜", "food:苦瓜"),
    ],
)
def test_what_stands_in_front_is_what_is_liked_or_not(text: str, sentence: str, attribute: str) -> None:
    (fact,) = facts(text)
    assert (fact.text, fact.category, fact.attribute) == (sentence, Category.PREFERENCE, attribute)


@pytest.mark.parametrize("text", ["貓真的很可愛", "這個我不喜歡", "因為我喜歡你"])
def test_a_compliment_or_a_pronoun_is_no_taste(text: str) -> None:
    assert facts(text) == ()


def test_an_exam_without_a_subject_is_still_called_one() -> None:
    (fact,) = facts("明天就要考了，我還沒讀完")
    assert (fact.text, fact.when_text) == ("使用者要考試", "明天")


def test_where_somebody_studies_does_not_hide_the_year() -> None:
    assert "使用者在台中念大三" in [fact.text for fact in facts("我叫小安，在台中念大三")]
