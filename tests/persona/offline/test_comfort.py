"""What weighs on a message is met as it weighs: losses warmly, worries and joys by their tone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import opencc
import pytest

from llm.protocols import Speaker, Turn
from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.model import Category
from persona.offline.clauses import clauses_of
from persona.offline.engine import offline_reply
from persona.situation import Reply, Situation
from tests.persona.scenes import NOW, character, event, memory, recalled, situation

NAME = memory("使用者叫小魚", Category.NAME, attribute="name")
# What she never says where it hurts.
FLIPPANT = ("哼", "笨蛋", "哈", "好玩", "精彩", "打算怎麼辦", "無聊", "笑", "不算壞事")


def said(text: str, *before: str, hers: tuple[str, ...] = (), language: str = "zh-TW") -> Situation:
    told = extract_by_rules(
        ExtractionRequest(text=text, said_at=NOW, zone="Asia/Taipei", language=language)
    ).facts
    turns = [Turn(Speaker.PERSON, line) for line in (*before, text)]
    return situation(text, language=language, profile=[NAME], told=told, turns=turns, recent=hers)


def reply(text: str, *before: str, hers: tuple[str, ...] = (), who: str = "lily") -> Reply:
    return offline_reply(character(who), said(text, *before, hers=hers))


@pytest.mark.parametrize("who", ["lily", "shike"])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("豆豆上禮拜去當小天使了", "loss.death"),
        ("我外婆昨天走了", "loss.death"),
        ("倉鼠死掉了嗚嗚", "loss.death"),
        ("我們離婚了", "loss.breakup"),
        ("被女友甩了", "loss.breakup"),
        ("爸爸中風住院", "loss.illness"),
        ("我出車禍了", "loss.illness"),
        ("今天被公司資遣", "loss.job"),
        ("被學長當眾嘲笑", "loss.hurt"),
        ("客人一直罵我", "loss.hurt"),
    ],
)
def test_a_loss_is_met_warmly_in_either_script(text: str, why: str, who: str) -> None:
    for written in (text, opencc.OpenCC("t2s").convert(text)):
        answer = reply(written, who=who)
        assert answer.why == why
        assert not any(word in answer.text for word in FLIPPANT)


@pytest.mark.parametrize(
    ("language", "text", "why"),
    [
        ("en", "My dog passed away last night", "loss.death"),
        ("en", "I got laid off today", "loss.job"),
        ("en", "we broke up", "loss.breakup"),
        ("ja", "昨日うちの犬が亡くなりました", "loss.death"),
        ("ja", "会社をクビになった", "loss.job"),
    ],
)
def test_a_loss_is_met_warmly_in_english_and_japanese(language: str, text: str, why: str) -> None:
    assert offline_reply(character(), said(text, language=language)).why == why


@pytest.mark.parametrize("who", ["lily", "shike"])
@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
@pytest.mark.parametrize("key", ["listen", "hear.sad", "hear.heavy"])
def test_the_lines_for_what_she_does_not_understand_fit_any_content(
    key: str, language: str, who: str
) -> None:
    for line in character(who).variants(key, language):
        assert not any(word in line for word in (*FLIPPANT, "Hmph", "dummy", "fun", "ふん", "バカ"))


def test_what_is_said_after_a_loss_is_heard_quietly() -> None:
    first = reply("咪咪過世了")
    second = reply("牠陪了我十年", "咪咪過世了", hers=(first.text,))
    third = reply("以前都是牠叫我起床", "咪咪過世了", "牠陪了我十年", hers=(first.text, second.text))
    assert [second.why, third.why] == ["hear.heavy", "hear.heavy"]
    assert len({first.text, second.text, third.text}) == 3


def test_after_some_hours_the_talk_begins_anew() -> None:
    hers = (reply("咪咪過世了").text,)
    later = replace(said("今天去公園走走", "咪咪過世了", hers=hers), since_last=timedelta(days=3))
    assert offline_reply(character(), later).why == "listen"


def test_good_news_ends_a_heavy_thread() -> None:
    answer = reply("我們和好了！", "她說我很自私", hers=(reply("她說我很自私").text,))
    assert answer.why == "hear.glad"


def test_self_reproach_is_answered_and_never_looked_up() -> None:
    assert reply("我是不是沒有照顧好牠", "咪咪過世了").why == "self_blame"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("風景超漂亮", "hear.glad"),
        ("不知道怎麼跟家人開口", "hear.sad"),
        ("房貸還有二十年", "hear.sad"),
        ("今天好一點了", "better"),
        ("算了", "give_up"),
        ("騙你的啦", "joke"),
        ("喵喵", "play"),
        ("你會一直在嗎", "self.stay"),
        ("我會考過嗎", "question.chance"),
        ("多益成績出來了", "event.done.result"),
    ],
)
def test_a_message_is_answered_by_how_it_sounds(text: str, why: str) -> None:
    assert reply(text).why == why


@pytest.mark.parametrize("text", ["我又沒做錯什麼", "我還是很累", "昨天夢到我跟你說話"])
def test_what_only_looks_like_a_question_is_none(text: str) -> None:
    assert not reply(text).why.startswith(("recall.", "question"))


@pytest.mark.parametrize("text", ["小安問我外公去哪裡了", "老師問我要不要參加比賽"])
def test_what_others_asked_is_no_question_to_her(text: str) -> None:
    assert not reply(text).why.startswith("recall.")


def test_what_others_say_of_somebody_is_not_how_they_feel() -> None:
    assert not reply("老公都說我太緊張").why.startswith("mood.")


def test_a_funeral_ahead_is_no_new_death() -> None:
    assert reply("告別式是下週六").why == "event.planned.gentle"


def test_a_visit_to_somebody_ill_is_planned_gently() -> None:
    assert reply("下週五要回老家看爺爺，他住院了").why == "event.planned.gentle"


@pytest.mark.parametrize("text", ["出差很順利，客戶簽約了", "提案通過了，客戶超滿意"])
def test_how_work_went_is_answered_by_its_outcome(text: str) -> None:
    answer = reply(text)
    assert answer.why in {"outcome.good", "hear.glad"}
    assert "好玩" not in answer.text


GREETINGS = [
    "嗨莉莉",
    "哈囉莉莉！",
    "早安呀莉莉",
    "莉莉～",
    "莉莉莉莉",
    "ㄤㄤ莉莉",
    "哈囉莉莉好久不見",
    "欸莉莉你好",
]


@pytest.mark.parametrize("text", GREETINGS)
def test_a_greeting_with_her_name_is_a_greeting(text: str) -> None:
    assert reply(text).why.startswith("greeting.")


@pytest.mark.parametrize("text", ["我喜歡莉莉", "你是莉莉", "謝謝莉莉"])
def test_words_about_her_keep_her_name_where_it_matters(text: str) -> None:
    assert not reply(text).why.startswith("greeting.")


def test_a_worry_before_a_known_exam_is_tied_to_it_though_no_word_points_to_it() -> None:
    exam = event("使用者要考多益", NOW + timedelta(hours=12), "明天")
    one = said("我好緊張")
    near = replace(one, recollection=replace(one.recollection, upcoming=(recalled(exam),)))
    answer = offline_reply(character(), near)
    assert answer.why == "mood.nervous.because"
    assert "多益" in answer.text


def test_clauses_lose_laughter_and_playful_spelling() -> None:
    assert clauses_of("今天ㄏ無聊ㄟ XD") == clauses_of("今天好無聊欸")
    assert clauses_of("哈哈哈") == ["哈哈哈"]
