from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.wording import language_of, plain_text

HER = frozenset({42, 43})


def read(raw: str) -> str:
    return plain_text(raw, her_ids=HER, her_name="莉莉", names={7: "小美", 9: "閒聊"}, zone="Asia/Taipei")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<@42> 我下週二有考試", "我下週二有考試"),
        ("<@!42>，你好", "你好"),
        ("早安 <@42>", "早安"),
        ("<@42> <@&43> 在嗎", "在嗎"),
        ("你覺得 <@42> 可愛嗎", "你覺得 @莉莉 可愛嗎"),
        ("<@42>", "莉莉"),
        ("  <@42>  ", "莉莉"),
        ("<@7> 也喜歡貓", "@小美 也喜歡貓"),
        ("<@8> 是誰", "@? 是誰"),
        ("去 <#9> 看 <:lily:123456>", "去 #閒聊 看 :lily:"),
        ("</memory list:55> 怎麼用", "/memory list 怎麼用"),
        ("<t:1789000000:D> 見", "2026-09-10 見"),
        ("<t:1789000000> 見", "2026-09-10 08:26 見"),
        ("<t:999999999999:F>", ""),
        ("", ""),
        ("第一行\n第二行", "第一行\n第二行"),
        ("，這樣喔", "，這樣喔"),
    ],
)
def test_a_message_is_read_without_markup(raw: str, text: str) -> None:
    assert read(raw) == text


@given(st.text(max_size=80), st.sampled_from(["<@42>", "<@!42>", "<@&43>"]))
def test_no_mention_of_her_and_no_mark_stays_in_a_message(said: str, mention: str) -> None:
    text = read(f"{mention} {said} {mention}")
    assert mention not in text
    assert "\x00" not in text
    assert text


@pytest.mark.parametrize(
    ("text", "default", "language"),
    [
        ("我下週二有考試", "zh-TW", "zh-TW"),
        ("我下週二有考試", "en", "zh-TW"),
        ("明日は試験です", "zh-TW", "ja"),
        ("了解", "ja", "ja"),
        ("I have an exam", "zh-TW", "en"),
        ("I'm vegetarian", "zh-TW", "en"),
        ("XDDD", "zh-TW", "zh-TW"),
        ("😂", "ja", "ja"),
        ("123", "zh-TW", "zh-TW"),
        ("我在用 Python", "zh-TW", "zh-TW"),
    ],
)
def test_the_language_of_a_message_is_told_by_its_script(text: str, default: str, language: str) -> None:
    assert language_of(text, default) == language
