"""What must not become a date: a wrong date is worse than none."""

from __future__ import annotations

import pytest

from memory.grounding import dates_memory, resolve
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at

NO_TIME = [
    "這雙鞋子2400元",
    "特價NT$1,299",
    "便當一個85塊",
    "打折剩3/4的價錢",
    "客隊以98比95贏了",
    "比數是 3:2",
    "他三十五歲",
    "我讀了三天",
    "等了兩個小時",
    "跑了五公里",
    "睡了十二個小時",
    "這本寫了半年",
    "當了三年兵",
    "我在看《2012》",
    "《1987》很好看",
    "請回答1988",
    "等我一下",
    "一下子就好",
    "二話不說就答應",
    "這一點很重要",
    "快一點啦",
    "多吃一點",
    "我有點累",
    "一點都不好笑",
    "我有三點要補充",
    "第三點我不同意",
    "他們五個人",
    "我跟他倆",
    "iOS 18.2.1 更新了",
    "Python v3.12",
    "電話 0912-345-678",
    "02-2345-6789",
    "房號1203",
    "我搭2號線",
    "住三號樓",
    "7-11便當",
    "24/7 營業",
    "一天到晚抱怨",
    "三天兩頭感冒",
    "一日三餐",
    "下午茶吃什麼",
    "五月天的歌",
    "周杰倫的歌",
    "月亮好圓",
    "九份芋圓",
    "一二三木頭人",
    "三年級學生",
    "一百二十三號",
    "吃元宵",
    "節日氣氛",
    "生日快樂",
    "晚安",
    "早安",
    "週年慶",
    "四季如春",
    "1/2杯牛奶",
    "一週三次",
    "兩點一線的生活",
    "http://a.tw/2026/10/15",
    "I'm 25 years old",
    "it cost $12.50",
    "we won 3-2",
    "version 3.2.1",
    "chapter 5",
    "call 555-123-4567",
    "I studied for three hours",
    "wait a second",
    "second floor",
    "may I ask",
    "they marched on",
    "sun is shining",
    "good morning",
    "a night out",
    "at least 5 people",
    "it's 50% off",
    "two at a time",
    "day by day",
    "half of them",
    "1984 is a classic",
    "spring rolls",
    "I fall asleep",
    "the first time",
    "3日間勉強した",
    "2時間待った",
    "日本の歌",
    "一番好き",
]

VAGUE = [
    "有空的時候再約",
    "等我有錢再說",
    "小時候住台南",
    "以前養過貓",
    "哪天一起吃飯",
    "改天再聊",
    "有一天想環島",
    "總有一天會成功",
    "期末考週好累",
    "那時候很窮",
    "最近好累",
    "前陣子失戀了",
    "過幾天再看",
    "前幾天感冒了",
    "好幾個月前買的",
    "十幾天前的事",
    "幾年前去過",
    "考完三天後要出國",
    "畢業兩年後才工作",
    "我下輩子要當貓",
    "隔天早上九點就走了",
    "某天下午",
    "改天晚上再約",
    "第二天去了海邊",
    "晚點再說",
    "等一下去洗澡",
    "幾點要出門",
    "什麼時候回來",
    "星期幾要考",
    "I'll go someday",
    "the other day I cried",
    "see you soon",
    "a few days ago I quit",
    "when I was a kid",
    "in finals week",
    "that day at 3pm",
    "the next day",
    "いつか行きたい",
    "この前会った",
    "子供の頃の話",
    "そのうち行く",
    "15年3月2日",
    "生日前三天",
    "9/16(一)要交",
    "2026年2月30日",
]


@pytest.mark.parametrize("text", NO_TIME)
def test_what_only_looks_like_time_gives_nothing(text):
    assert [item.phrase for item in resolve(text, at(THURSDAY), TAIPEI)] == []


@pytest.mark.parametrize("text", VAGUE)
def test_what_is_no_sure_date_stays_unresolved(text):
    found = resolve(text, at(THURSDAY), TAIPEI)

    assert not any(item.resolved for item in found)
    assert not any(dates_memory(item) for item in found)


def test_a_weekday_that_contradicts_its_date_leaves_both_unresolved():
    (found,) = resolve("10月16日星期四要開庭", at(THURSDAY), TAIPEI)
    assert not found.resolved


@pytest.mark.parametrize(
    "text",
    [
        "10/20(二)",
        "10月20日（週二）",
        "10月20日星期二",
        "10月20日禮拜二",
        "Tuesday, October 20",
        "10月20日(火)",
    ],
)
def test_a_weekday_that_confirms_its_date_goes_with_it(text):
    (found,) = resolve(text, at(THURSDAY), TAIPEI)
    assert found.start == at("2026-10-20T00:00")


@pytest.mark.parametrize(
    "text",
    [
        "I met him 1 month 21 days ago",
        "the fifth Sunday was fun",
        "I sat down",
        "the cards came one by one",
        "Rome wasn't built in a day",
        "a photo of a city at night",
        "you will be the first to know",
    ],
)
def test_an_english_date_read_by_half_is_no_date(text):
    assert not any(item.resolved for item in resolve(text, at(THURSDAY), TAIPEI))
