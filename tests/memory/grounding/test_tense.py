"""Which way words look."""

from __future__ import annotations

import pytest

from memory.grounding import Tense, tense_of

PAST = [
    "考完了",
    "剛考完",
    "終於放假了",
    "已經交出去了",
    "去過花蓮",
    "昨天沒去上課",
    "我吃了藥",
    "面試結束",
    "后来就分手了",
    "我刚到家",
    "曾經住過那裡",
    "開完會了",
    "I saw her",
    "we finally finished",
    "she went home",
    "I just ate",
    "they were late",
    "I walked there",
    "行ってきました",
    "昨日は休みだった",
    "やっと終わった",
    "映画を見た",
]
FUTURE = [
    "要考試",
    "打算搬家",
    "快考試了",
    "會去看牙醫",
    "準備面試",
    "預計完工",
    "記得提醒我",
    "別忘了交報告",
    "還要兩天",
    "就要畢業了",
    "明天會下雨",
    "即將開演",
    "将要出国",
    "I will go",
    "we're going to move",
    "I'm leaving",
    "she'll call",
    "I have an exam",
    "planning to quit",
    "let's meet",
    "remind me",
    "行く予定です",
    "会うつもり",
    "出張します",
    "遊びに行こう",
]
NONE = [
    "很重要",
    "需要幫忙",
    "不要",
    "開會",
    "演唱會好看",
    "機會難得",
    "社會新聞",
    "難過",
    "不過",
    "過年",
    "了解",
    "好吃",
    "nice weather",
    "a red bed",
    "天気がいい",
    "",
]


@pytest.mark.parametrize("text", PAST)
def test_looking_back(text):
    assert tense_of(text) is Tense.PAST


@pytest.mark.parametrize("text", FUTURE)
def test_looking_ahead(text):
    assert tense_of(text) is Tense.FUTURE


@pytest.mark.parametrize("text", NONE)
def test_words_that_tell_nothing(text):
    assert tense_of(text) is Tense.NONE


def test_both_scripts_tell_the_same():
    assert tense_of("剛過完國慶") is tense_of("刚过完国庆")
    assert tense_of("準備要開會") is tense_of("准备要开会")
