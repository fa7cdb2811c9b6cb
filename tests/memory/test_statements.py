from __future__ import annotations

import pytest

from memory.model import Category
from memory.statements import (
    SINGLE_VALUED,
    Aspect,
    attribute_of,
    is_single_valued,
    parse_statement,
    same_value,
    subject_key,
)

SLOTS = [
    ("使用者叫佳蓉", "name", "佳蓉"),
    ("我叫佳蓉", "name", "佳蓉"),
    ("使用者現在的名字是品妍。", "name", "品妍"),
    ("My name is Ada Lovelace", "name", "ada lovelace"),
    ("私の名前は健太です", "name", "健太"),
    ("使用者希望被叫「小鹿」", "nickname", "小鹿"),
    ("The user goes by Max", "nickname", "max"),
    ("使用者住在基隆", "home", "基隆"),
    ("我上週搬到屏東了", "home", "屏东"),
    ("The user moved to Tokyo last year", "home", "东京"),
    ("使用者是金門人", "hometown", "金门"),
    ("使用者十一月二號生日", "birthday", "11-02"),
    ("The user's birthday is Nov 2nd", "birthday", "11-02"),
    ("使用者今年二十四歲", "age", "24"),
    ("使用者是獸醫", "job", "兽医"),
    ("使用者失業了", "job", "none"),
    ("使用者在國小教書", "job", "老师"),
    ("The user is a nurse at a small clinic", "job", "护理师"),
    ("使用者念台科大", "school", "台科大"),
    ("使用者升上大三了", "grade", "大三"),
    ("使用者身高 181 公分", "height", "181"),
    ("使用者瘦到 58 公斤", "weight", "58"),
    ("使用者是AB型", "blood_type", "ab"),
    ("使用者是水瓶座", "zodiac", "水瓶"),
    ("使用者還沒結婚", "marital", "unmarried"),
    ("使用者是ENFP", "mbti", "enfp"),
    ("使用者最喜歡的顏色是紫色", "favorite:颜色", "紫色"),
    ("使用者最討厭的科目是化學", "least:科目", "化学"),
    ("使用者討厭吃茄子", "food:茄子", "茄子"),
    ("The user hates eggplant", "food:茄子", "茄子"),
    ("使用者愛喝烏龍茶", "drink:乌龙茶", "乌龙茶"),
    ("使用者養了一隻倉鼠", "pet:仓鼠", "仓鼠"),
    ("使用者會拉大提琴", "skill:大提琴", "大提琴"),
    ("使用者對塵蟎過敏", "allergy:尘螨", "尘螨"),
]


@pytest.mark.parametrize(("text", "slot", "value"), SLOTS)
def test_a_sentence_fills_its_slot_with_its_value(text: str, slot: str, value: str) -> None:
    parsed = parse_statement(text)
    assert (parsed.slot, parsed.value) == (slot, value)


NO_SLOT = [
    "使用者大學時住在台中",
    "使用者以前住在嘉義",
    "使用者說如果退休就搬去花蓮",
    "使用者打算搬到桃園",
    "使用者不住在新竹",
    "使用者叫了外送",
    "使用者的公司名字是晨星",
    "使用者叫小美幫忙買菜",
    "使用者叫媽媽起床",
    "使用者是醫生的女兒",
    "使用者討厭處女座",
    "使用者的偶像今年40歲",
    "使用者的手機電量掉到20",
    "使用者的櫃子高180公分",
    "使用者這週住在飯店",
    "使用者今天搭計程車去上班",
    "The user has a type A personality",
    "The user used to live in Rome",
    "The user would move to Hawaii if they could",
]


@pytest.mark.parametrize("text", NO_SLOT)
def test_what_is_past_supposed_planned_or_denied_fills_no_single_slot(text: str) -> None:
    slot = attribute_of(text)
    assert slot is None or not is_single_valued(slot)


def test_traditional_and_simplified_give_the_same_slot_key() -> None:
    assert attribute_of("使用者養了一隻貓") == attribute_of("用户养了一只猫")


def test_names_that_sound_alike_stay_two_names() -> None:
    assert same_value("name", "使用者叫王小明", "使用者叫王曉明") is False


def test_the_same_name_in_two_scripts_is_one() -> None:
    assert same_value("name", "使用者叫陳怡靜", "使用者叫陈怡静") is True


def test_a_vaguer_place_is_the_same_value_and_a_finer_one_cannot_be_told() -> None:
    assert same_value("home", "使用者住在高雄鼓山", "使用者住在高雄") is True
    assert same_value("home", "使用者住在高雄", "使用者住在高雄鼓山") is None


def test_values_cannot_be_compared_where_a_sentence_does_not_fill_the_slot() -> None:
    assert same_value("home", "使用者住在高雄", "使用者喜歡高雄") is None


def test_a_schedule_gets_its_topic_as_attribute() -> None:
    assert attribute_of("使用者下週二有期末考", Category.SCHEDULE) == "event:期末考"
    assert attribute_of("使用者後天很忙", Category.SCHEDULE) is None


def test_the_name_of_a_pet_never_fills_the_name_of_the_person() -> None:
    assert attribute_of("使用者的貓叫布丁") == "pet:猫"


SUBJECTS = [
    ("使用者的媽媽是會計", "妈妈"),
    ("媽媽是會計", "妈妈"),
    ("我媽是會計", "妈妈"),
    ("使用者的表哥住在台東", "表哥"),
    ("The user's aunt lives in Rome", "阿姨"),
    ("使用者和媽媽一起住", "user"),
    ("我喜歡散步", "user"),
    ("Ken is the user's partner", "user"),
]


@pytest.mark.parametrize(("text", "subject"), SUBJECTS)
def test_a_sentence_is_about_whom_it_leads_with(text: str, subject: str) -> None:
    assert parse_statement(text).subject == subject


def test_subjects_are_compared_across_words_and_languages() -> None:
    assert subject_key("母親") == subject_key("my mom") == subject_key("媽媽")
    assert subject_key("user") == subject_key("使用者")
    assert subject_key("小美") != subject_key("小梅")


STANCES = [
    ("使用者喜歡吃苦瓜", 1),
    ("使用者不喜歡吃苦瓜", -1),
    ("苦瓜我一點都不喜歡", -1),
    ("使用者無咖啡不歡", 1),
    ("The user doesn't like jazz", -1),
    ("使用者住在台北", 0),
]


@pytest.mark.parametrize(("text", "stance"), STANCES)
def test_the_stance_counts_the_negation(text: str, stance: int) -> None:
    assert parse_statement(text).polarity == stance


ASPECTS = [
    ("使用者打算學潛水", Aspect.PLANNED),
    ("使用者終於學完潛水", Aspect.DONE),
    ("使用者放棄學潛水", Aspect.STOPPED),
    ("使用者的潛水課取消了", Aspect.CANCELLED),
    ("使用者的潛水課延到下週", Aspect.MOVED),
    ("使用者說如果有錢就去學潛水", Aspect.HYPOTHETICAL),
    ("使用者在學潛水", Aspect.STATE),
]


@pytest.mark.parametrize(("text", "aspect"), ASPECTS)
def test_the_aspect_tells_plans_from_facts(text: str, aspect: Aspect) -> None:
    assert parse_statement(text).aspect is aspect


def test_dates_written_in_different_ways_give_the_same_key() -> None:
    keys = [
        parse_statement(text).dates for text in ("九月六號", "9/6", "9月6日", "September 6th", "6 September")
    ]
    assert all("md:09-06" in found for found in keys)


def test_numbers_in_characters_and_digits_are_one() -> None:
    assert parse_statement("使用者有三隻貓").numbers == parse_statement("使用者有3隻貓").numbers


def test_idioms_are_no_numbers() -> None:
    assert parse_statement("使用者跟朋友一起吃三明治").numbers == ()


def test_the_slot_of_a_second_job_stays_free() -> None:
    assert attribute_of("使用者兼職當家教") is None


def test_every_favorite_holds_one_value() -> None:
    assert is_single_valued("favorite:颜色")
    assert not is_single_valued("food:香菜")
    assert "name" in SINGLE_VALUED
