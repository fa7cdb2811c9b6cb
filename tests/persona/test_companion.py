"""The one who answers: by model, by rules, never silent, and with the rules above the character kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from llm.errors import (
    ModelBlocked,
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelTruncated,
)
from llm.protocols import Speaker, Turn
from memory.catalog import load_catalog
from persona.companion import Companion
from persona.failures import Failure
from persona.safety import Concern, help_lines, names_help
from persona.situation import Source
from tests.persona.scenes import EXAM, PROFILE, character, day, recalled, situation


class Scripted:
    """A chat model that says what it is told to, and keeps what it was asked."""

    name = "scripted"
    sees = False

    def __init__(self, answer: str | ModelError) -> None:
        self.answer = answer
        self.asked: list[tuple[str, tuple[Turn, ...]]] = []

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        self.asked.append((system, tuple(turns)))
        if isinstance(self.answer, ModelError):
            raise self.answer
        return self.answer


async def say(answer: str | ModelError, text: str, **around: object) -> tuple[str, Source, Failure | None]:
    reply = await Companion(character(), Scripted(answer)).reply(situation(text, **around))  # type: ignore[arg-type]
    return reply.text, reply.source, reply.error


async def test_a_model_answers_with_prompt_and_turns() -> None:
    model = Scripted("早就知道了啦。")
    turns = (Turn(Speaker.PERSON, "嗨"), Turn(Speaker.CHARACTER, "哼"), Turn(Speaker.PERSON, "我回來了"))
    given = situation("我回來了", turns=turns, context="【現在】…", lore=["她怕打雷"], display_name="阿明")
    reply = await Companion(character(), model).reply(given)
    system, asked = model.asked[0]
    assert (reply.text, reply.source) == ("早就知道了啦。", Source.MODEL)
    assert asked == turns
    assert "「阿明」" in system
    assert "她怕打雷" in system
    assert "【現在】" in system


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (ModelBlocked("x"), Failure.BLOCKED),
        (ModelEmpty("x"), Failure.EMPTY),
        (ModelTruncated("x"), Failure.CUT_OFF),
        (ModelMalformed("x"), Failure.MALFORMED),
        (ModelRateLimited("x", 3.0), Failure.RATE_LIMITED),
        (ModelTimeout("x"), Failure.TIMEOUT),
        (ModelDown("x"), Failure.DOWN),
        (ModelRefused("x"), Failure.REFUSED),
        (ModelError("x"), Failure.UNKNOWN),
    ],
)
@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
async def test_each_failure_is_told_in_character(error: ModelError, failure: Failure, language: str) -> None:
    text, source, told = await say(error, "你好嗎", language=language)
    assert source is Source.FAILURE
    assert told is failure
    assert text in character().variants(f"failure.{failure.value}", language)


@pytest.mark.parametrize("failure", [Failure.BUDGET, Failure.TOO_LONG, Failure.QUEUE_FULL])
def test_the_house_own_failures_have_words_and_change(failure: Failure) -> None:
    companion = Companion(character())
    first = companion.failure(failure, "zh-TW", "a")
    second = companion.failure(failure, "zh-TW", "a", [first.text])
    assert first.text
    assert first.text != second.text


async def test_an_answer_that_claims_to_be_human_is_replaced() -> None:
    text, source, _ = await say("我當然是真人啊，笨蛋。", "你今天好嗎")
    assert source is Source.SAFETY
    assert text in character().variants("safety.program", "zh-TW")


async def test_asked_in_earnest_she_says_that_she_is_a_program_whatever_the_model_says() -> None:
    text, source, _ = await say("你猜啊，哼。", "你是真人嗎？")
    assert source is Source.SAFETY
    assert "程式" in text
    honest, source, _ = await say("我是程式啦，不是真人。", "你是真人嗎？")
    assert (honest, source) == ("我是程式啦，不是真人。", Source.MODEL)


async def test_a_sexual_answer_is_replaced_and_a_sexual_request_never_reaches_the_model() -> None:
    text, source, _ = await say("她開始自慰……", "說個故事")
    assert source is Source.SAFETY
    assert text in character().variants("safety.sexual", "zh-TW")
    model = Scripted("好啊")
    reply = await Companion(character(), model).reply(situation("我們來色色"))
    assert reply.source is Source.SAFETY
    assert model.asked == []


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
@pytest.mark.parametrize(
    ("text", "concern"), [("我不想活了", Concern.SELF_HARM), ("my dad hits me", Concern.DANGER)]
)
async def test_a_crisis_is_answered_plainly_with_numbers_by_rules(
    language: str, text: str, concern: Concern
) -> None:
    reply = await Companion(character()).reply(situation(text, language=language))
    assert reply.source is Source.SAFETY
    assert names_help(reply.text, help_lines(language, concern))
    own = [v for variants in character().replies[language].values() for v in variants if len(v) > 8]
    assert not [v for v in own if v in reply.text]


async def test_in_a_crisis_a_model_that_forgets_the_numbers_is_completed() -> None:
    text, source, _ = await say("我在聽，你現在安全嗎？", "我不想活了")
    assert source is Source.MODEL
    assert text.startswith("我在聽")
    assert "1925" in text


async def test_in_a_crisis_a_failing_model_is_replaced_by_the_plain_words() -> None:
    text, source, error = await say(ModelDown("x"), "我不想活了")
    assert (source, error) == (Source.SAFETY, Failure.DOWN)
    assert "1925" in text


async def test_after_a_crisis_she_stays_plain_and_asks_nothing_about_plans() -> None:
    turns = (
        Turn(Speaker.PERSON, "我不想活了"),
        Turn(Speaker.CHARACTER, "……"),
        Turn(Speaker.PERSON, "嗯"),
    )
    past = recalled(EXAM, now=day("2026-09-18"))
    given = situation("嗯", turns=turns, due=[past], now=day("2026-09-18"))
    reply = await Companion(character()).reply(given)
    assert reply.source is Source.SAFETY
    assert reply.asked == ()
    assert reply.text not in character().variants("ack", "zh-TW")


async def test_days_after_a_crisis_she_answers_what_is_said_still_plainly() -> None:
    turns = (
        Turn(Speaker.PERSON, "活著好累"),
        Turn(Speaker.CHARACTER, "……"),
        Turn(Speaker.PERSON, "我回來了"),
    )
    rested = replace(situation("我回來了", turns=turns, recent=["……"]), since_last=timedelta(days=3))
    home = await Companion(character()).reply(rested)
    plain = character().plainly()
    assert home.text in plain.variants("home", "zh-TW")
    turns = (*turns, Turn(Speaker.CHARACTER, home.text), Turn(Speaker.PERSON, "謝謝"))
    thanks = await Companion(character()).reply(situation("謝謝", turns=turns, recent=[home.text]))
    assert thanks.text in plain.variants("thanks", "zh-TW")


async def test_after_a_crisis_relief_is_met_with_relief() -> None:
    turns = (Turn(Speaker.PERSON, "我不想活了"), Turn(Speaker.PERSON, "謝謝你聽我說，我好多了"))
    reply = await Companion(character()).reply(situation(turns[-1].text, turns=turns))
    assert reply.text in load_catalog("persona", "zh-TW").get("crisis.better")


async def test_after_a_crisis_a_plain_question_is_still_answered() -> None:
    turns = (Turn(Speaker.PERSON, "我不想活了"), Turn(Speaker.PERSON, "我叫什麼？"))
    reply = await Companion(character()).reply(situation("我叫什麼？", turns=turns, profile=PROFILE))
    assert "小明" in reply.text
    assert reply.text not in [
        v.format(name="小明") for v in character().variants("recall.name.known", "zh-TW")
    ]


async def test_her_name_in_front_of_an_answer_goes() -> None:
    text, _, _ = await say("莉莉：知道了啦。", "嗨")
    assert text == "知道了啦。"


async def test_an_answer_that_is_only_her_name_is_an_empty_one() -> None:
    _, source, error = await say("莉莉：", "嗨")
    assert (source, error) == (Source.FAILURE, Failure.EMPTY)


async def test_an_answer_that_drifts_into_simplified_comes_back_in_traditional() -> None:
    text, _, _ = await say("你这个笨蛋，快点睡觉啦。", "嗨")
    assert text == "你這個笨蛋，快點睡覺啦。"
    kept, _, _ = await say("他叫王师傅，住在台北。", "嗨")
    assert kept == "他叫王师傅，住在台北。"


async def test_the_same_situation_gives_the_same_reply() -> None:
    companion = Companion(character())
    given = situation("今天好累喔", profile=PROFILE)
    assert await companion.reply(given) == await companion.reply(given)


@settings(max_examples=80, deadline=None)
@given(st.text(st.characters(), min_size=1, max_size=60), st.sampled_from(["zh-TW", "en", "ja", "de"]))
def test_whatever_is_said_she_is_never_silent(text: str, language: str) -> None:
    given_ = situation(text, language=language, profile=PROFILE, read=False)
    assert asyncio.run(Companion(character()).reply(given_)).text.strip()


async def test_half_a_character_breaks_nothing() -> None:
    reply = await Companion(character()).reply(situation("\ud83d 我不想活了", read=False))
    assert reply.source is Source.SAFETY
