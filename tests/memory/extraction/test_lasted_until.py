"""How long something went on is no plan, and no sentence is kept that breaks off at its end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction.draft import dangles
from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.model import Category


def plans(text: str, hour: int = 0) -> list[str]:
    said = datetime(2026, 12, 1, hour, tzinfo=UTC)
    request = ExtractionRequest(text=text, said_at=said, zone="Asia/Taipei", language="zh-TW")
    return [f.text for f in extract_by_rules(request).facts if f.category is Category.SCHEDULE]


@pytest.mark.parametrize("hour", [0, 2, 14])
@pytest.mark.parametrize(
    "text",
    [
        "我一直加班到十點", "今天一直開會到三點", "等客戶等到九點", "我加班到十點", "忙到三點",
        "我一直加班到十點，好累", "睡到中午", "等到天亮",
    ],
)  # fmt: skip
def test_how_long_it_went_on_is_no_plan(text: str, hour: int) -> None:
    assert plans(text, hour) == []


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("我今天要加班到十點", "使用者要加班到十點"),
        ("我會在家待到星期五", "使用者會在家待到星期五"),
        ("搬家公司約 12/28 早上九點", "使用者約了搬家公司"),
        ("搬家公司約12/28早上九點", "使用者約了搬家公司"),
        ("牙醫約 12/28 下午三點", "使用者約了牙醫"),
        ("我跟牙醫約在12/28", "使用者約了牙醫"),
        ("面試在12/28", "使用者有面試"),
        ("12/28要去報到", "使用者要去報到"),
    ],
)
def test_what_is_ahead_is_kept_whole(text: str, plan: str) -> None:
    assert plans(text) == [plan]


@pytest.mark.parametrize("text", ["大約1/3", "預算約1/4", "約1/3的錢"])
def test_about_a_third_is_no_date(text: str) -> None:
    assert plans(text) == []


@given(
    who=st.sampled_from(["", "我", "牙醫", "搬家公司", "我跟小美", "考試"]),
    does=st.sampled_from(["約", "約在", "排在", "要加班到", "要待到", "訂在", "要跟", "在"]),
    when=st.sampled_from(["12/28", "下週三", "明天早上九點", "星期五", "十點", "月底"]),
)
def test_no_plan_breaks_off_at_its_end(who: str, does: str, when: str) -> None:
    assert not any(dangles(plan) for plan in plans(f"{who}{does}{when}"))


@pytest.mark.parametrize("whole", ["使用者要報到", "使用者有約", "使用者的阿嬤還在", "使用者預約"])
def test_words_that_only_end_alike_are_whole(whole: str) -> None:
    assert not dangles(whole)
