"""Pieces of stretches, quarters, decades, runs. Said on Thursday 2026-10-15 at 10:00."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.grounding import dates_memory, resolve
from memory.grounding.ground_piece import week_of_year, weekend_around
from tests.memory.grounding.saying import TAIPEI, THURSDAY, at, said, stretch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今年前三季的營收", "2026-01-01..2026-10-01"),
        ("去年的前10天", "2025-01-01..2025-01-11"),
        ("2021年的最後四個月", "2021-09-01..2022-01-01"),
        ("上個月最後五天", "2026-09-26..2026-10-01"),
        ("這個月前兩天", "2026-10-01..2026-10-03"),
        ("今年最後一天", "2026-12-31..2027-01-01"),
        ("the last four months of 2021", "2021-09-01..2022-01-01"),
        ("the first ten days of next month", "2026-11-01..2026-11-11"),
        ("上半月", "2026-10-01..2026-10-16"),
        ("下半個月", "2026-10-16..2026-11-01"),
        ("2018年前半年", "2018-01-01..2018-07-01"),
        ("rest of the week", "2026-10-15..2026-10-19"),
        ("later this month", "2026-10-15..2026-11-01"),
        ("earlier this month", "2026-10-01..2026-10-15"),
        ("本季度業績", "2026-10-01..2027-01-01"),
        ("上季營收", "2026-07-01..2026-10-01"),
        ("next quarter", "2027-01-01..2027-04-01"),
        ("2027年首季", "2027-01-01..2027-04-01"),
        ("明年Q3", "2027-07-01..2027-10-01"),
        ("2027年第一週", "2027-01-04..2027-01-11"),
        ("今年第三十七週", "2026-09-07..2026-09-14"),
        ("the first week of 2027", "2027-01-04..2027-01-11"),
        ("20世紀80年代", "1980-01-01..1990-01-01"),
        ("1990年代", "1990-01-01..2000-01-01"),
        ("民國九十年代", "2001-01-01..2011-01-01"),
        ("in the 1970s", "1970-01-01..1980-01-01"),
        ("from 2014 to 2018", "2014-01-01..2019-01-01"),
        ("2016到2018年", "2016-01-01..2019-01-01"),
        ("2007年與2009年間", "2007-01-01..2010-01-01"),
        ("從2001年起至今", "2001-01-01..2026-10-16"),
        ("上個月到現在", "2026-09-01..2026-10-16"),
        ("從三月到現在", "2026-03-01..2026-10-16"),
        ("from March until now", "2026-03-01..2026-10-16"),
        ("11月一日到三日", "2026-11-01..2026-11-04"),
        ("2016年一月十日到十二日", "2016-01-10..2016-01-13"),
        ("自2020-05-26起至2020-05-29止", "2020-05-26..2020-05-30"),
        ("10/1/2018-10/7/2018", "2018-10-01..2018-10-08"),
        ("下週一開始三天要受訓", "2026-10-19..2026-10-22"),
        ("下個月三號起兩個禮拜", "2026-11-03..2026-11-17"),
        ("a week starting tomorrow", "2026-10-16..2026-10-23"),
        ("next Monday for three days", "2026-10-19..2026-10-22"),
        ("christmas weekend", "2026-12-25..2026-12-28"),
        ("兩千零四年八月十五日", "2004-08-15..2004-08-16"),
        ("first Monday evening of next month", "2026-11-02T18:00..2026-11-03"),
        ("2026-nov-1", "2026-11-01..2026-11-02"),
        ("Nov-23-2026", "2026-11-23..2026-11-24"),
        ("23/Nov/2026", "2026-11-23..2026-11-24"),
        ("2027 june", "2027-06-01..2027-07-01"),
        ("07/2027", "2027-07-01..2027-08-01"),
        ("Friday the 16th", "2026-10-16..2026-10-17"),
        ("on Sunday 25.", "2026-10-25..2026-10-26"),
        ("Monday two weeks from now", "2026-10-26..2026-10-27"),
        ("the day after tmrw", "2026-10-17..2026-10-18"),
        ("on May 9. Ok?", "2027-05-09..2027-05-10"),
        ("the last weekend of October", "2026-10-31..2026-11-02"),
        ("十一月的第一個週末", "2026-11-07..2026-11-09"),
        ("the weekend of halloween", "2026-10-31..2026-11-02"),
        ("the first friday in this month", "2026-10-02..2026-10-03"),
        ("20th of the current month", "2026-10-20..2026-10-21"),
        ("between now and November 15th", "2026-10-15..2026-11-16"),
        ("從現在到週五都要加班", "2026-10-15..2026-10-17"),
        ("from 4 to 22 next month", "2026-11-04..2026-11-23"),
        ("2027 Q3", "2027-07-01..2027-10-01"),
        ("H2 2027", "2027-07-01..2028-01-01"),
        ("Dec-2026", "2026-12-01..2027-01-01"),
        ("in the last hour", "2026-10-15T09:00..2026-10-15T10:00"),
        ("next Tuesday late-night", "2026-10-20T22:00..2026-10-21T02:00"),
        ("從2016到2018", "2016-01-01..2019-01-01"),
        ("July 4, 1776", "1776-07-04..1776-07-05"),
        ("Tuesday to Thursday next week", "2026-10-20..2026-10-23"),
        ("between 2 and 4pm tomorrow", "2026-10-16T14:00..2026-10-16T16:00"),
        ("下個月25開獎", "2026-11-25..2026-11-26"),
        ("下週六晚要聚餐", "2026-10-24T18:00..2026-10-25"),
        ("11月5號早的飛機", "2026-11-05T06:00..2026-11-05T12:00"),
    ],
)
def test_pieces_and_runs(text, expected):
    assert stretch(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "九十年代的歌",
        "the last week of June",
        "六月最後一個禮拜",
        "Saturday after next",
        "the Tuesday before last",
    ],
)
def test_what_has_two_readings_is_flagged(text):
    found = said(text)
    assert found.ambiguous
    assert not dates_memory(found)


@pytest.mark.parametrize(
    "text",
    [
        "以色列國慶節",
        "日本的兒童節",
        "東正教聖週五",
        "Tuesday 12.09",
        "born in April of 87",
        "2 Nov 1815",
        "ratio 3/2020 of all",
        "他三點二十五歲",
        "13月5日",
        "Feb 30",
        "2月30號要交",
        "03.08. 7:00",
        "16.8. in the evening",
        "on 04.09 at 9h15",
        "fifth last day of May",
        "1 month 2 days 2 hours 30 mins ago",
        "最後一個週末了",
        "she's in her nineties",
        "march to the beat",
        "兩千年的歷史",
        "下一季的番",
        "到現在還沒睡",
        "第一天上班",
        "一號餐還是二號餐",
        "I've 2019 reasons and 2021 excuses",
    ],
)
def test_half_read_or_foreign_dates_stay_undated(text):
    assert [item for item in resolve(text, at(THURSDAY), TAIPEI) if item.resolved] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一個禮拜前的今天", "2026-10-08"),
        ("去年的今天我們在一起", "2025-10-15"),
        ("明年今天要領證", "2027-10-15"),
        ("上個月的今天", "2026-09-15"),
        ("兩年後的今天", "2028-10-15"),
    ],
)
def test_the_same_day_of_another_week_month_or_year_is_a_day(text, expected):
    found = resolve(text, at(THURSDAY), TAIPEI)
    assert [item.start.date().isoformat() for item in found] == [expected]


def test_the_first_day_at_work_is_not_new_years_day():
    found = resolve("今年第一天上班", at(THURSDAY), TAIPEI)
    assert all(item.end - item.start > timedelta(days=1) for item in found if item.resolved)


@given(st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 12, 31)))
def test_the_weekend_of_a_feast_is_a_weekend_near_it(day):
    found = weekend_around(day)
    if found is None:
        assert day.weekday() == 2
        return
    inside = [found.start.date() + timedelta(days=shift) for shift in range((found.end - found.start).days)]
    assert {5, 6} <= {item.weekday() for item in inside}
    assert min(abs((item - day).days) for item in inside) <= 2


@given(st.integers(1990, 2090), st.integers(1, 53))
def test_weeks_of_a_year_follow_the_iso_calendar(year, nth):
    found = week_of_year(year, nth)
    if found is None:
        assert nth == 53
    else:
        assert found.stretches[0].start.isocalendar()[:2] == (year, nth)
