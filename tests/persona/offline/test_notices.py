"""What a server's admins wrote: an answer to what she knows nothing of, and to nothing else."""

from __future__ import annotations

import pytest

from memory.catalog import LANGUAGES
from memory.places import Place
from memory.recollection import Recollection
from persona.offline.engine import offline_reply
from persona.situation import Reply, Situation
from tests.persona.scenes import NOW, character

RAID = "每週六晚上九點在港口集合"


def answered(text: str, *notices: str, who: str = "lily", language: str = "zh-TW") -> Reply:
    nothing = Recollection(NOW, "Asia/Taipei", language, Place("1", "2"))
    situation = Situation(text=text, recollection=nothing, now=NOW, language=language, notices=notices)
    return offline_reply(character(who), situation)


@pytest.mark.parametrize("who", ["lily", "shike"])
@pytest.mark.parametrize("text", ["公會戰什麼時候？", "公會戰在哪裡集合？", "你知道公會戰嗎"])
def test_a_question_she_knows_nothing_about_is_answered_with_it(text: str, who: str) -> None:
    reply = answered(text, RAID, who=who)
    assert RAID in reply.text
    assert reply.why == "notice"


@pytest.mark.parametrize("text", ["我明天要打公會戰", "公會戰好累喔", "公會戰贏了！"])
def test_what_asks_nothing_is_answered_as_ever(text: str) -> None:
    assert answered(text, RAID) == answered(text)


def test_without_one_she_says_that_she_does_not_know() -> None:
    assert answered("公會戰什麼時候？").why == "recall.when.unknown"


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_one_line_whatever_was_written_and_fills_no_place_of_hers(language: str) -> None:
    text = {"zh-TW": "公會戰什麼時候？", "en": "When is the guild raid?", "ja": "ギルド戦はいつ？"}[language]
    reply = answered(text, "A {name}\n```B```", language=language)
    assert "A {name} '''B'''" in reply.text
