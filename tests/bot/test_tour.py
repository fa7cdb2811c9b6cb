"""The tour kept with the documents: it runs, and says the right thing where there is one."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.bot.command_line import lily

TOUR = Path(__file__).parents[2] / "docs" / "tour"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The tour's answers by what was said."""
    ran = lily(tmp_path_factory.mktemp("tour"), "replay", str(TOUR / "tour.jsonl"), "--json")
    assert (ran.code, ran.err) == (0, "")
    return {row.get("say", "tick"): row for row in ran.rows}


def reply(answers: dict[str, dict[str, Any]], word: str) -> str:
    (found,) = [row for said, row in answers.items() if word in said]
    return "\n".join(found["reply"])


def test_it_has_thirty_turns_and_every_one_is_answered(answers: dict[str, dict[str, Any]]) -> None:
    said = [row for row in answers.values() if "say" in row]
    assert len(said) == 30
    assert all("".join(row["reply"]).strip() for row in said)


def test_she_never_says_the_same_twice_in_a_row(answers: dict[str, dict[str, Any]]) -> None:
    replies = [row["reply"] for row in answers.values() if "say" in row]
    assert all(one != two for one, two in pairwise(replies))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("你還記得我養什麼嗎", ["貓", "麻糬"]),
        ("我下週有什麼事", ["期末考", "電影", "9/20"]),
        ("我什麼時候要看電影", ["9/26"]),
        ("我還要去看牙醫嗎", ["取消"]),
        ("我現在還討厭香菜嗎", ["蠻香"]),
        ("我叫什麼名字", ["安晴"]),
        ("我之前那個考試是什麼時候", ["9/15", "不錯"]),
        ("你是真人嗎", ["程式"]),
    ],
)
def test_questions_get_the_right_fact(
    answers: dict[str, dict[str, Any]], asked: str, words: list[str]
) -> None:
    said = reply(answers, asked)
    assert [word for word in words if word not in said] == []


@pytest.mark.parametrize(
    ("asked", "word"),
    [("我什麼時候要看電影", "9/20"), ("我叫什麼名字", "小安"), ("我妹妹叫什麼名字", "麻糬")],
)
def test_what_was_overturned_or_never_said_is_not_told(
    answers: dict[str, dict[str, Any]], asked: str, word: str
) -> None:
    assert word not in reply(answers, asked)


def test_what_is_over_expires_in_the_end(answers: dict[str, dict[str, Any]]) -> None:
    assert [one["reason"] for one in answers["tick"]["archived"]] == ["expired"]


def test_the_recorded_transcript_holds_every_line_of_the_script() -> None:
    recorded = (TOUR / "tour.md").read_text(encoding="utf-8")
    lines = (TOUR / "tour.jsonl").read_text(encoding="utf-8").splitlines()
    said = [row["say"] for row in map(json.loads, lines) if "say" in row]
    assert [text for text in said if f"xiaoan：{text}\n莉莉：" not in recorded] == []
