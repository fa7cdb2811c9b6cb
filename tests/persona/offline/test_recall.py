"""Each question about what she remembers gets the right fact, or an honest no."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.model import Category, Flag, Precision
from persona.offline.engine import offline_reply
from tests.persona.scenes import (
    EXAM,
    NOW,
    PROFILE,
    character,
    day,
    event,
    memory,
    recalled,
    situation,
)

KNOWN = [
    ("我叫什麼？", "小明"),
    ("我叫什麼名字", "小明"),
    ("你知道我是誰嗎", "小明"),
    ("你還記得我的名字嗎？", "小明"),
    ("我是誰", "小明"),
    ("我讨厌吃什么？", "香菜"),
    ("我討厭吃什麼", "香菜"),
    ("我不喜歡吃什麼", "香菜"),
    ("我不敢吃什麼東西", "香菜"),
    ("我喜歡吃什麼？", "拉麵"),
    ("我喜歡什麼", "拉麵"),
    ("你記得我喜歡吃什麼嗎", "拉麵"),
    ("我住哪裡", "台北"),
    ("我住在哪？", "台北"),
    ("你知道我住哪嗎", "台北"),
    ("我生日是幾號", "5月3日"),
    ("我生日什麼時候", "5月3日"),
    ("你記得我的生日嗎", "5月3日"),
    ("我養什麼", "麻糬"),
    ("我的貓叫什麼名字", "麻糬"),
    ("我有養寵物嗎", "麻糬"),
    ("我做什麼工作", "工程師"),
    ("我的工作是什麼", "工程師"),
    ("我在哪裡上班", "科技公司"),
    ("我對什麼過敏", "花生"),
    ("我讀哪間大學", "成功大學"),
    ("我的興趣是什麼", "畫畫"),
    ("我平常都做什麼", "畫畫"),
    ("我媽媽討厭什麼", "茄子"),
    ("你還記得我養貓嗎", "麻糬"),
    ("我喜歡香菜嗎", "討厭吃香菜"),
    ("我是不是討厭香菜", "香菜"),
    ("我下週有什麼事？", "期末考"),
    ("我下週二要幹嘛", "期末考"),
    ("我的期末考是什麼時候", "9/15"),
    ("考試是哪天", "9/15"),
    ("我什麼時候考試", "9/15"),
    ("你還記得我的期末考嗎", "期末考"),
    ("期末考還有幾天", "3 天"),
    ("你知道我什麼", "拉麵"),
    ("你記得我哪些事", "小明"),
]


@pytest.mark.parametrize(("question", "fact"), KNOWN)
def test_a_question_gets_the_right_fact(question: str, fact: str) -> None:
    given = situation(question, profile=PROFILE, memories=[recalled(EXAM)])
    reply = offline_reply(character(), given).text
    assert fact in reply
    assert "使用者" not in reply


@pytest.mark.parametrize(("question", "fact"), KNOWN)
def test_without_memories_she_admits_what_she_was_never_told(question: str, fact: str) -> None:
    reply = offline_reply(character(), situation(question))
    assert fact not in reply.text
    assert "unknown" in reply.why or "no" in reply.why


def test_what_somebody_else_dislikes_is_not_the_persons() -> None:
    mother = memory("使用者的媽媽討厭吃茄子", Category.PREFERENCE, subject="媽媽")
    assert "茄子" not in offline_reply(character(), situation("我討厭吃什麼", profile=[mother])).text


def test_a_drink_is_no_answer_to_what_one_likes_to_eat() -> None:
    liked = [
        memory("使用者喜歡喝烏龍茶", Category.PREFERENCE, attribute="drink:乌龙茶"),
        memory("使用者喜歡吃水餃", Category.PREFERENCE, attribute="food:水饺"),
    ]
    eat = offline_reply(character(), situation("我喜歡吃什麼", profile=liked)).text
    drink = offline_reply(character(), situation("我喜歡喝什麼", profile=liked)).text
    assert "水餃" in eat
    assert "烏龍茶" not in eat
    assert "烏龍茶" in drink


@pytest.mark.parametrize(
    ("now", "expected", "never"),
    [
        ("2026-09-10", "下週二（9/15）", "已經過了"),
        ("2026-09-12", "還有|剩", "已經過了"),
        ("2026-09-14", "明天", "已經過了"),
        ("2026-09-16", "昨天", "還有"),
        ("2026-09-24", "上週二（9/15）", "還有"),
        ("2026-10-05", "9/15", "還有"),
    ],
)
def test_an_event_is_told_in_the_right_tense(now: str, expected: str, never: str) -> None:
    moment = day(now) + timedelta(hours=20)
    given = situation("你記得我的期末考嗎", now=moment, memories=[recalled(EXAM, moment)])
    reply = offline_reply(character(), given).text
    assert any(words in reply for words in expected.split("|"))
    assert never not in reply


def test_on_the_day_itself_she_says_today() -> None:
    moment = day("2026-09-15") + timedelta(hours=8)
    given = situation("考試什麼時候", now=moment, memories=[recalled(EXAM, moment)])
    reply = offline_reply(character(), given).text
    assert "今天" in reply or "現在" in reply


def test_an_undated_event_keeps_its_phrase_and_gets_no_date() -> None:
    undated = event("使用者過陣子要去日本", NOW, "過陣子", valid_from=None, valid_to=None, precision=None)
    reply = offline_reply(character(), situation("我什麼時候去日本", memories=[recalled(undated)])).text
    assert "去日本" in reply
    assert "天" not in reply.replace("哪一天", "").replace("哪天", "")


def test_a_clock_time_is_said_as_people_say_it() -> None:
    at = day("2026-09-13") + timedelta(hours=15, minutes=30)
    meeting = event(
        "使用者明天下午三點半要開會",
        at,
        "明天下午三點半",
        valid_to=at + timedelta(hours=1),
        precision=Precision.MINUTE,
    )
    reply = offline_reply(character(), situation("我明天有什麼事", memories=[recalled(meeting)])).text
    assert "明天下午三點半要開會" in reply


@pytest.mark.parametrize(
    ("first", "hours", "spoken"),
    [(0, 6, "明天凌晨"), (6, 6, "明天早上"), (11, 3, "明天中午"), (12, 6, "明天下午"), (18, 6, "明天晚上"),
     (22, 4, "明天晚上")],
)  # fmt: skip
def test_a_part_of_a_day_is_named_by_its_middle(first: int, hours: int, spoken: str) -> None:
    start = day("2026-09-13") + timedelta(hours=first)
    dentist = event(
        "使用者要看牙醫", start, valid_to=start + timedelta(hours=hours), precision=Precision.DAYPART
    )
    reply = offline_reply(character(), situation("我明天要幹嘛", memories=[recalled(dentist)])).text
    assert f"{spoken}要看牙醫" in reply


@pytest.mark.parametrize(
    "question",
    ["你記得我什麼", "给我看看你记得什么", "看看你記得哪些", "告訴我你都記得什麼", "把你記得的說給我聽"],
)
def test_everything_includes_what_is_coming(question: str) -> None:
    reply = offline_reply(character(), situation(question, upcoming=[recalled(EXAM)])).text
    assert "期末考" in reply


def test_whom_she_knows_by_a_plan_alone_she_remembers() -> None:
    assert (
        offline_reply(character(), situation("你還記得我嗎", upcoming=[recalled(EXAM)])).why
        == "recall.me.known"
    )


def test_an_outcome_already_told_is_part_of_the_answer() -> None:
    done = EXAM.model_copy(update={"outcome": "考得不錯"})
    moment = day("2026-09-18")
    reply = offline_reply(
        character(), situation("我期末考怎麼樣", now=moment, memories=[recalled(done, moment)])
    ).text
    assert "考得不錯" in reply


def test_a_painful_fact_is_told_gently() -> None:
    painful = memory("使用者的阿嬤上個月過世了", Category.IDENTITY, subject="阿嬤", sensitive=True)
    reply = offline_reply(character(), situation("你還記得我阿嬤的事嗎", profile=[painful]))
    assert "哼" not in reply.text
    assert "笨蛋" not in reply.text


ELSEWHERE = [
    ("en", "What's my name?", memory("The user's name is Ken", Category.NAME, language="en"), "Ken"),
    (
        "en",
        "What do I hate?",
        memory("User hates cilantro", Category.PREFERENCE, language="en"),
        "you hate cilantro",
    ),
    (
        "en",
        "Where do I live?",
        memory("User lives in Osaka", Category.IDENTITY, language="en"),
        "you live in Osaka",
    ),
    (
        "en",
        "Do you remember my cat?",
        memory("User has a cat named Mochi", Category.IDENTITY, language="en"),
        "Mochi",
    ),
    ("ja", "私の名前は？", memory("ユーザーの名前は健太", Category.NAME, language="ja"), "健太"),
    (
        "ja",
        "私の嫌いな食べ物は何？",
        memory("ユーザーはパクチーが嫌い", Category.PREFERENCE, language="ja"),
        "パクチーが嫌い",
    ),
    (
        "ja",
        "私はどこに住んでる？",
        memory("ユーザーは京都に住んでいる", Category.IDENTITY, language="ja"),
        "京都に住んでいる",
    ),
]


@pytest.mark.parametrize(("language", "question", "told", "fact"), ELSEWHERE)
def test_english_and_japanese_questions_are_answered_too(
    language: str, question: str, told: object, fact: str
) -> None:
    given = situation(question, language=language, profile=[told])  # type: ignore[list-item]
    reply = offline_reply(character(), given).text
    assert fact.lower() in reply.lower()
    assert "user" not in reply.lower()
    assert "ユーザー" not in reply


def test_an_english_event_changes_tense() -> None:
    exam = event("User has a final exam next Tuesday", day("2026-09-15"), "next Tuesday", language="en")
    before = situation("When is my final exam?", language="en", memories=[recalled(exam)])
    later = day("2026-09-16") + timedelta(hours=12)
    after = situation("When was my final exam?", language="en", now=later, memories=[recalled(exam, later)])
    assert "you have a final exam" in offline_reply(character(), before).text.lower()
    assert "you had a final exam yesterday" in offline_reply(character(), after).text.lower()


def test_a_cancelled_event_is_told_as_cancelled_without_asking_for_a_date() -> None:
    off = event(
        "使用者牙醫取消了", NOW, valid_from=None, valid_to=None, precision=None, flags=(Flag.CANCELLED,)
    )
    asked = offline_reply(character(), situation("我還要去看牙醫嗎？", memories=[recalled(off)])).text
    assert "你牙醫取消了" in asked
    assert not any(word in asked for word in ("日期", "哪天", "什麼時候"))


def test_a_cancelled_event_is_none_of_what_is_coming() -> None:
    off = event(
        "使用者牙醫取消了", NOW, valid_from=None, valid_to=None, precision=None, flags=(Flag.CANCELLED,)
    )
    coming = offline_reply(character(), situation("我最近有什麼事？", memories=[recalled(off)]))
    assert coming.why == "recall.events.none"
