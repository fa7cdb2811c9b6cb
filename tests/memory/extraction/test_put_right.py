from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import Change, ExtractionRequest, Fact


def facts(text: str, language: str = "zh-TW") -> tuple[Fact, ...]:
    said_at = datetime(2026, 9, 12, 20, tzinfo=ZoneInfo("Asia/Taipei"))
    request = ExtractionRequest(text=text, said_at=said_at, zone="Asia/Taipei", language=language)
    return extract_by_rules(request).facts


@pytest.mark.parametrize(
    ("text", "language", "sentence"),
    [
        ("打錯了，不是兔子，是烏龜", "zh-TW", "使用者養的是烏龜，不是兔子"),
        ("更正一下，不是狗，是貓", "zh-TW", "使用者養的是貓，不是狗"),
        ("Oops, I meant I have a parrot, not a dog", "en", "The user has a parrot, not a dog"),
    ],
)
def test_what_was_said_wrong_is_put_right(text: str, language: str, sentence: str) -> None:
    assert [fact.text for fact in facts(text, language)] == [sentence]


@pytest.mark.parametrize("text", ["更正，看牙是下週四才對", "說錯了，不是下週三，是下週四"])
def test_a_date_that_was_said_wrong_moves_its_event(text: str) -> None:
    (fact,) = facts(text)
    assert (fact.change, fact.when_text) == (Change.MOVED, "下週四")


@pytest.mark.parametrize("text", ["I like tea, not coffee", "You are sorry, not me", "你這樣才對"])
def test_a_plain_contrast_puts_nothing_right(text: str) -> None:
    assert all(fact.change is Change.NEW for fact in facts(text, "en"))


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("我轉行當老師了", "job"),
        ("我改當廚師了", "job"),
        ("我轉學到政大了", "school"),
        ("我轉到清大了", "school"),
    ],
)
def test_another_job_or_school_fills_the_slot(text: str, attribute: str) -> None:
    (fact,) = facts(text)
    assert fact.attribute == attribute


def test_only_thinking_of_another_job_is_none() -> None:
    assert all(fact.attribute != "job" for fact in facts("我在考慮轉行當老師"))


@pytest.mark.parametrize(
    ("text", "sentence", "attribute"),
    [
        ("これからは翔ちゃんと呼んでください", "ユーザーの呼び名は翔ちゃん", "nickname"),
        ("名前を翔太に変えました", "ユーザーの名前は翔太", "name"),
        ("転職して、今はデザイナーです", "ユーザーは転職して、今はデザイナーです", "job"),
    ],
)
def test_japanese_names_and_jobs_fill_their_slots(text: str, sentence: str, attribute: str) -> None:
    assert [(fact.text, fact.attribute) for fact in facts(text, "ja")] == [(sentence, attribute)]


def test_being_asked_for_something_is_still_no_fact() -> None:
    assert facts("歌を歌ってください", "ja") == ()


def test_who_is_no_vegetarian_any_more_says_so() -> None:
    assert [fact.text for fact in facts("I'm not a vegetarian anymore", "en")] == [
        "The user is not a vegetarian anymore"
    ]
