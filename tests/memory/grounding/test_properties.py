"""What must hold for any text, instant and zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.grounding import dates_memory, ground_phrase, resolve, tense_of
from memory.model import Precision

ZONES = st.sampled_from(
    [
        "Asia/Taipei",
        "Asia/Tokyo",
        "America/New_York",
        "Europe/London",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Asia/Kathmandu",
        "UTC",
    ]
)
MOMENTS = st.integers(631152000, 3500000000).map(lambda second: datetime.fromtimestamp(second, UTC))
DAYS = st.dates(date(1950, 1, 1), date(2150, 12, 31))
WORDS = [
    "今天",
    "明天",
    "下",
    "上",
    "這",
    "週",
    "禮拜",
    "三",
    "一",
    "十",
    "月",
    "號",
    "日",
    "年",
    "點",
    "半",
    "刻",
    "分",
    "前",
    "後",
    "到",
    "和",
    "的",
    "每",
    "個",
    "兩",
    "晚上",
    "凌晨",
    "半夜",
    "農曆",
    "初",
    "底",
    "中秋",
    "連假",
    "民國",
    "要",
    "了",
    "天",
    "小時",
    "12",
    "31",
    "2月",
    "29",
    "/",
    "-",
    ":",
    "99999",
    "0",
    "next",
    "last",
    "Friday",
    "of",
    "in",
    "two",
    "weeks",
    "ago",
    "at",
    "from",
    "to",
    "3",
    "pm",
    "the",
    "15th",
    "May",
    "Christmas",
    "after",
    "来週",
    "火曜日",
    "時",
    "後に",
    "毎",
    "まで",
    "から",
    " ",
    "，",
    "第",
    "兩三",
    "半",
    "閏",
    "差",
    "五分",
    "分鐘",
    "以內",
    "未來",
    "過去",
    "民國",
    "115",
    "季",
    "上半年",
    "週末",
    "每週",
    "除夕",
    "那週",
    "或",
    "從",
    "至",
    "3/4",
    "9/15",
    "20:30",
    "noon",
    "week",
    "every",
    "Monday",
    "between",
    "half",
    "past",
    "year",
    "Q3",
    "令和",
    "昨日",
    "午後",
    "改到",
]


def _digits(value: int) -> str:
    return "".join("〇一二三四五六七八九"[int(digit)] for digit in str(value))


def _count(value: int) -> str:
    """Return a number below 100 in Chinese."""
    tens, ones = divmod(value, 10)
    head = "" if tens == 0 else "十" if tens == 1 else "一二三四五六七八九"[tens - 1] + "十"
    return head + ("〇一二三四五六七八九"[ones] if ones or not head else "") if ones or not head else head


FORMS = {
    "iso": lambda day: day.isoformat(),
    "slashes": lambda day: f"{day.year}/{day.month}/{day.day}",
    "zh digits": lambda day: f"{day.year}年{day.month}月{day.day}日",
    "zh hao": lambda day: f"{day.year}年{day.month}月{day.day}號",
    "zh numerals": lambda day: f"{_digits(day.year)}年{_count(day.month)}月{_count(day.day)}日",
    "minguo": lambda day: f"民國{day.year - 1911}年{day.month}月{day.day}日",
    "full width": lambda day: f"{day.year}年{day.month}月{day.day}日".translate(
        {ord(str(digit)): chr(0xFF10 + digit) for digit in range(10)}
    ),
    "en long": lambda day: f"{day:%B} {day.day}, {day.year}",
    "en day first": lambda day: f"{day.day} {day:%b} {day.year}",
    "us": lambda day: f"{day.month}/{day.day}/{day.year}",
}


@given(day=DAYS, form=st.sampled_from(sorted(FORMS)), said_at=MOMENTS, zone=ZONES)
def test_a_printed_date_resolves_to_itself_at_any_moment_in_any_zone(day, form, said_at, zone):
    (found,) = resolve(FORMS[form](day), said_at, zone)

    assert found.precision is Precision.DAY
    assert found.start.date() == day
    last = found.end.astimezone(UTC) - timedelta(microseconds=1)  # a wall clock may have skipped midnight
    assert last.astimezone(ZoneInfo(zone)).date() == day
    assert dates_memory(found)


@given(
    moment=st.integers(160000000, 4130000000).map(lambda second: datetime.fromtimestamp(second, UTC)),
    said_at=MOMENTS,
    zone=ZONES,
    form=st.sampled_from(["%Y-%m-%d %H:%M", "%Y年%m月%d日%H點%M分", "%Y/%m/%d %H:%M", "%B %d, %Y at %H:%M"]),
)
def test_a_printed_instant_resolves_to_itself_at_any_moment_in_any_zone(moment, said_at, zone, form):
    local = moment.astimezone(ZoneInfo(zone)).replace(second=0, microsecond=0)

    (found,) = resolve(local.strftime(form), said_at, zone)

    assert found.precision is Precision.MINUTE
    assert found.start.replace(tzinfo=None, fold=0) == local.replace(tzinfo=None, fold=0)
    twice = {local.replace(fold=fold).astimezone(UTC) for fold in (0, 1)}
    assert found.start.astimezone(UTC) in twice


@given(said_at=MOMENTS, zone=ZONES, count=st.integers(1, 99), back=st.booleans())
def test_days_away_are_counted_on_the_persons_own_calendar(said_at, zone, count, back):
    today = said_at.astimezone(ZoneInfo(zone)).date()

    (found,) = resolve(f"{_count(count)}天{'前' if back else '後'}", said_at, zone)

    assert found.start.date() == today + timedelta(days=-count if back else count)
    assert (found.start.hour, found.start.minute) == (0, 0) or found.start.date() != (
        found.start - timedelta(hours=2)
    ).date()


@given(said_at=MOMENTS, zone=ZONES, count=st.integers(1, 48), back=st.booleans())
def test_hours_away_are_counted_on_the_instant_even_over_a_change_of_clocks(said_at, zone, count, back):
    (found,) = resolve(f"{count}小時{'前' if back else '後'}", said_at, zone)

    exact = said_at.replace(second=0, microsecond=0) + timedelta(hours=-count if back else count)
    assert found.start.astimezone(UTC) == exact


@given(said_at=MOMENTS, zone=ZONES, weeks=st.integers(-3, 3), weekday=st.integers(0, 6))
def test_a_weekday_of_a_named_week_is_in_that_week(said_at, zone, weeks, weekday):
    word = "這" if weeks == 0 else ("下" if weeks > 0 else "上") * abs(weeks)
    today = said_at.astimezone(ZoneInfo(zone)).date()

    (found,) = resolve(f"{word}週{'一二三四五六日'[weekday]}", said_at, zone)

    assert found.start.date() == today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks + weekday)


@given(said_at=MOMENTS, zone=ZONES, weekday=st.integers(0, 6), ahead=st.booleans())
def test_a_weekday_alone_follows_the_tense_within_a_week(said_at, zone, weekday, ahead):
    now = said_at.astimezone(ZoneInfo(zone)).date()
    text = f"週{'一二三四五六日'[weekday]}" + ("要去看牙醫" if ahead else "去看了牙醫")

    (found,) = resolve(text, said_at, zone)

    distance = (found.start.date() - now).days
    assert found.start.weekday() == weekday
    assert (0 < distance <= 7) if ahead else (-7 <= distance < 0)


def _check(text: str, said_at: datetime, zone: str) -> None:
    end = 0
    for found in resolve(text, said_at, zone):
        assert end <= found.span[0] < found.span[1] <= len(text)
        assert found.phrase == text[found.span[0] : found.span[1]]
        end = found.span[1]
        assert (found.start is None) == (found.end is None) == (found.precision is None)
        if found.start is not None:
            assert found.start.astimezone(UTC) < found.end.astimezone(UTC)
            assert found.readings[0] == (found.start, found.end)
            assert found.recurrence is None
            if found.ambiguous:
                assert len({start.date() for start, _ in found.readings}) > 1
                assert not dates_memory(found)
    tense_of(text)
    ground_phrase(text, text[1:4], said_at, zone)


@settings(deadline=None)
@given(text=st.text(max_size=80), said_at=MOMENTS, zone=ZONES)
def test_any_text_is_read_without_an_error_and_with_sound_spans(text, said_at, zone):
    _check(text, said_at, zone)


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(st.sampled_from(WORDS), max_size=12), said_at=MOMENTS, zone=ZONES)
def test_any_heap_of_time_words_is_read_without_an_error_and_with_sound_spans(parts, said_at, zone):
    _check("".join(parts), said_at, zone)


@pytest.mark.parametrize("said_at", [datetime(1, 1, 2, tzinfo=UTC), datetime(9998, 12, 30, tzinfo=UTC)])
@pytest.mark.parametrize(
    "text",
    ["60年前", "六十年後", "大年初一", "下下下下週三", "過年", "12月31日", "next year", "農曆八月十五"],
)
def test_the_ends_of_the_calendar_leave_a_date_unresolved_and_break_nothing(text, said_at):
    _check(text, said_at, "Asia/Taipei")
