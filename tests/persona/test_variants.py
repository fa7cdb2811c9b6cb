"""Choosing words: only what can be filled, no dice, the longest unused first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from persona.script import to_taiwan
from persona.variants import choose, fill

options = st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=6, unique=True)


def test_only_templates_whose_places_are_known_are_filled() -> None:
    assert fill(["嗨", "嗨，{name}", "{other}"], {"name": "小明", "other": ""}) == ["嗨", "嗨，小明"]


@given(options, st.text(max_size=10))
def test_the_choice_is_one_of_the_options_and_always_the_same(words: list[str], seed: str) -> None:
    assert choose(words, seed, []) in words
    assert choose(words, seed, []) == choose(words, seed, [])


def test_every_option_is_used_before_one_comes_back() -> None:
    said: list[str] = []
    for _ in range(4):
        said.append(choose(["甲", "乙", "丙", "丁"], "seed", said) or "")
    assert sorted(said) == sorted(["甲", "乙", "丙", "丁"])


def test_when_all_are_used_the_one_said_longest_ago_comes_back() -> None:
    assert choose(["甲", "乙", "丙"], "x", ["乙", "甲", "丙"]) == "乙"


def test_no_options_give_nothing() -> None:
    assert choose([], "x", []) is None


def test_simplified_sentences_become_taiwanese_and_others_stay() -> None:
    assert to_taiwan("这个软件很好用") == "這個軟體很好用"
    for kept in ("這個軟體很好用", "台灣的公車", "小王说好", "hello", "日本語の会話"):
        assert to_taiwan(kept) == kept


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("这个软件叫 `软件包`，很好用", "這個軟體叫 `软件包`，很好用"),
        ("看这个：\n```py\n变量 = '软件'\n```\n很简单", "看這個：\n```py\n变量 = '软件'\n```\n很簡單"),
        ("你说过「我喜欢这个」，我还记得", "你說過「我喜欢这个」，我還記得"),
        ("链接在 https://例子.cn/软件 这里", "連結在 https://例子.cn/软件 這裡"),
        ("刘伟，这样说对吗", "刘伟，這樣說對嗎"),
        ("「这个软件很好用」", "「這個軟體很好用」"),
        ("`软件`", "`软件`"),
    ],
)
def test_code_links_quotations_and_names_stay_as_they_are(said: str, shown: str) -> None:
    assert to_taiwan(said, ["刘伟"]) == shown


@given(st.text(alphabet="这個软體說说「」『』`<>。 a", max_size=40), st.lists(st.text(max_size=4)))
def test_no_text_is_lost_on_the_way_to_taiwan(text: str, names: list[str]) -> None:
    shown = to_taiwan(text, names)
    assert len(shown) == len(text)
    assert [char for char in shown if not char.isalpha()] == [char for char in text if not char.isalpha()]
