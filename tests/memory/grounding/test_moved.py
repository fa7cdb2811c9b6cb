"""What is moved to a date lies ahead, though the moving itself is told in the past."""

from __future__ import annotations

import pytest

from tests.memory.grounding.saying import stretch

TOKYO = "Asia/Tokyo"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My exam was moved to October 18", "2026-10-18..2026-10-19"),
        ("The meeting got pushed back to Friday", "2026-10-16..2026-10-17"),
        ("They postponed the trip until October 20", "2026-10-20..2026-10-21"),
        ("会議は金曜日に変更になりました", "2026-10-16..2026-10-17"),
        ("試験は10月18日に延期になりました", "2026-10-18..2026-10-19"),
        ("面接が10月20日にずれた", "2026-10-20..2026-10-21"),
        ("期末考延到10月18號了", "2026-10-18..2026-10-19"),
        ("期末考改到週五了", "2026-10-16..2026-10-17"),
    ],
)
def test_the_new_date_lies_ahead(text: str, expected: str) -> None:
    assert stretch(text, zone=TOKYO) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We moved to the house on October 3", "2026-10-03..2026-10-04"),
        ("I moved to Berlin in May", "2026-05-01..2026-06-01"),
        ("先週の金曜日に引っ越しました", "2026-10-09..2026-10-10"),
    ],
)
def test_who_moved_house_did_so_then(text: str, expected: str) -> None:
    assert stretch(text, zone=TOKYO) == expected


def test_a_word_inside_a_word_is_no_festival() -> None:
    assert stretch("10月20日にライブに行きます", zone=TOKYO) == "2026-10-20..2026-10-21"
    assert stretch("イブに会おう", zone=TOKYO) == "2026-12-24..2026-12-25"


def test_the_finals_are_no_end_of_a_term() -> None:
    assert stretch("10月20日に期末テストがあります", zone=TOKYO) == "2026-10-20..2026-10-21"
