from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.splitting import LIMIT, can_divide, join, length, split

FAMILY = "👩‍👩‍👧‍👦"
PIECES = [
    "今天考試考完了，", "我真的好累。", "\n", "\n\n", "hello world ", "！", "……", "、", "；", " ",
    FAMILY, "👍🏽", "🇹🇼🇯🇵", "e\u0301", "<@123456789012345678>", "<@&42>", "<#77>", "<t:1789000000:R>",
    "<:lily:123456789012345678>", "[甜點店](https://example.com/a_(b)?x=1)", "`code span`", "```",
    "https://example.com/a/b?c=d ", "```py\nprint('hi')\n```\n", "```\nplain\n```",
    "</memory list:123>", "a" * 30, "長" * 50,
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(max_size=400)


@given(TEXTS, st.integers(40, 200))
def test_joining_loses_nothing_whatever_was_split(text: str, limit: int) -> None:
    assert join(split(text, limit)) == text


@given(TEXTS, st.integers(40, 200))
def test_no_part_is_longer_than_the_limit_or_without_a_body(text: str, limit: int) -> None:
    for part in split(text, limit):
        assert length(part.shown) <= limit
        assert part.body


WHOLE = [
    FAMILY, "👍🏽", "🇹🇼", "<@123456789012345678>", "<t:1789000000:R>", "<:lily:123456789012345678>",
    "[甜點店](https://example.com/a_(b)?x=1)", "https://example.com/a/b?c=d", "`code span here`",
    "</memory list:123>",
]  # fmt: skip


@given(st.sampled_from(WHOLE), st.integers(0, 90), st.integers(0, 90), st.integers(60, 100))
def test_what_is_whole_stays_in_one_part(whole: str, before: int, after: int, limit: int) -> None:
    text = "字" * before + " " + whole + " " + "字" * after
    assert sum(whole in part.body for part in split(text, limit)) == 1


@given(st.integers(0, 120), st.integers(1, 12))
def test_a_code_block_that_fits_a_part_is_never_cut(before: int, lines: int) -> None:
    block = "```py\n" + "x = 1\n" * lines + "```"
    text = "字" * before + "\n" + block + "\n後面"
    parts = split(text, 100)
    assert sum(block in part.body for part in parts) == 1
    assert not any(part.opening or part.closing for part in parts)


def test_a_code_block_longer_than_a_part_is_closed_and_opened_again() -> None:
    block = "```py\n" + "".join(f"line_{number} = {number}\n" for number in range(300)) + "```"
    parts = split(f"看這個：\n{block}\n好了。")
    assert len(parts) > 2
    assert all(part.shown.count("```") % 2 == 0 for part in parts)
    assert all(part.opening == "```py\n" for part in parts[2:-1])
    shown = "".join(re.sub(r"```(py)?\n?", "", part.shown) for part in parts)
    assert all(f"line_{number} = {number}\n" in shown + "\n" for number in range(300))


@given(st.text(alphabet="ab字\u200d\ufe0f\u0301👩🏽🇹🇼\r\n", min_size=41, max_size=200))
def test_a_cut_divides_no_joined_characters_where_another_cut_is_possible(text: str) -> None:
    at = 0
    for part in split(text, 40)[:-1]:
        start, at = at, at + len(part.body)
        if any(can_divide(text, cut) for cut in range(start + 1, at + 1)):
            assert can_divide(text, at)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("一" * 30 + "\n\n" + "二" * 30, "一" * 30 + "\n\n"),
        ("一" * 30 + "\n" + "二" * 30, "一" * 30 + "\n"),
        ("一" * 20 + "。" + "二" * 10 + "，" + "三" * 30, "一" * 20 + "。"),
        ("一" * 20 + "，" + "二" * 30, "一" * 20 + "，"),
        ("一" * 20 + "！」" + "二" * 30, "一" * 20 + "！」"),
        ("word " * 12, "word " * 8),
        ("一" * 60, "一" * 40),
    ],
)
def test_a_text_is_cut_at_the_strongest_pause(text: str, first: str) -> None:
    assert split(text, 40)[0].body == first


def test_a_short_reply_is_one_part_as_it_is() -> None:
    assert [part.shown for part in split("哼，知道了。")] == ["哼，知道了。"]
    assert split("") == ()


def test_emoji_count_as_the_strictest_counter_counts_them() -> None:
    assert all(length(part.shown) <= LIMIT for part in split("😀" * 3000))
