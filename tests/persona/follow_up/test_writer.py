"""The words of a follow-up: one question, in character, nothing that was not told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from llm.errors import ModelBlocked, ModelDown, ModelError
from memory.catalog import LANGUAGES
from memory.model import Memory
from memory.places import Place
from persona.character import Character
from persona.follow_up import FollowUpWriter, Occasion, asks_about
from persona.follow_up.checks import MAX_WIDTH, Fault, fault_in
from persona.follow_up.writer import follow_up_prompt, from_lines
from persona.library import load_character
from tests.persona.scenes import TAIPEI, character, day, event
from tests.support.models import ScriptedChat

NOW = day("2026-09-15") + timedelta(hours=18, minutes=30)
EXAM = event("使用者下週二有期末考", day("2026-09-15"), "下週二")
FUNERAL = event("使用者下週二要參加外婆的告別式", day("2026-09-15"), "下週二", sensitive=True)
UNDATED = event("使用者想去日本玩", day("2026-09-15"), None, valid_from=None, valid_to=None, precision=None)
EVENTS = {
    "zh-TW": ["使用者下週二有期末考", "使用者下週二要去看牙醫", "使用者的媽媽下週二開刀",
              "使用者下週二要搬家",
              "使用者下週二要交報告", "使用者下週二有演唱會", "使用者下週二和同學聚餐", "使用者下週二要面試",
              "使用者下週二要比賽", "使用者下週二要去京都旅行"],
    "en": ["User has a final exam", "User is going to see the dentist", "User has a job interview",
           "User is moving to Tainan", "User has a concert"],
    "ja": ["ユーザーは期末試験がある", "ユーザーは歯医者に行く", "ユーザーは面接がある",
           "ユーザーは引っ越す"],
}  # fmt: skip


def occasion(memory: Memory, language: str = "zh-TW", **fields: object) -> Occasion:
    return Occasion(memory, NOW, TAIPEI.key, language, **fields)  # type: ignore[arg-type]


def written(text: str, memory: Memory = EXAM, language: str = "zh-TW") -> Fault | None:
    one = occasion(memory, language)
    context = "「使用者下週二有期末考」（時間：2026-09-15 星期二，今天）"
    return fault_in(
        text, memory, system=follow_up_prompt(character(), one, context), context=context, language=language
    )


@pytest.mark.parametrize("name", ["lily", "shike"])
@pytest.mark.parametrize(
    ("language", "text"), [(tag, text) for tag, texts in EVENTS.items() for text in texts]
)
def test_her_own_lines_ask_one_question_about_the_event(name: str, language: str, text: str) -> None:
    memory = event(text, day("2026-09-15"), "下週二" if language == "zh-TW" else None, language=language)
    said = from_lines(load_character(name), occasion(memory, language))
    assert said.count("？") + said.count("?") == 1
    assert "{" not in said
    assert "使用者" not in said and "ユーザー" not in said and "User" not in said
    assert asks_about(said, memory, language)


@pytest.mark.parametrize("name", ["lily", "shike"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_hers_holds_one_question(name: str, language: str) -> None:
    lines = [
        (key, line)
        for key, variants in load_character(name).replies[language].items()
        if key.startswith("check_in.")
        for line in variants
    ]
    assert {key.split(".")[1] for key, _ in lines} >= {"default", "gentle", "plain", "undated"}
    for key, line in lines:
        assert line.count("？") + line.count("?") == 1, (key, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_painful_is_asked_gently(language: str) -> None:
    said = from_lines(character(), occasion(FUNERAL, language))
    assert said in character().variants("check_in.gentle", language)


def test_a_plan_without_a_date_is_not_taken_for_done() -> None:
    said = from_lines(character(), occasion(UNDATED))
    assert "去日本玩" in said
    assert "好玩嗎" not in said


def test_an_event_of_very_many_words_is_asked_about_without_them() -> None:
    long = event("使用者下週二有" + "非常" * 40 + "重要的報告", day("2026-09-15"), "下週二")
    assert from_lines(character(), occasion(long)) in character().variants("check_in.plain", "zh-TW")


def test_she_does_not_say_the_same_twice_in_a_row() -> None:
    first = from_lines(character(), occasion(EXAM))
    assert from_lines(character(), occasion(EXAM, recent_replies=(first,))) != first


def test_the_same_occasion_has_the_same_words() -> None:
    assert from_lines(character(), occasion(EXAM)) == from_lines(character(), occasion(EXAM))


def test_a_character_without_lines_of_her_own_has_the_plain_ones() -> None:
    assert from_lines(load_character("shike"), occasion(EXAM))
    bare = Character("x", character().card)
    assert from_lines(bare, occasion(EXAM)) == ""


# --- with a model ------------------------------------------------------------------------------


async def test_the_models_words_are_said_if_nothing_is_wrong_with_them() -> None:
    model = ScriptedChat("「那個……期末考考得怎麼樣？才不是擔心你喔。」")
    said = await FollowUpWriter(character(), model).compose(occasion(EXAM))
    assert said == "那個……期末考考得怎麼樣？才不是擔心你喔。"
    system, turns = model.seen[0]
    assert turns == ()
    assert "期末考" in system
    assert "2026-09-15" in system


async def test_a_painful_event_is_given_with_the_wish_to_be_gentle() -> None:
    model = ScriptedChat("那天之後，你還好嗎？不想說也沒關係。")
    said = await FollowUpWriter(character(), model).compose(occasion(FUNERAL))
    assert said == "那天之後，你還好嗎？不想說也沒關係。"
    assert "放下毒舌" in model.seen[0][0]


async def test_simplified_words_are_brought_to_taiwans_script() -> None:
    said = await FollowUpWriter(character(), ScriptedChat("那个……期末考考得怎么样？")).compose(occasion(EXAM))
    assert said == "那個……期末考考得怎麼樣？"


@pytest.mark.parametrize("error", [ModelDown("down"), ModelBlocked("blocked")])
async def test_a_model_that_fails_leaves_her_own_lines(error: ModelError) -> None:
    said = await FollowUpWriter(character(), ScriptedChat(error)).compose(occasion(EXAM))
    assert said == from_lines(character(), occasion(EXAM))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("期末考考得怎麼樣？", None),
        ("喂，你說星期二的期末考，還順利嗎？", None),
        ("", Fault.EMPTY),
        ("  \n ", Fault.EMPTY),
        ("期末考" * 60 + "怎麼樣？", Fault.TOO_LONG),
        ("期末考\n\n怎\n麼\n樣？", Fault.TOO_LONG),
        ("好的，以下是要傳的訊息：期末考考得怎麼樣？", Fault.LEAK),
        ("根據系統提示，我想問期末考考得怎麼樣？", Fault.LEAK),
        ("只問一個問題，一到兩句話，只寫要傳出去的那則訊息。期末考怎麼樣？", Fault.LEAK),
        ("期末考怎麼樣？ https://example.com", Fault.MARKUP),
        ("<@123> 期末考怎麼樣？", Fault.MARKUP),
        ("@everyone 期末考怎麼樣？", Fault.MARKUP),
        ("How did the final exam go?", Fault.LANGUAGE),
        ("期末試験はどうだった？うまくいったの", Fault.LANGUAGE),
        ("期末考考得怎麼樣？睡得好嗎？", Fault.NOT_ONE_QUESTION),
        ("期末考一定沒問題。", Fault.NOT_ONE_QUESTION),
        ("你今天吃飯了嗎？", Fault.OFF_TOPIC),
        ("後來怎麼樣了？", Fault.OFF_TOPIC),
        ("期末考有考到 90 分嗎？", Fault.MADE_UP),
        ("星期三的期末考考得怎麼樣？", Fault.MADE_UP),
    ],
)
def test_what_the_model_may_say(text: str, fault: Fault | None) -> None:
    assert written(text) == fault


@pytest.mark.parametrize(
    "text", ["Sure! Here's your message: how did the final exam go?", "How did the exam go? As an AI I care."]
)
def test_an_answer_to_the_prompt_is_no_message(text: str) -> None:
    english = event("User has a final exam", day("2026-09-15"), language="en")
    assert written(text, english, "en") is Fault.LEAK


async def test_whatever_is_wrong_her_own_lines_are_said_instead() -> None:
    writer = FollowUpWriter(character(), ScriptedChat("期末考考到 90 分了嗎？"))
    assert await writer.compose(occasion(EXAM)) == from_lines(character(), occasion(EXAM))


def test_a_public_place_is_told_to_the_model() -> None:
    here = occasion(EXAM, place=Place("g", "c"))
    assert "公開頻道" in follow_up_prompt(character(), here, "")


def test_the_longest_line_of_hers_is_within_the_measure() -> None:
    for language in LANGUAGES:
        for key, variants in character().replies[language].items():
            if key.startswith("check_in."):
                assert all(2 * len(line) <= MAX_WIDTH for line in variants)
