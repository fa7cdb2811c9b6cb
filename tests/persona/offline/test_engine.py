"""Offline she is still someone: never the same twice, never an echo, and every reply fits."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm.protocols import Speaker, Turn
from memory.extraction.types import Change, Fact
from memory.model import Category, Kind
from memory.text import fold
from persona.offline.engine import offline_reply
from persona.situation import Attached, Attachment, Beside, Source
from tests.persona.scenes import EXAM, NOW, PROFILE, character, day, memory, recalled, situation

SAID = [
    "",
    *"""
早安
嗨
哈哈哈
嗯
喔
好累喔
我好難過
謝謝你
你好可愛
笨蛋
晚安
掰掰
😂
我叫什麼？
我討厭吃什麼
你叫什麼名字
現在幾點
今天星期幾
黑洞是什麼
幫我寫作業
今天中午跟同事去吃了咖哩
我回來了
好無聊
對啊
沒有
...
？
莉莉
我想你
抱抱
你還記得我的期末考嗎
我下週有什麼事
講個笑話
what's up
ok
我考完了
猜我在哪
""".strip().splitlines(),
]
anything = st.one_of(st.sampled_from(SAID), st.text(min_size=1, max_size=40))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(anything, min_size=2, max_size=8),
    st.sampled_from(["zh-TW", "en", "ja"]),
    st.sampled_from(["lily", "shike"]),
)
def test_never_the_same_reply_twice_in_a_row(messages: list[str], language: str, who: str) -> None:
    replies: list[str] = []
    for text in messages:
        given_ = situation(
            text, language=language, profile=PROFILE, memories=[recalled(EXAM)], recent=replies, read=False
        )
        reply = offline_reply(character(who), given_)
        assert reply.text.strip()
        assert reply.source is Source.RULES
        assert not replies or reply.text != replies[-1]
        replies.append(reply.text)


@pytest.mark.parametrize("who", ["lily", "shike"])
@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
@pytest.mark.parametrize("text", SAID)
def test_ten_times_the_same_words_get_no_reply_twice_in_a_row(text: str, language: str, who: str) -> None:
    replies: list[str] = []
    for _ in range(10):
        given_ = situation(
            text, language=language, profile=PROFILE, memories=[recalled(EXAM)], recent=replies[-6:]
        )
        replies.append(offline_reply(character(who), given_).text)
    assert all(one != two for one, two in itertools.pairwise(replies))


sentences = st.text(
    alphabet="我你今天在學校圖書館吃飯喝茶很開心討厭喜歡貓狗的了嗎跑步工作", min_size=5, max_size=30
)


@settings(max_examples=100, deadline=None)
@given(sentences)
def test_she_never_gives_a_sentence_back_as_a_reply(text: str) -> None:
    told = memory(f"使用者{text}", Category.OTHER)
    reply = offline_reply(character(), situation(text, profile=[told], memories=[recalled(told)], read=False))
    assert fold(text) not in fold(reply.text)


def test_the_same_situation_gives_the_same_reply() -> None:
    one = situation("今天好累", profile=PROFILE)
    assert offline_reply(character(), one) == offline_reply(character(), one)


@pytest.mark.parametrize(
    ("hour", "key"),
    [
        (7, "greeting.morning"),
        (12, "greeting.noon"),
        (16, "greeting.afternoon"),
        (21, "greeting.evening"),
        (2, "greeting.late"),
    ],
)
def test_a_greeting_fits_the_hour_where_the_person_is(hour: int, key: str) -> None:
    moment = NOW.replace(hour=hour)
    assert offline_reply(character(), situation("哈囉", now=moment, profile=PROFILE)).why.startswith(key)


def test_good_morning_in_the_afternoon_is_noticed() -> None:
    reply = offline_reply(character(), situation("早安", now=NOW.replace(hour=15), profile=PROFILE))
    assert reply.why == "greeting.late_riser"


def test_the_first_hello_of_all_is_an_introduction() -> None:
    assert "莉莉" in offline_reply(character(), situation("你好")).text
    assert "時刻" in offline_reply(character("shike"), situation("你好")).text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("現在幾點", "晚上九點半"),
        ("今天幾號", "9 月 12 日"),
        ("今天星期幾", "星期六"),
        ("明天星期幾", "星期日"),
    ],
)
def test_the_clock_is_right_in_the_persons_zone(question: str, expected: str) -> None:
    assert expected in offline_reply(character(), situation(question)).text


def test_an_attachment_without_words_is_admitted_to_be_unseen() -> None:
    for kind in Attached:
        came = Beside((Attachment(kind),))
        reply = offline_reply(character(), situation("", beside=came))
        assert reply.why == f"attached.{kind}"
        assert reply.text
    assert offline_reply(character(), situation("")).why == "silence"


def test_what_came_with_words_is_noticed_after_them() -> None:
    came = Beside((Attachment(Attached.PICTURE, "cat.png"),))
    reply = offline_reply(character(), situation("今天好累喔", beside=came))
    assert reply.why.endswith("+also_attached")
    assert any(words in reply.text for words in character().variants("also_attached", "zh-TW"))


def test_a_worry_is_tied_to_the_event_that_lies_ahead() -> None:
    reply = offline_reply(character(), situation("壓力好大", memories=[recalled(EXAM)]))
    assert "期末考" in reply.text
    assert "下週二" in reply.text


def fact(text: str, category: Category, **more: object) -> Fact:
    return Fact.model_validate(
        {"text": text, "language": "zh-TW", "quote": "q", "category": category, **more}
    )


def test_what_is_over_is_believed_and_its_outcome_asked_for() -> None:
    moment = day("2026-09-12") + timedelta(hours=18)
    given_ = situation(
        "今天考試終於考完了，好輕鬆喔！", now=moment, memories=[recalled(EXAM, moment, told_now=Change.DONE)]
    )
    reply = offline_reply(character(), given_)
    assert reply.why == "event.done"
    assert "下週二" not in reply.text
    assert "？" in reply.text
    assert reply.asked == (EXAM.id,)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("考得很好", "outcome.good"),
        ("考試過了！", "outcome.good"),
        ("我居然上了", "outcome.good"),
        ("公司給我 offer 了", "outcome.good"),
        ("考砸了", "outcome.bad"),
        ("考試整個爆了", "outcome.bad"),
        ("被當了", "outcome.bad"),
        ("沒上", "outcome.bad"),
        ("考得普通", "outcome.so_so"),
    ],
)
def test_an_outcome_is_heard(text: str, why: str) -> None:
    moment = day("2026-09-16") + timedelta(hours=12)
    given_ = situation(text, now=moment, memories=[recalled(EXAM, moment)])
    assert offline_reply(character(), given_).why == why


@pytest.mark.parametrize(
    ("change", "why"), [(Change.MOVED, "event.moved"), (Change.CANCELLED, "event.cancelled")]
)
def test_moved_and_cancelled_events_are_taken_as_told(change: Change, why: str) -> None:
    given_ = situation("考試的事有變動", memories=[recalled(EXAM, told_now=change)])
    assert offline_reply(character(), given_).why == why


def test_a_changed_mind_is_noticed() -> None:
    told = fact("使用者喜歡香菜", Category.PREFERENCE, attribute="food:香菜")
    reply = offline_reply(character(), situation("我現在喜歡香菜了", profile=PROFILE, told=[told]))
    assert reply.why == "told.changed_mind"
    assert "討厭吃香菜" in reply.text


def test_a_new_name_is_taken_over() -> None:
    told = fact("使用者叫小華", Category.NAME, attribute="name")
    reply = offline_reply(character(), situation("叫我小華就好", profile=PROFILE, told=[told]))
    assert reply.why == "told.name.changed"
    assert "小華" in reply.text


def test_a_plan_gets_a_question_that_fits_it() -> None:
    told = fact("使用者有期末考", Category.SCHEDULE, kind=Kind.EVENT)
    reply = offline_reply(character(), situation("我下週二有期末考", told=[told]))
    assert reply.why == "event.planned"
    assert reply.text in character().variants("event.planned.exam", "zh-TW")


def test_something_painful_is_never_teased_about() -> None:
    told = fact("使用者的奶奶過世了", Category.OTHER, subject="奶奶", sensitive=True)
    reply = offline_reply(character(), situation("我奶奶過世了", told=[told]))
    assert reply.why == "loss.death"
    assert "哼" not in reply.text


def test_what_is_due_is_asked_about_once() -> None:
    moment = day("2026-09-16") + timedelta(hours=20)
    due = [recalled(EXAM, moment)]
    first = offline_reply(character(), situation("嗨", now=moment, profile=PROFILE, due=due))
    assert first.asked == (EXAM.id,)
    assert "期末考" in first.text
    again = offline_reply(
        character(), situation("嗨", now=moment, profile=PROFILE, due=due, recent=[first.text])
    )
    assert again.asked == ()


def test_thanks_after_something_heavy_are_not_teased_about() -> None:
    turns = (
        Turn(Speaker.PERSON, "外婆去年走的，有點想她"),
        Turn(Speaker.CHARACTER, "嗯"),
        Turn(Speaker.PERSON, "謝謝"),
    )
    assert offline_reply(character(), situation("謝謝", profile=PROFILE, turns=turns)).why == "heavy"
    assert offline_reply(character(), situation("謝謝", profile=PROFILE)).why == "thanks"


def test_nothing_is_asked_when_somebody_says_good_night() -> None:
    moment = day("2026-09-16") + timedelta(hours=23)
    reply = offline_reply(character(), situation("晚安", now=moment, due=[recalled(EXAM, moment)]))
    assert reply.asked == ()
