from __future__ import annotations

import pytest

from memory.model import Category
from tests.memory.extraction.test_put_right import facts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("我養了兩隻兔子，一隻叫花生一隻叫芝麻", ("花生", "芝麻")),
        ("我養了兩隻烏龜，一隻叫石頭，另一隻叫木頭", ("石頭", "木頭")),
        ("我有三隻倉鼠，分別叫瓜子、杏仁和核桃", ("瓜子", "杏仁", "核桃")),
        ("我有兩個弟弟，一個叫阿宏一個叫阿偉", ("阿宏", "阿偉")),
    ],
)
def test_the_names_of_several_are_kept(text: str, names: tuple[str, ...]) -> None:
    (fact,) = facts(text)
    assert all(name in fact.text for name in names)
    assert fact.quote in text


@pytest.mark.parametrize("text", ["房東一直漲房租，氣死了", "我室友半夜唱歌，吵死了", "我哥囉嗦死了"])
def test_a_complaint_about_somebody_says_nothing_of_who_they_are(text: str) -> None:
    assert all(fact.category is not Category.IDENTITY for fact in facts(text))


@pytest.mark.parametrize("text", ["我家的兔子上週病死了", "我的狗死了"])
def test_a_death_is_still_told_by_the_same_word(text: str) -> None:
    (fact,) = facts(text)
    assert fact.sensitive


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("你可以叫我柚柚", "zh-TW", "柚柚"),
        ("叫我阿哲就好", "zh-TW", "阿哲"),
        ("you can call me Nono", "en", "Nono"),
    ],
)
def test_what_somebody_may_be_called_is_a_name(text: str, language: str, name: str) -> None:
    (fact,) = facts(text, language)
    assert fact.category is Category.NAME
    assert name in fact.text
