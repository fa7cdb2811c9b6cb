"""Chinese, both scripts. Said on Thursday 2026-10-15 at 10:00 in Taipei unless told otherwise."""

from __future__ import annotations

import pytest

from memory.grounding import resolve
from memory.text import fold_same_length
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at, said, start, stretch

DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "今天": 0,
    "明天": 1,
    "後天": 2,
    "大後天": 3,
    "三天前": -3,
    "十二天後": 12,
    "二十一天前": -21,
    "3天後": 3,
    "廿天後": 20,
    "再過五天": 5,
}


@pytest.mark.parametrize(("word", "away"), DAYS.items())
def test_days_are_counted_from_today(word, away):
    assert start(
        f"我{word}去看展"
    ) == f"2026-{'10' if 1 <= 15 + away <= 31 else '11' if away > 0 else '09'}-" + (
        f"{15 + away:02d}"
        if 1 <= 15 + away <= 31
        else f"{(15 + away) % 31 if away > 0 else 30 + 15 + away:02d}"
    )


@pytest.mark.parametrize("week", ["週", "周", "星期", "禮拜", "個星期", "個禮拜"])
@pytest.mark.parametrize(
    ("prefix", "monday"),
    [
        ("上上", "2026-09-28"),
        ("上", "2026-10-05"),
        ("這", "2026-10-12"),
        ("下", "2026-10-19"),
        ("下下", "2026-10-26"),
    ],
)
def test_weeks_and_their_days_start_on_monday(prefix, week, monday):
    assert start(f"{prefix}{week}一") == monday
    assert said(f"{prefix}{week}").precision.value == "week"
    assert start(f"{prefix}{week}") == monday
    saturday = at(f"{monday}T00:00").replace(day=int(monday[-2:])).date().toordinal() + 5
    assert said(f"{prefix}{week}六").start.date().toordinal() == saturday
    assert said(f"{prefix}{week}末").start.date().toordinal() == saturday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我兩個禮拜後要動手術", "2026-10-26..2026-11-02"),
        ("一個月前養了貓", "2026-09-01..2026-10-01"),
        ("半年後要退伍", "2027-04-01..2027-05-01"),
        ("三年前畢業了", "2023-01-01..2024-01-01"),
        ("兩三天後要搬家", "2026-10-17..2026-10-19"),
        ("半個月後要面試", "2026-10-30..2026-10-31"),
        ("一個半月後要結婚", "2026-11-01..2026-12-01"),
        ("未來五天要值班", "2026-10-16..2026-10-21"),
        ("過去兩週都在出差", "2026-10-01..2026-10-15"),
        ("三天內要繳費", "2026-10-15..2026-10-19"),
        ("半小時後要出門", "2026-10-15T10:30..2026-10-15T10:31"),
        ("一刻鐘前吃了藥", "2026-10-15T09:45..2026-10-15T09:46"),
        ("一個半小時後要上台", "2026-10-15T11:30..2026-10-15T11:31"),
        ("兩小時二十分鐘後要降落", "2026-10-15T12:20..2026-10-15T12:21"),
    ],
)
def test_distances_are_as_exact_as_their_unit(text, expected):
    assert stretch(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天早上", "2026-10-16T06:00"),
        ("明早", "2026-10-16T06:00"),
        ("昨晚", "2026-10-14T18:00"),
        ("今晚", "2026-10-15T18:00"),
        ("後天凌晨", "2026-10-17"),
        ("明天中午", "2026-10-16T11:00"),
        ("前天傍晚", "2026-10-13T17:00"),
        ("下週五下午", "2026-10-23T12:00"),
        ("10月20號晚上", "2026-10-20T18:00"),
    ],
)
def test_parts_of_a_day_join_the_day(text, expected):
    assert start(text) == expected
    assert said(text).precision.value == "daypart"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天下午三點", "15:00"),
        ("明天下午3點半", "15:30"),
        ("明天下午３：１５", "15:15"),
        ("明天晚上八點一刻", "20:15"),
        ("明天晚上八點三刻", "20:45"),
        ("明天早上七點零五分", "07:05"),
        ("明天上午十點二十", "10:20"),
        ("明天中午十二點半", "12:30"),
        ("明天中午一點", "13:00"),
        ("明天凌晨十二點半", "00:30"),
        ("明天21:05", "21:05"),
        ("明天二十一點四十分", "21:40"),
        ("明天差五分八點", "07:55"),
        ("明天八點差十分", "07:50"),
        ("明天十五時三十分", "15:30"),
        ("明天三點", "15:00"),
        ("明天九點", "09:00"),
        ("明天PM 4:30", "16:30"),
        ("明天4:30pm", "16:30"),
        ("明天05:10", "05:10"),
        ("明天傍晚六點", "18:00"),
    ],
)
def test_clocks_join_the_day(text, expected):
    assert said(text).start.strftime("%m-%d %H:%M") == f"10-16 {expected}"
    assert said(text).precision.value == "minute"


@pytest.mark.parametrize("text", ["明天晚上十二點", "明天半夜十二點", "明晚12點"])
def test_midnight_at_the_end_of_an_evening_belongs_to_the_next_day(text):
    assert start(text) == "2026-10-17"


def test_the_small_hours_after_an_evening_belong_to_the_next_day():
    assert start("今晚一點要看球") == "2026-10-16T01:00"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12月24日", "2026-12-24"),
        ("十二月二十四號", "2026-12-24"),
        ("12/24", "2026-12-24"),
        ("2027-01-05", "2027-01-05"),
        ("2027/1/5", "2027-01-05"),
        ("2027年1月5日", "2027-01-05"),
        ("二〇二七年一月五日", "2027-01-05"),
        ("民國116年1月5日", "2027-01-05"),
        ("116年1月5日", "2027-01-05"),
        ("明年一月五號", "2027-01-05"),
        ("下個月三號", "2026-11-03"),
        ("上個月28號", "2026-09-28"),
        ("這個月二十號", "2026-10-20"),
        ("今年十二月一號", "2026-12-01"),
        ("10月20號(二)", "2026-10-20"),
        ("10月20日星期二", "2026-10-20"),
        ("十一月第二個星期六", "2026-11-14"),
        ("下個月最後一個禮拜五", "2026-11-27"),
        ("農曆十月初一", "2026-11-09"),
        ("明年農曆正月十五", "2027-02-20"),
        ("聖誕節前三天", "2026-12-22"),
        ("聖誕節後兩天", "2026-12-27"),
    ],
)
def test_calendar_dates(text, expected):
    assert start(f"{text}要去台東") == expected
    assert said(f"{text}要去台東").precision.value == "day"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下個月", "2026-11-01..2026-12-01"),
        ("上上個月", "2026-08-01..2026-09-01"),
        ("下下個月", "2026-12-01..2027-01-01"),
        ("明年二月", "2027-02-01..2027-03-01"),
        ("月初", "2026-11-01..2026-11-11"),
        ("月底", "2026-10-21..2026-11-01"),
        ("下個月中", "2026-11-11..2026-11-21"),
        ("十一月下旬", "2026-11-21..2026-12-01"),
        ("下個月月底", "2026-11-21..2026-12-01"),
        ("年底", "2026-12-01..2027-01-01"),
        ("明年年初", "2027-01-01..2027-03-01"),
        ("後年", "2028-01-01..2029-01-01"),
        ("明年夏天", "2027-06-01..2027-09-01"),
        ("今年冬天", "2026-12-01..2027-03-01"),
        ("民國116年", "2027-01-01..2028-01-01"),
        ("下半年", "2026-07-01..2027-01-01"),
        ("暑假", "2027-07-01..2027-09-01"),
        ("寒假", "2027-01-21..2027-02-11"),
        ("十月第三週", "2026-10-19..2026-10-26"),
        ("11/3那週", "2026-11-02..2026-11-09"),
    ],
)
def test_stretches_of_the_calendar(text, expected):
    assert stretch(f"{text}要去環島") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("除夕", "2027-02-05"),
        ("大年初二", "2027-02-07"),
        ("元宵節", "2027-02-20"),
        ("清明節", "2027-04-05"),
        ("端午節", "2027-06-09"),
        ("七夕", "2027-08-08"),
        ("中元節", "2027-08-16"),
        ("中秋節", "2027-09-15"),
        ("重陽節", "2026-10-18"),
        ("冬至", "2026-12-22"),
        ("元旦", "2027-01-01"),
        ("情人節", "2027-02-14"),
        ("母親節", "2027-05-09"),
        ("父親節", "2027-08-08"),
        ("國慶日", "2027-10-10"),
        ("聖誕節", "2026-12-25"),
        ("平安夜", "2026-12-24"),
        ("萬聖節", "2026-10-31"),
        ("感恩節", "2026-11-26"),
        ("教師節", "2027-09-28"),
        ("兒童節", "2027-04-04"),
        ("勞動節", "2027-05-01"),
        ("和平紀念日", "2027-02-28"),
        ("復活節", "2027-03-28"),
    ],
)
def test_festivals_ahead(text, expected):
    assert start(f"{text}要回家") == expected


def test_festivals_behind_are_the_last_ones():
    assert start("中秋節烤肉了") == "2026-09-25"
    assert start("端午節划了龍舟") == "2026-06-19"
    assert start("去年聖誕節去了札幌") == "2025-12-25"


def test_a_festival_can_be_another_day_on_the_other_shore():
    assert start("國慶日要放假", zone="Asia/Shanghai") == "2027-10-01"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("國慶連假回台南了", "2026-10-09..2026-10-12"),
        ("元旦連假要去泡湯", "2027-01-01..2027-01-04"),
        ("二二八連假要去露營", "2027-02-27..2027-03-02"),
        ("過年要出國", "2027-02-05..2027-02-11"),
        ("跨年夜要看煙火", "2026-12-31T18:00..2027-01-01"),
        ("除夕夜要圍爐", "2027-02-05T18:00..2027-02-06"),
    ],
)
def test_long_weekends_and_eves(text, expected):
    assert stretch(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10/20到10/23", "2026-10-20..2026-10-24"),
        ("10月20號到23號", "2026-10-20..2026-10-24"),
        ("10/20-23", "2026-10-20..2026-10-24"),
        ("10月20日至11月2日", "2026-10-20..2026-11-03"),
        ("12/30~1/2", "2026-12-30..2027-01-03"),
        ("下週一到週三", "2026-10-19..2026-10-22"),
        ("下週三到五", "2026-10-21..2026-10-24"),
        ("週一到週三", "2026-10-19..2026-10-22"),
        ("明天到後天", "2026-10-16..2026-10-18"),
        ("十一月到明年一月", "2026-11-01..2027-02-01"),
        ("下午三點到五點", "2026-10-15T15:00..2026-10-15T17:00"),
        ("三點到五點", "2026-10-15T15:00..2026-10-15T17:00"),
        ("早上十一點到下午一點", "2026-10-15T11:00..2026-10-15T13:00"),
        ("明天九點到十一點半", "2026-10-16T09:00..2026-10-16T11:30"),
        ("今晚十點到凌晨兩點", "2026-10-15T22:00..2026-10-16T02:00"),
        ("週六下午兩點到四點", "2026-10-17T14:00..2026-10-17T16:00"),
    ],
)
def test_ranges_take_in_their_last_day_and_end_at_their_last_hour(text, expected):
    assert stretch(f"{text}要上課") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("每週三", "weekly:2"),
        ("每個禮拜天", "weekly:6"),
        ("每週一三五", "weekly:0,2,4"),
        ("每週一到五", "weekly:0,1,2,3,4"),
        ("每個週末", "weekly:5,6"),
        ("每週一到週三", "weekly:0,1,2"),
        ("每週二跟週四", "weekly:1,3"),
        ("每天", "daily"),
        ("每天早上七點", "daily"),
        ("每個月5號", "monthly:5"),
        ("每年中秋", "yearly"),
        ("平日", "weekly:0,1,2,3,4"),
    ],
)
def test_what_repeats_is_no_date(text, expected):
    found = said(f"我{text}運動")
    assert not found.resolved
    assert found.recurrence == expected


def test_a_habit_is_no_date():
    assert said("我星期五都會打球").recurrence == "weekly:4"
    assert said("我平常早上喝豆漿").recurrence == "daily"


@pytest.mark.parametrize(
    "text",
    [
        "下禮拜二晚上七點半要跟實驗室聚餐",
        "剛過完國慶連假，兩個禮拜後還有期中考",
        "農曆臘月二十八要回鄉過年",
        "這個週末後天都沒空",
        "半個鐘頭後幫我開會議記錄",
    ],
)
def test_both_scripts_read_alike_and_the_phrase_keeps_its_script(text):
    simplified = fold_same_length(text)
    assert simplified != text

    here, there = resolve(text, at(THURSDAY), TAIPEI), resolve(simplified, at(THURSDAY), TAIPEI)

    assert here
    assert [(item.start, item.end, item.span) for item in here] == [(i.start, i.end, i.span) for i in there]
    assert all(item.phrase == text[item.span[0] : item.span[1]] for item in here)


def test_a_time_of_day_takes_the_day_said_before_it():
    first, second = resolve("下週二要考多益，早上九點入場", at(THURSDAY), TAIPEI)
    assert first.start == at("2026-10-20T00:00")
    assert second.start == at("2026-10-20T09:00")


def test_a_time_of_day_after_a_vague_day_is_no_date():
    found = resolve("那天我下午三點才到", at(THURSDAY), TAIPEI)
    assert not any(item.resolved for item in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下週五六要露營", "2026-10-23..2026-10-25"),
        ("下週六日要露營", "2026-10-24..2026-10-26"),
        ("三週後的週末要露營", "2026-11-07..2026-11-09"),
        ("上次跨年去了墾丁", "2025-12-31T18:00..2026-01-01"),
        ("我週二四要上課", "weekly:1,3"),
    ],
)
def test_several_weekdays_said_in_one_breath(text, expected):
    assert stretch(text) == expected


def test_of_two_days_joined_by_or_neither_is_sure():
    found = resolve("下週六或下週日要爬山", at(THURSDAY), TAIPEI)
    assert [item.ambiguous for item in found] == [True, True]
    assert found[0].readings == tuple(reversed(found[1].readings))


def test_what_is_called_off_keeps_its_day():
    assert start("原本週六的聚餐要取消") == "2026-10-17"
