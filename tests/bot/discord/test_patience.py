"""How long she waits for the rest of what somebody says: enough for a burst, little for a question."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.patience import LONG, Wait, Why, wait_for_more
from bot.settings.sections import DiscordSettings
from tests.bot.discord.harness import SOON, answer_to, online, town

BOUNDS = DiscordSettings()
LEAST, MOST = BOUNDS.merge_window_least_seconds, BOUNDS.merge_window_seconds


def wait(*said: str) -> Wait:
    return wait_for_more(said, least=LEAST, most=MOST)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("你知道我對什麼過敏嗎？", Why.ASKED),
        ("在嗎", Why.ASKED),
        ("你覺得呢", Why.ASKED),
        ("what time is it", Why.ASKED),
        ("can you help me", Why.ASKED),
        ("元気ですか", Why.ASKED),
        ("今天終於考完了。", Why.ENDED),
        ("I passed!", Why.ENDED),
        ("好累喔", Why.ENDED),
        ("考完了", Why.ENDED),
        ("疲れました", Why.ENDED),
        ("欸", Why.GOES_ON),
        ("我跟你說", Why.GOES_ON),
        ("hey", Why.GOES_ON),
        ("今天去面試，", Why.GOES_ON),
        ("嗯...", Why.GOES_ON),
        ("結果我忘了然後", Why.GOES_ON),
        ("", Why.GOES_ON),
        ("我下週二有期末考", Why.OPEN),
        ("https://example.org/a", Why.OPEN),
        ("話" * LONG, Why.LONG),
    ],
)
def test_a_message_is_waited_for_by_how_it_ends(said: str, why: Why) -> None:
    assert wait(said).why is why


def test_a_question_waits_least_and_an_opener_most() -> None:
    assert wait("你記得我嗎？").seconds == LEAST
    assert wait("欸").seconds == MOST
    assert LEAST < wait("我下週二有期末考").seconds < MOST


def test_in_a_burst_a_full_stop_ends_nothing_and_a_question_does() -> None:
    assert wait("欸", "我考完了。") == Wait(MOST, Why.BURST)
    assert wait("欸", "我考完了。", "你要聽嗎？") == Wait(LEAST, Why.ASKED)


def test_plain_single_questions_wait_well_below_a_second() -> None:
    asked = [
        "你還記得我叫什麼嗎？",
        "我對什麼過敏？",
        "明天幾點",
        "what's my cat called?",
        "なんで？",
        "還好嗎",
    ]
    assert median(wait(one).seconds for one in asked) <= 0.5


@given(
    st.lists(st.text(max_size=60), min_size=1, max_size=4),
    st.floats(0, 30),
    st.floats(0, 30),
)
def test_the_wait_lies_between_the_houses_bounds(said: list[str], least: float, most: float) -> None:
    assert min(least, most) <= wait_for_more(said, least=least, most=most).seconds <= most


async def test_who_types_on_is_waited_for(tmp_path: Path) -> None:
    async with (
        town() as place,
        online(place.discord, tmp_path, merge_window_seconds=1.0, merge_window_least_seconds=0.4),
    ):
        dm = place.ming.dm_channel()
        place.ming.dm("你記得我嗎？")
        await place.ming.sees_typing(dm, within=SOON)
        place.ming.types(dm)
        await place.ming.hears_nothing(dm, within=0.8)  # twice as long as the question alone waits
        newest = place.ming.dm("我是小明！")
        await answer_to(place.ming, newest)
        hers = [one for one in place.ming.reads(dm) if one.author.bot and one.reference is not None]
        assert len(hers) == 1


async def test_who_types_elsewhere_is_not_waited_for(tmp_path: Path) -> None:
    bounds = {"merge_window_seconds": 10.0, "merge_window_least_seconds": 0.2}
    async with town() as place, online(place.discord, tmp_path, **bounds):
        said = place.ming.dm("你記得我嗎？")
        await place.ming.sees_typing(place.ming.dm_channel(), within=SOON)
        place.ming.types(place.server.general)
        place.ann.types(place.server.general)
        reply = await answer_to(place.ming, said)
        assert reply.posted - said.posted < 5.0  # typing would have been waited for six seconds
