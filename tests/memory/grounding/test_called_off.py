"""What was called off, put off or booked lies ahead. Said on Thursday 2026-10-15 unless told otherwise."""

from __future__ import annotations

import pytest

from memory.grounding import dates_memory, resolve
from tests.memory.grounding.saying import TAIPEI, at, said, start


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10/30的面試取消了", "2026-10-30"),
        ("11月3號的課停了", "2026-11-03"),
        ("週六的聚餐臨時取消了", "2026-10-17"),
        ("週二的會議延期了", "2026-10-20"),
        ("11/8的路跑，結果取消了", "2026-11-08"),
        ("12月6號的體檢下次再說", "2026-12-06"),
        ("報名了三月的半馬", "2027-03-01"),
        ("搶到了一月九號的門票", "2027-01-09"),
        ("訂了下週五的餐廳", "2026-10-23"),
        ("the exam on October 30 got cancelled", "2026-10-30"),
        ("Saturday's game was called off", "2026-10-17"),
        ("they cancelled Tuesday's class", "2026-10-20"),
        ("I booked a table for Tuesday", "2026-10-20"),
        ("10/30の試験は中止になりました", "2026-10-30"),
        ("11月3日のライブは延期になった", "2026-11-03"),
    ],
)
def test_what_was_called_off_or_booked_lies_ahead(text, expected):
    assert start(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我三月報名了瑜珈課", "2026-03-01"),
        ("週二取消了訂房", "2026-10-13"),
        ("9/30我取消了健身房", "2026-09-30"),
        ("my flight got cancelled on Tuesday", "2026-10-13"),
        ("9/30に試験がありました", "2026-09-30"),
    ],
)
def test_the_day_of_the_calling_off_itself_looks_back(text, expected):
    assert start(text) == expected


def test_what_was_called_off_lately_is_not_taken_for_next_year():
    found = said("9/3的比賽取消了")
    assert found.start.date().isoformat() == "2026-09-03"
    assert not dates_memory(found)


@pytest.mark.parametrize("text", ["你為什麼要在4月30號走", "幹嘛要4月30號才講"])
def test_asking_why_looks_neither_way(text):
    found = said(text)
    assert {start.date().isoformat() for start, _ in found.readings} == {"2026-04-30", "2027-04-30"}
    assert not dates_memory(found)


def test_two_dates_of_one_kind_both_lie_ahead():

    found = resolve("11/3要看牙醫，11/10也要看牙醫", at("2026-10-15T10:00"), TAIPEI)
    assert [item.start.date().isoformat() for item in found] == ["2026-11-03", "2026-11-10"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("我週二去的", "2026-10-13"), ("週六會去的", "2026-10-17"), ("我八點到的", "2026-10-15T08:00")],
)
def test_a_closing_particle_after_a_verb_looks_back_unless_something_looks_ahead(text, expected):
    assert start(text) == expected
