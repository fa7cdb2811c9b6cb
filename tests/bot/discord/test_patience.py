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


async def test_typing_is_noticed_where_the_person_has_begun_to_say_something(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path, merge_window_seconds=30.0) as lily:
        ming, general = place.ming, place.server.general
        talk = lily.service.parts.talk

        def typing() -> dict[int, bool]:
            bursts = [burst for line in talk._bursts._lines.values() for burst in line.bursts]
            return {one.items[0].said.channel.id: one.typing is not None for one in bursts}

        dm = ming.dm("欸").channel
        ming.say(general, "欸", mention=place.discord.bot)
        await place.discord.until(lambda: len(typing()) == 2, SOON, "two bursts")
        place.ann.types(general)
        ming.types(dm)
        await place.discord.until(lambda: typing()[dm.id], SOON, "typing")
        assert not typing()[general.id]  # somebody else's, and elsewhere: events come in order
        newest = ming.dm("我跟你說")
        await place.discord.until(lambda: not typing()[dm.id], SOON, "the rest")
        lily.stop.set()
        await answer_to(ming, newest)
