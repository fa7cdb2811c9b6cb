"""What one is preparing and the day beside it are one event: 在準備多益，12/20 要考."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from tests.bot.command_line import replay, said

SAID = datetime(2026, 12, 1, 2, tzinfo=UTC)


def facts(text: str) -> list[tuple[str, str | None]]:
    request = ExtractionRequest(text=text, said_at=SAID, zone="Asia/Taipei", language="zh-TW")
    return [(fact.text, fact.when_text) for fact in extract_by_rules(request).facts]


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("我最近在準備多益，12/20 要考", ("使用者要考多益", "12/20")),
        ("最近在準備多益，12/20 考試", ("使用者要考多益", "12/20")),
        ("我在準備期末報告，下週五要報告", ("使用者有期末報告", "下週五")),
        ("我在準備馬拉松，12/20 要比賽", ("使用者有馬拉松", "12/20")),
        ("我最近在寫論文，月底要交", ("使用者要交論文", "月底")),
        ("我在準備專題，12/18 要交", ("使用者要交專題", "12/18")),
    ],
)
def test_what_is_prepared_is_what_comes_on_that_day(text: str, plan: tuple[str, str]) -> None:
    assert facts(text) == [plan]


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("我在準備晚餐，明天要考試", ("使用者要考試", "明天")),
        ("我最近在準備多益，12/20 要去日本", ("使用者要去日本", "12/20")),
    ],
)
def test_what_comes_is_not_what_is_prepared_where_it_is_something_else(
    text: str, plan: tuple[str, str]
) -> None:
    assert plan in facts(text)
    assert len(facts(text)) == 2


def test_asked_by_its_name_it_has_its_day(tmp_path: Path) -> None:
    *_, answer = replay(
        tmp_path,
        said("2026-12-01T10:00", "我最近在準備多益，12/20 要考"),
        said("2026-12-01T10:01", "多益什麼時候？"),
    )
    assert "12/20" in "".join(answer["reply"])
