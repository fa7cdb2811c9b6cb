from __future__ import annotations

import pytest

from tests.memory.extraction.test_put_right import facts


@pytest.mark.parametrize(
    ("text", "language", "sentence", "when"),
    [
        ("我姊後天要搬家", "zh-TW", "使用者的姊姊要搬家", "後天"),
        ("哥哥下週一要入伍", "zh-TW", "使用者的哥哥要入伍", "下週一"),
        ("I moved to Kaohsiung yesterday", "en", "The user moved to Kaohsiung", "yesterday"),
        ("my brother has a test next week", "en", "The user's brother has a test", "next week"),
        ("My dad is having surgery tomorrow", "en", "The user's dad is having surgery", "tomorrow"),
    ],
)
def test_a_sentence_with_a_date_beside_it_names_no_day_from_now(
    text: str, language: str, sentence: str, when: str
) -> None:
    (fact,) = facts(text, language)
    assert (fact.text, fact.when_text) == (sentence, when)
