from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.lexical import (
    LexicalIndex,
    content_terms,
    embedding_text,
    is_bare_question,
    lexical_scores,
    stem,
)

FACTS = [
    "使用者養了一隻橘貓",
    "使用者討厭吃香菜",
    "使用者週末常去爬山",
    "The user plays badminton on Sundays",
]


@pytest.mark.parametrize(
    ("query", "found"),
    [("我有討厭吃的東西嗎", 1), ("週末要幹嘛", 2), ("橘貓還好嗎", 0), ("who wants to play badminton?", 3)],
)
def test_the_sentence_with_the_asked_words_scores_best(query: str, found: int) -> None:
    scores = lexical_scores(query, FACTS)
    assert scores[found] == 1.0
    assert max(scores[:found] + scores[found + 1 :], default=0.0) < 1.0


@pytest.mark.parametrize("query", ["我讨厌吃什么", "我討厭吃什麼"])
def test_both_scripts_find_the_same(query: str) -> None:
    assert lexical_scores(query, ["使用者討厭吃香菜", "使用者讨厌吃香菜"]) == [1.0, 1.0]


def test_filler_alone_finds_nothing() -> None:
    assert lexical_scores("你還記得我嗎", FACTS) == [0.0] * 4
    assert lexical_scores("do you know what I have", FACTS) == [0.0] * 4


def test_a_rare_word_outweighs_a_common_one() -> None:
    texts = ["使用者喜歡爬山", "使用者喜歡看書", "使用者喜歡烏龍茶"]
    scores = lexical_scores("喜歡烏龍茶", texts)
    assert scores[2] == 1.0
    assert scores[0] < 0.5


def test_no_texts_give_no_scores() -> None:
    assert lexical_scores("烏龍茶", []) == []


@pytest.mark.parametrize(
    "family",
    [("dance", "dancing", "danced", "dances"), ("study", "studies", "studied"), ("stop", "stopped", "stops")],
)
def test_english_endings_meet_in_one_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_numbers_are_never_cut() -> None:
    assert stem("20260915") == "20260915"


def test_japanese_endings_in_kana_are_no_topic() -> None:
    assert content_terms("テストがありました") == content_terms("テストが")


@given(st.lists(st.text(alphabet="香菜貓山茶書 ab12\x00\n", max_size=12), max_size=8), st.text(max_size=8))
def test_scores_lie_between_zero_and_one_one_for_each_text(texts: list[str], query: str) -> None:
    scores = lexical_scores(query, texts)
    assert len(scores) == len(texts)
    assert all(0 <= score <= 1 for score in scores)


@given(
    st.lists(st.text(alphabet="香菜貓山茶書喜歡ab ", max_size=12), max_size=8),
    st.text("香菜貓山茶ab", max_size=6),
)
def test_an_index_for_one_query_scores_as_one_for_all(texts: list[str], query: str) -> None:
    assert lexical_scores(query, texts) == LexicalIndex(texts).scores(query)


@pytest.mark.parametrize(
    "text",
    [
        "我說了什麼",
        "我们聊了哪些话题呢？",
        "有什麼事要做",
        "what did I tell you?",
        "何を言ったか覚えてる？",
        "",
    ],
)
def test_a_question_about_a_time_alone_names_nothing(text: str) -> None:
    assert is_bare_question(text)


@pytest.mark.parametrize(
    "text", ["我跑了多久", "考試考完了", "what did I say about the exam", "試験はどうだった"]
)
def test_a_question_with_a_topic_names_something(text: str) -> None:
    assert not is_bare_question(text)


@pytest.mark.parametrize(
    ("stored", "embedded"),
    [
        ("使用者討厭吃香菜", "我討厭吃香菜"),
        ("小美是用户的朋友", "小美是我的朋友"),
        ("使用者是使用者介面設計師", "我是使用者介面設計師"),
        ("The user's sister is called Mei", "my sister is called Mei"),
        ("User likes user interfaces", "I likes user interfaces"),
        ("ユーザーは猫を飼っている", "私は猫を飼っている"),
    ],
)
def test_a_stored_sentence_is_embedded_as_the_person_would_say_it(stored: str, embedded: str) -> None:
    assert embedding_text(stored) == embedded
