from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory.grounding import resolve
from memory.model import Kind, Precision
from memory.wording import clock_anchor, event_when, relative_day, said_ago, spoken_date
from tests.memory.recall_builders import TAIPEI, at, event, exam, remember

NOW = at("2026-09-12 21:30")


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("2026-09-12 21:30", "剛剛說的"),
        ("2026-09-12 21:31", "剛剛說的"),
        ("2026-09-12 21:25", "5 分鐘前說的"),
        ("2026-09-12 18:10", "3 小時前說的"),
        ("2026-09-11 23:50", "昨天說的"),
        ("2026-09-09 23:59", "3 天前說的"),
        ("2025-08-08 10:00", "400 天前說的"),
    ],
)
def test_how_long_ago_something_was_said_is_told_as_people_do(moment: str, said: str) -> None:
    assert said_ago(at(moment), NOW, TAIPEI, "zh-TW") == said


def test_an_evening_that_crossed_midnight_is_still_told_in_hours() -> None:
    assert said_ago(at("2026-09-12 22:30"), at("2026-09-13 01:00"), TAIPEI, "zh-TW") == "2 小時前說的"


def test_days_are_counted_on_the_calendar_not_in_24_hours() -> None:
    assert said_ago(at("2026-09-10 23:30"), at("2026-09-12 00:30"), TAIPEI, "zh-TW") == "2 天前說的"


def test_the_calendar_is_that_of_the_zone() -> None:
    moment, now = datetime(2026, 9, 10, 15, tzinfo=UTC), datetime(2026, 9, 11, 18, tzinfo=UTC)
    assert said_ago(moment, now, TAIPEI, "zh-TW") == "2 天前說的"
    assert said_ago(moment, now, "UTC", "zh-TW") == "昨天說的"


@pytest.mark.parametrize(("language", "words"), [("zh-TW", "過去"), ("en", "some time ago"), ("ja", "以前")])
def test_an_unknown_moment_lies_in_the_past(language: str, words: str) -> None:
    assert said_ago(None, NOW, TAIPEI, language) == words


@pytest.mark.parametrize(
    ("language", "words"), [("zh-TW", "不久前"), ("en", "not long ago"), ("ja", "少し前")]
)
def test_a_broken_moment_was_not_long_ago(language: str, words: str) -> None:
    assert said_ago(None, NOW, TAIPEI, language, broken=True) == words


@pytest.mark.parametrize(
    ("language", "words"), [("en", "said 3 days ago"), ("ja", "3日前に聞いた"), ("en-GB", "said 3 days ago")]
)
def test_other_languages_have_their_own_words(language: str, words: str) -> None:
    assert said_ago(at("2026-09-09 20:00"), NOW, TAIPEI, language) == words


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 9, 12), "今天"),
        (date(2026, 9, 13), "明天"),
        (date(2026, 9, 16), "還有 4 天"),
        (date(2026, 9, 11), "昨天"),
        (date(2026, 9, 10), "已過 2 天"),
    ],
)
def test_a_day_is_told_by_its_distance(day: date, words: str) -> None:
    assert relative_day(day, NOW, TAIPEI, "zh-TW") == words


def test_a_minute_before_midnight_tomorrow_is_still_tomorrow() -> None:
    assert relative_day(date(2026, 9, 13), at("2026-09-12 23:59"), TAIPEI, "zh-TW") == "明天"
    assert relative_day(date(2026, 9, 13), at("2026-09-13 00:00"), TAIPEI, "zh-TW") == "今天"


@pytest.mark.parametrize(
    ("start", "end", "precision", "words"),
    [
        ("2026-09-15 00:00", "2026-09-16 00:00", Precision.DAY, "2026-09-15 星期二"),
        ("2026-09-15 15:00", "2026-09-15 15:01", Precision.MINUTE, "2026-09-15 星期二 15:00"),
        ("2026-09-15 15:00", "2026-09-15 16:00", Precision.HOUR, "2026-09-15 星期二 15:00"),
        ("2026-09-15 15:00", "2026-09-15 17:30", Precision.RANGE, "2026-09-15 星期二 15:00–17:30"),
        ("2026-09-15 12:00", "2026-09-15 18:00", Precision.DAYPART, "2026-09-15 星期二 下午"),
        ("2026-09-15 11:00", "2026-09-15 13:00", Precision.DAYPART, "2026-09-15 星期二 中午"),
        ("2026-09-15 18:00", "2026-09-16 00:00", Precision.DAYPART, "2026-09-15 星期二 晚上"),
        ("2026-09-19 00:00", "2026-09-21 00:00", Precision.WEEKEND, "2026-09-19 星期六 到 2026-09-20 星期日"),
        ("2026-09-14 00:00", "2026-09-19 00:00", Precision.RANGE, "2026-09-14 星期一 到 2026-09-18 星期五"),
        ("2026-09-21 00:00", "2026-10-01 00:00", Precision.MONTH_PART, "2026 年 9 月下旬"),
        ("2026-09-01 00:00", "2026-10-01 00:00", Precision.MONTH, "2026 年 9 月"),
        ("2026-01-01 00:00", "2027-01-01 00:00", Precision.YEAR, "2026 年"),
    ],
)
def test_a_date_is_told_as_exactly_as_it_was_said(
    start: str, end: str, precision: Precision, words: str
) -> None:
    assert spoken_date(at(start), at(end), precision, TAIPEI, "zh-TW") == words


@pytest.mark.parametrize(("language", "words"), [("en", "late September 2026"), ("ja", "2026年9月下旬")])
def test_parts_of_a_month_have_names_in_every_language(language: str, words: str) -> None:
    start, end = at("2026-09-21 00:00"), at("2026-10-01 00:00")
    assert spoken_date(start, end, Precision.MONTH_PART, TAIPEI, language) == words


def test_an_event_is_told_twice_absolute_and_relative() -> None:
    assert event_when(exam(), at("2026-09-11 21:30"), TAIPEI, "zh-TW") == "2026-09-15 星期二，還有 4 天"
    assert event_when(exam(), at("2026-09-17 00:30"), TAIPEI, "zh-TW") == "2026-09-15 星期二，已過 2 天"


def test_a_running_range_is_told_as_running_then_by_its_last_day() -> None:
    trip = event("t", "使用者去東京", "2026-09-14", "2026-09-19", precision=Precision.RANGE)
    assert event_when(trip, at("2026-09-16 10:00"), TAIPEI, "zh-TW") == (
        "2026-09-14 星期一 到 2026-09-18 星期五，正在這段期間"
    )
    assert str(event_when(trip, at("2026-09-20 10:00"), TAIPEI, "zh-TW")).endswith("已過 2 天")


def test_a_day_keeps_the_date_it_was_said_for_a_clock_time_follows_the_person() -> None:
    now = at("2026-09-12 21:30", "America/New_York")
    call = event("c", "視訊", "2026-09-15 09:00", "2026-09-15 09:01", precision=Precision.MINUTE)
    assert str(event_when(exam(), now, "America/New_York", "zh-TW")).startswith("2026-09-15 星期二")
    assert str(event_when(call, now, "America/New_York", "zh-TW")).startswith("2026-09-14 星期一 21:00")


def test_an_undated_memory_has_no_when() -> None:
    assert event_when(remember("p"), NOW, TAIPEI, "zh-TW") is None


def test_what_is_true_since_a_date_is_told_without_a_countdown() -> None:
    home = remember("h", valid_from=at("2026-09-01 00:00"), precision=Precision.DAY, kind=Kind.VERSIONED)
    assert event_when(home, NOW, TAIPEI, "zh-TW") == "2026-09-01 星期二"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "2026-09-12 星期六 21:30（晚上，Asia/Taipei）"),
        ("en", "2026-09-12 Saturday 21:30 (evening, Asia/Taipei)"),
        ("ja", "2026-09-12 土曜日 21:30（夜、Asia/Taipei）"),
    ],
)
def test_the_present_moment_is_told_in_full(language: str, words: str) -> None:
    assert clock_anchor(NOW.astimezone(UTC), TAIPEI, language) == words


@given(
    st.datetimes(datetime.fromisoformat("2000-01-01"), datetime.fromisoformat("2050-01-01")),
    st.sampled_from([TAIPEI, "America/New_York", "Europe/Berlin", "Pacific/Apia", "UTC"]),
)
def test_a_printed_clock_time_names_the_local_minute(naive: datetime, zone: str) -> None:
    moment = naive.replace(tzinfo=UTC, second=0, microsecond=0)
    printed = spoken_date(moment, moment + timedelta(minutes=1), Precision.MINUTE, zone, "zh-TW")
    day, weekday, clock = printed.split(" ")
    local = moment.astimezone(at("2026-01-01 00:00", zone).tzinfo)
    assert (day, clock) == (f"{local:%Y-%m-%d}", f"{local:%H:%M}")
    assert weekday == f"星期{'一二三四五六日'[local.weekday()]}"


@given(
    st.datetimes(datetime.fromisoformat("2000-01-01"), datetime.fromisoformat("2050-01-01")),
    st.sampled_from([TAIPEI, "America/New_York", "Europe/Berlin", "Asia/Kolkata", "UTC"]),
    st.sampled_from(["zh-TW", "en", "ja"]),
)
def test_reading_what_is_printed_gives_the_instant_back(naive: datetime, zone: str, language: str) -> None:
    moment = naive.replace(tzinfo=UTC, second=0, microsecond=0)
    local = moment.astimezone(ZoneInfo(zone))
    # One hour a year has the same name twice on the clock: nothing printed there says which.
    assume(local.utcoffset() == local.replace(fold=1 - local.fold).utcoffset())
    printed = spoken_date(moment, moment + timedelta(minutes=1), Precision.MINUTE, zone, language)
    (found,) = resolve(printed, NOW, zone)
    assert (found.start, found.ambiguous) == (moment, False)


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
@pytest.mark.parametrize(
    ("start", "end", "precision"),
    [
        ("2026-09-15 00:00", "2026-09-16 00:00", Precision.DAY),
        ("2026-09-15 15:00", "2026-09-15 17:30", Precision.RANGE),
        ("2026-09-15 12:00", "2026-09-15 18:00", Precision.DAYPART),
        ("2026-09-14 00:00", "2026-09-19 00:00", Precision.RANGE),
        ("2026-09-19 00:00", "2026-09-21 00:00", Precision.WEEKEND),
        ("2026-09-21 00:00", "2026-10-01 00:00", Precision.MONTH_PART),
        ("2026-09-01 00:00", "2026-10-01 00:00", Precision.MONTH),
    ],
)
def test_reading_a_printed_span_gives_the_span_back(
    start: str, end: str, precision: Precision, language: str
) -> None:
    printed = spoken_date(at(start), at(end), precision, TAIPEI, language)
    (found,) = resolve(printed, NOW, TAIPEI)
    assert (found.start, found.end) == (at(start), at(end))
