"""What the three people of the walk say, each in a language of their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lines:
    """One person's words. ``facts`` is three messages of eight facts each; ``mark`` is in all of them."""

    name: str
    locale: str
    language: str
    facts: tuple[str, str, str]
    mark: str
    allergy: str
    allergen: str
    exam: str
    exam_word: str
    hello: str
    small_talk: tuple[str, ...]
    question: str
    public: str
    pet: str
    pet_word: str
    forget: str
    wrong: str
    keep: str
    edited: str


def _each(pattern: str, end: str, things: str) -> tuple[str, str, str]:
    sentences = [pattern.format(thing) for thing in things.split()]
    first, second, third = (end.join(sentences[at : at + 8]) for at in (0, 8, 16))
    return first, second, third


CHINESE = Lines(
    name="ming",
    locale="zh-TW",
    language="zh-TW",
    facts=_each(
        "我喜歡{}",
        "。",
        "爬山 游泳 畫畫 下棋 釣魚 攝影 滑雪 露營 烘焙 書法 潛水 陶藝 "
        "跳舞 唱歌 騎車 看海 種花 插花 品茶 賞鳥 桌球 羽球 拼圖 刺繡",
    ),
    mark="喜歡",
    allergy="我對花生過敏",
    allergen="花生",
    exam="我下週二有期末考",
    exam_word="期末考",
    hello="你好",
    small_talk=("今天好熱", "好無聊喔", "早安", "晚安"),
    question="我對什麼過敏？",
    public="我住在台北",
    pet="我養了一隻狗",
    pet_word="狗",
    forget="忘掉我對花生過敏的事",
    wrong="你記錯了",
    keep="密碼提示是藍色的門",
    edited="使用者喜歡爬百岳",
)

ENGLISH = Lines(
    name="ann",
    locale="en-US",
    language="en",
    facts=_each(
        "I love {}",
        ". ",
        "hiking swimming drawing chess fishing photography skiing camping baking calligraphy diving pottery "
        "dancing singing cycling sailing gardening knitting tea birdwatching tennis badminton puzzles sewing",
    ),
    mark="loves",
    allergy="I am allergic to peanuts",
    allergen="peanut",
    exam="I have an exam next Tuesday",
    exam_word="exam",
    hello="hello there",
    small_talk=("so hot today", "I am so bored", "good morning", "good night"),
    question="What am I allergic to?",
    public="I live in Taipei",
    pet="I have a dog",
    pet_word="dog",
    forget="forget that I am allergic to peanuts",
    wrong="you got that wrong",
    keep="the hint is a blue door",
    edited="The user loves climbing high mountains",
)

JAPANESE = Lines(
    name="kenji",
    locale="ja",
    language="ja",
    facts=_each(
        "{}が好きです",
        "。",
        "登山 水泳 絵画 将棋 釣り 写真 スキー キャンプ 料理 書道 潜水 陶芸 "
        "ダンス 歌 自転車 ヨット 園芸 編み物 お茶 野鳥 テニス 卓球 パズル 刺繍",
    ),
    mark="好き",
    allergy="ピーナッツアレルギーがあります",
    allergen="ピーナッツ",
    exam="来週の火曜日に試験があります",
    exam_word="試験",
    hello="こんにちは",
    small_talk=("今日は暑いね", "ひまだなあ", "おはよう", "おやすみなさい"),
    question="わたしは何のアレルギーがありますか？",
    public="台北に住んでいます",
    pet="犬を飼っています",
    pet_word="犬",
    forget="ピーナッツアレルギーのことを忘れて",
    wrong="それは覚え間違いだよ",
    keep="ヒントは青いドア",
    edited="ユーザーは高い山が好きです",
)

EVERYBODY = (CHINESE, ENGLISH, JAPANESE)
