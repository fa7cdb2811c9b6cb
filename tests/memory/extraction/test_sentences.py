from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from memory.extraction.rules import OfflineExtractor
from memory.extraction.types import ExtractionRequest, Fact
from memory.text import fold_same_length
from tests.memory.extraction.scoring import SAID_AT, ask, load, score

HERE = Path(__file__).parent
ROWS: list[dict[str, Any]] = [
    row
    for name in ("sentences.yaml", "sentences_more.yaml", "sentences_daily.yaml")
    for row in load(HERE / name)
]
# What the fixed words of the rules may add to those of the person (and of her question).
TEMPLATES = (
    "使用者的叫希望被做有改期行程取消說是，不養歲生日工作住在老家學校或科系血型對過敏討厭吃喜歡興趣："
    "覺得家寶寶要"
)


def of_language(language: str) -> list[dict[str, Any]]:
    return [row for row in ROWS if row.get("lang", "zh-TW") == language]


def facts_of(row: dict[str, Any]) -> tuple[Fact, ...]:
    return ask(row["say"], row.get("her"), row.get("lang", "zh-TW")).facts


@pytest.mark.parametrize(("language", "least"), [("zh-TW", 200), ("en", 45), ("ja", 28)])
def test_there_are_enough_sentences_and_half_hold_nothing(language: str, least: int) -> None:
    rows = of_language(language)
    empty = sum("none" in row for row in rows)
    assert len(rows) >= least
    assert 0.35 <= empty / len(rows) <= 0.65


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
def test_what_is_found_is_right_and_what_is_there_is_found(language: str) -> None:
    result = score(of_language(language))
    assert result.precision >= 0.95, result.wrong
    assert result.recall >= 0.85, result.wrong


def test_every_sentence_without_a_fact_tells_the_right_cause() -> None:
    result = score([row for row in ROWS if "none" in row])
    assert result.causes_right == result.causes, result.wrong


def test_every_quote_stands_in_its_message() -> None:
    for row in ROWS:
        for fact in facts_of(row):
            assert fact.quote in row["say"]


def test_every_date_phrase_and_outcome_stands_in_its_message() -> None:
    for row in ROWS:
        for fact in facts_of(row):
            assert fact.when_text is None or fact.when_text in row["say"]
            assert fact.outcome is None or fold_same_length(fact.outcome) in fold_same_length(row["say"])


def test_a_chinese_sentence_holds_only_words_of_the_person_and_of_the_templates() -> None:
    for row in of_language("zh-TW"):
        allowed = set(row["say"]) | set(row.get("her", "")) | set(TEMPLATES)
        for fact in facts_of(row):
            assert set(fact.text) - allowed - set("考試") == set(), fact.text


def test_an_english_fact_speaks_of_the_user_and_a_japanese_one_too() -> None:
    for row in of_language("en"):
        assert all("user" in fact.text for fact in facts_of(row))
    for row in of_language("ja"):
        assert all(fact.text.startswith("ユーザー") for fact in facts_of(row))


def test_a_fact_is_kept_in_the_language_it_was_said_in() -> None:
    for language in ("zh-TW", "en", "ja"):
        for row in of_language(language):
            assert all(fact.language == language for fact in facts_of(row))


def test_the_extractor_answers_as_the_rules_do_and_signs_its_name() -> None:
    extractor = OfflineExtractor()
    request = ExtractionRequest(text="我叫小明", said_at=SAID_AT, zone="Asia/Taipei", language="zh-TW")
    answer = asyncio.run(extractor.extract(request))
    assert answer == ask("我叫小明")
    assert answer.extractor == extractor.name == "offline-rules"
