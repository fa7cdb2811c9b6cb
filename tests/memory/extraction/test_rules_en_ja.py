"""The English and Japanese rules."""

from __future__ import annotations

import pytest

from memory.extraction.types import Change
from memory.model import Category
from tests.memory.extraction.scoring import ask


@pytest.mark.parametrize(
    ("said", "text", "category"),
    [
        ("My name is Grace", "The user's name is Grace", Category.NAME),
        ("call me Ben", "The user wants to be called Ben", Category.NAME),
        ("I'm Olivia", "The user's name is Olivia", Category.NAME),
        ("I live in Taipei", "The user lives in Taipei", Category.IDENTITY),
        ("I'm allergic to cats", "The user is allergic to cats", Category.IDENTITY),
        ("My brother is a chef", "The user's brother is a chef", Category.IDENTITY),
        ("I hate coriander", "The user hates coriander", Category.PREFERENCE),
        ("I don't like crowds", "The user does not like crowds", Category.PREFERENCE),
        (
            "I always walk my dog before breakfast",
            "The user always walk their dog before breakfast",
            Category.HABIT,
        ),
        ("I'm learning the cello", "The user is learning the cello", Category.HOBBY),
        ("I have a dentist appointment tomorrow", "The user has a dentist appointment", Category.SCHEDULE),
    ],
)
def test_an_english_fact_becomes_a_sentence_about_the_user(said: str, text: str, category: Category) -> None:
    fact = ask(said, language="en").facts[0]
    assert (fact.category, fact.language) == (category, "en")
    assert fact.text.lower().replace("walks", "walk") == text.lower()


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("The exam was postponed to Friday", Change.MOVED),
        ("my interview got cancelled", Change.CANCELLED),
        ("The surgery is finally over", Change.DONE),
        ("I have a concert next week", Change.NEW),
    ],
)
def test_an_english_change_of_an_event_is_told(said: str, change: Change) -> None:
    assert ask(said, language="en").facts[0].change is change


@pytest.mark.parametrize("said", ["I'm tired", "I'm so hungry", "I'm fine", "i'm back", "I'm Not Sure"])
def test_a_mood_is_no_english_name(said: str) -> None:
    assert all(fact.category is not Category.NAME for fact in ask(said, language="en").facts)


@pytest.mark.parametrize(
    ("said", "text", "category"),
    [
        ("私は鈴木です", "ユーザーの名前は鈴木", Category.NAME),
        ("京都に住んでいます", "ユーザーは京都に住んでいます", Category.IDENTITY),
        ("私はトマトが嫌いです", "ユーザーはトマトが嫌いです", Category.PREFERENCE),
        ("趣味は読書です", "ユーザーの趣味は読書です", Category.HOBBY),
        ("毎朝コーヒーを飲む", "ユーザーは毎朝コーヒーを飲む", Category.HABIT),
        ("明日面接があります", "ユーザーは面接があります", Category.SCHEDULE),
    ],
)
def test_a_japanese_fact_becomes_a_sentence_about_the_user(said: str, text: str, category: Category) -> None:
    fact = ask(said, language="ja").facts[0]
    assert (fact.text, fact.category, fact.language) == (text, category, "ja")


@pytest.mark.parametrize("said", ["私は学生です", "私は元気です", "私は猫派です"])
def test_what_somebody_is_is_no_japanese_name(said: str) -> None:
    assert all(fact.category is not Category.NAME for fact in ask(said, language="ja").facts)


def test_a_moved_english_event_ends_without_a_dangling_word() -> None:
    fact = ask("The interview got moved to Monday", language="en").facts[0]
    assert (fact.text, fact.when_text) == ("The user's interview got moved", "Monday")
