"""Each kind of small talk is understood, in any script and all three languages."""

from __future__ import annotations

import opencc
import pytest

from memory.model import Category
from persona.offline.engine import offline_reply
from tests.persona.scenes import PROFILE, character, memory, situation

CHINESE = """
謝謝 = thanks
對不起 = apology
晚安 = good_night.night
掰掰 = goodbye
你好可愛 = compliment
你好笨 = insult
傲嬌 = tease
抱抱 = affection
想你了 = miss_you
哈哈 = laugh
😂🤣 = emoji
嗯 = ack
我回來了 = home
嗨我回來了 = home
我要去上班了 = leaving
吃飽了 = ate
好累 = mood.tired
好難過 = mood.sad
好開心 = mood.happy
壓力好大 = mood.stressed
好無聊 = mood.bored
氣死我了 = mood.angry
好孤單 = mood.lonely
我發燒了 = mood.sick
好緊張 = mood.nervous
肚子餓 = mood.hungry
好想睡 = mood.sleepy
我是不是很沒用 = mood.self_doubt
你叫什麼 = self.name
你是誰 = self.who
你幾歲 = self.age
你喜歡什麼 = self.likes
你討厭什麼 = self.dislikes
你在幹嘛 = self.doing
你住哪 = self.home
你喜歡我嗎 = self.likes_me
你會不會覺得我很煩 = self.likes_me
你最近好嗎 = self.feeling
你會做什麼 = self.skills
講個笑話 = request.joke
忘掉我生日的事 = request.forget
把這件事忘了 = request.forget
幫我寫作文 = request.any
你可以幫我寫一段程式嗎 = request.any
為什麼天空是藍的 = question.why
黑洞是什麼 = question.any
我該怎麼辦 = question.advice
我升職了 = news.good
我跟室友吵架了 = news.bad
今天去公園走走 = listen
"""
ELSEWHERE = """
en = Good morning = greeting.late_riser
en = thanks! = thanks
en = I'm so tired = mood.tired
en = what's your name? = self.name
en = what time is it? = clock.time
en = why is the sky blue? = question.why
en = you're cute = compliment
en = good night = good_night.night
en = lol = laugh
en = please forget that = request.forget
en = I'm bored = mood.bored
ja = おはよう = greeting.late_riser
ja = ありがとう = thanks
ja = 疲れた = mood.tired
ja = お名前は？ = self.name
ja = 今何時？ = clock.time
ja = かわいいね = compliment
ja = おやすみ = good_night.night
ja = ばか = insult
ja = それは忘れて = request.forget
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(" = ") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("text", "why"), rows(CHINESE))
def test_chinese_small_talk_is_understood_in_either_script(text: str, why: str) -> None:
    for written in (text, opencc.OpenCC("t2s").convert(text)):
        reply = offline_reply(character(), situation(written, profile=PROFILE[:1]))
        assert reply.why.split("+")[0] == why


@pytest.mark.parametrize(("language", "text", "why"), rows(ELSEWHERE))
def test_english_and_japanese_small_talk_is_understood(language: str, text: str, why: str) -> None:
    name = memory("The user's name is Ken", Category.NAME)
    reply = offline_reply(character(), situation(text, language=language, profile=[name]))
    assert reply.why.split("+")[0] == why


def test_how_somebody_feels_comes_before_what_happened() -> None:
    assert offline_reply(character(), situation("今天心情很差，跟媽媽吵架了")).why == "mood.sad"
