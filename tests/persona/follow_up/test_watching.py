"""Whether an answer asks how an event went."""

from __future__ import annotations

from dataclasses import replace

import pytest

from llm.protocols import Speaker, Turn
from memory.model import Memory
from persona.companion import Companion
from persona.follow_up import asks_about
from persona.follow_up.watching import asked_in
from persona.situation import Situation
from tests.persona.scenes import NOW, character, day, event, recalled, situation
from tests.support.models import ScriptedChat

EXAM = event("使用者有期末考", day("2026-09-11"))
DENTIST = event("使用者要去看牙醫", day("2026-09-11"))
FUNERAL = event("使用者要參加外婆的告別式", day("2026-09-11"), sensitive=True)
ENGLISH = event("User has a job interview", day("2026-09-11"), language="en")
JAPANESE = event("ユーザーは期末試験がある", day("2026-09-11"), language="ja")


@pytest.mark.parametrize(
    ("text", "memory", "language"),
    [
        ("那個……期末考考得怎麼樣？才不是擔心你喔。", EXAM, "zh-TW"),
        ("對了，你的期末考。後來怎麼樣了？", EXAM, "zh-TW"),
        ("期末考後來怎麼樣了呢", EXAM, "zh-TW"),
        ("考試還順利嗎", EXAM, "zh-TW"),
        ("牙醫怎麼說？", DENTIST, "zh-TW"),
        ("去看牙医了吗？", DENTIST, "zh-TW"),
        ("那之後……你還好嗎？", FUNERAL, "zh-TW"),
        ("告別式還好嗎？", FUNERAL, "zh-TW"),
        ("How did the interview go?", ENGLISH, "en"),
        ("Your interview was yesterday. Did they treat you well?", ENGLISH, "en"),
        ("期末試験、どうだった？", JAPANESE, "ja"),
        ("How was the exam?", EXAM, "en"),
    ],
)
def test_it_asks(text: str, memory: Memory, language: str) -> None:
    assert asks_about(text, memory, language)


@pytest.mark.parametrize(
    ("text", "memory", "language"),
    [
        ("哼，你的期末考一定沒問題。", EXAM, "zh-TW"),
        ("你吃飯了嗎？", EXAM, "zh-TW"),
        ("期末考辛苦了。你現在在做什麼？我在烤蛋糕。要不要吃布丁？", DENTIST, "zh-TW"),
        ("期末考辛苦了。你現在在做什麼？我在烤蛋糕。要不要吃布丁？", EXAM, "zh-TW"),
        ("The interview is over. Are you hungry?", ENGLISH, "en"),
        ("你還好嗎？", FUNERAL, "zh-TW"),
        ("後來怎麼樣了？", EXAM, "zh-TW"),
        ("Good luck with whatever it is.", ENGLISH, "en"),
        ("What are you eating?", ENGLISH, "en"),
        ("お疲れさま。", JAPANESE, "ja"),
        ("", EXAM, "zh-TW"),
    ],
)
def test_it_does_not_ask(text: str, memory: Memory, language: str) -> None:
    assert not asks_about(text, memory, language)


def test_only_what_is_asked_about_is_told_apart() -> None:
    text = "期末考考得怎麼樣？"
    assert asked_in(text, [DENTIST, EXAM], "zh-TW") == (EXAM.id,)
    assert asked_in("期末考順利嗎？牙醫怎麼說？", [DENTIST, EXAM], "zh-TW") == (DENTIST.id, EXAM.id)


def nudged() -> Situation:
    base = situation("我回來了")
    due = replace(base.recollection, due=(recalled(EXAM, NOW),))
    return replace(base, recollection=due, turns=(Turn(Speaker.PERSON, "我回來了"),))


async def test_a_nudge_counts_as_asked_if_the_model_asks() -> None:
    reply = await Companion(character(), ScriptedChat("回來啦。期末考考得怎麼樣？")).reply(nudged())
    assert reply.asked == (EXAM.id,)


async def test_a_nudge_the_model_lets_pass_stays_due() -> None:
    reply = await Companion(character(), ScriptedChat("回來啦。今天烤了蛋糕。")).reply(nudged())
    assert reply.asked == ()
