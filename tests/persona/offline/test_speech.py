"""Stored sentences as she says them, and times as one says them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.model import Precision
from persona.offline.clauses import clauses_of, only_emoji
from persona.offline.scene import name_in
from persona.offline.speech import as_written, event_words, in_past, second_person, with_when
from persona.offline.when import spoken_when
from tests.persona.scenes import NOW, day, event


@pytest.mark.parametrize(
    ("stored", "language", "spoken"),
    [
        ("使用者討厭吃香菜", "zh-TW", "你討厭吃香菜"),
        ("用户的猫叫麻糬。", "zh-TW", "你的猫叫麻糬"),
        ("使用者覺得自己很累", "zh-TW", "你很累"),
        ("我住在台北", "zh-TW", "你住在台北"),
        ("使用者喜歡自我介紹", "zh-TW", "你喜歡自我介紹"),
        ("User hates cilantro", "en", "you hate cilantro"),
        ("The user's cat is called Mochi", "en", "your cat is called Mochi"),
        ("The user has two cats.", "en", "you have two cats"),
        ("The user really watches anime", "en", "you really watch anime"),
        ("User studies law", "en", "you study law"),
        ("The user is allergic to peanuts", "en", "you are allergic to peanuts"),
        ("The user doesn't like bus rides", "en", "you don't like bus rides"),
        ("ユーザーは香菜が嫌いです", "ja", "香菜が嫌い"),
        ("ユーザーの猫は白い", "ja", "あなたの猫は白い"),
        ("ユーザーは京都に住んでいます", "ja", "京都に住んでいる"),
        ("使用者已經不喝珍奶", "zh-TW", "你已經不喝珍奶了"),
        ("使用者已經搬家了", "zh-TW", "你已經搬家了"),
        ("The user actually likes coriander now", "en", "you actually like coriander now"),
        ("The user recently flies to Tokyo often", "en", "you recently fly to Tokyo often"),
    ],
)
def test_the_third_person_becomes_the_second(stored: str, language: str, spoken: str) -> None:
    you = {"zh-TW": "你", "en": "you", "ja": "あなた"}[language]
    assert second_person(stored, language, you) == spoken


@pytest.mark.parametrize(
    ("text", "when_text", "words"),
    [
        ("使用者下週二有期末考", "下週二", ("期末考", True)),
        ("使用者明天要去看牙醫", "明天", ("去看牙醫", False)),
        ("使用者這週末打算搬家", "這週末", ("搬家", False)),
        ("使用者有一場面試", None, ("面試", True)),
        ("User has a job interview on Friday", "Friday", ("job interview", True)),
    ],
)
def test_an_event_has_a_name(text: str, when_text: str | None, words: tuple[str, bool]) -> None:
    language = "en" if text.isascii() else "zh-TW"
    assert event_words(event(text, NOW, when_text), language, "你") == words


def test_a_plan_becomes_past_and_time_goes_where_a_speaker_puts_it() -> None:
    assert in_past("你打算去日本", "zh-TW") == "你去日本"
    assert in_past("you have an exam", "en") == "you had an exam"
    assert with_when("你去日本", "昨天", "zh-TW") == "你昨天去日本"
    assert with_when("you had an exam", "yesterday", "en") == "you had an exam yesterday"
    assert with_when("試験がある", "明日", "ja") == "明日、試験がある"


@pytest.mark.parametrize(
    ("start", "language", "spoken"),
    [
        ("2026-09-12", "zh-TW", "今天"),
        ("2026-09-13", "zh-TW", "明天"),
        ("2026-09-14", "zh-TW", "後天"),
        ("2026-09-11", "zh-TW", "昨天"),
        ("2026-09-17", "zh-TW", "下週四（9/17）"),
        ("2026-09-08", "zh-TW", "這週二（9/8）"),
        ("2026-09-03", "zh-TW", "上週四（9/3）"),
        ("2026-11-05", "zh-TW", "11/5（週四）"),
        ("2027-01-05", "zh-TW", "2027/1/5（週二）"),
        ("2026-09-13", "en", "tomorrow"),
        ("2026-09-17", "en", "next Thursday (9/17)"),
        ("2026-09-17", "ja", "来週の木曜日（9/17）"),
    ],
)
def test_a_day_is_said_from_where_one_stands(start: str, language: str, spoken: str) -> None:
    assert spoken_when(event("x", day(start)), NOW, "Asia/Taipei", language) == spoken


@pytest.mark.parametrize(
    ("start", "length", "precision", "spoken"),
    [
        ("2026-09-13T15:30", timedelta(hours=1), Precision.MINUTE, "明天下午三點半"),
        ("2026-09-13T09:00", timedelta(hours=1), Precision.HOUR, "明天早上九點"),
        ("2026-09-13T18:00", timedelta(hours=6), Precision.DAYPART, "明天晚上"),
        ("2026-09-19", timedelta(days=2), Precision.WEEKEND, "下週末"),
        ("2026-09-14", timedelta(days=7), Precision.WEEK, "下週"),
        ("2026-10-01", timedelta(days=31), Precision.MONTH, "10 月"),
        ("2026-10-21", timedelta(days=11), Precision.MONTH_PART, "10 月底"),
        ("2026-09-14", timedelta(days=5), Precision.RANGE, "9/14 到 9/18"),
    ],
)
def test_a_time_is_said_as_exactly_as_it_is_known(
    start: str, length: timedelta, precision: Precision, spoken: str
) -> None:
    first = day(start)
    assert (
        spoken_when(
            event("x", first, valid_to=first + length, precision=precision), NOW, "Asia/Taipei", "zh-TW"
        )
        == spoken
    )


def test_a_day_follows_the_calendar_it_was_said_in_and_an_hour_the_persons_zone() -> None:
    one = event("x", day("2026-09-14"))
    assert spoken_when(one, NOW, "America/New_York", "en") == "the day after tomorrow"
    at = day("2026-09-13T09:00")
    hour = event("x", at, valid_to=at + timedelta(hours=1), precision=Precision.HOUR)
    assert spoken_when(hour, NOW, "Asia/Tokyo", "en") == "tomorrow at 10 am"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("使用者叫小明", "小明"),
        ("使用者的名字是小華。", "小華"),
        ("使用者現在的名字是 Kevin", "Kevin"),
        ("The user's name is Ken", "Ken"),
        ("ユーザーの名前は健太です", "健太"),
    ],
)
def test_a_name_is_read_as_it_is_written(text: str, name: str) -> None:
    assert name_in(text) == name


def test_a_folded_value_is_found_as_the_person_wrote_it() -> None:
    assert as_written("我喜歡烏龍茶", "乌龙茶") == "烏龍茶"
    assert as_written("我喜歡茶", "咖啡") == ""


def test_clauses_lose_particles_and_her_name_but_keep_the_question() -> None:
    assert clauses_of("莉莉，好累喔！你在幹嘛？", ["莉莉"]) == ["好累", "你在干嘛?"]
    assert clauses_of("莉莉", ["莉莉"]) == []


@pytest.mark.parametrize(
    ("text", "alone"), [("😂😂", True), ("<:smile:123>", True), ("(^_^)", True), ("好😂", False), ("", False)]
)
def test_only_emoji_is_told_apart(text: str, alone: bool) -> None:
    assert only_emoji(text) is alone
