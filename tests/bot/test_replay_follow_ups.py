"""A replay's ticks: what she asks by herself, and what a chat that comes first does to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bot.command_line import replay, said, tick

WILLING = {"check_ins": True}


def asked(answers: list[dict[str, Any]]) -> list[list[str]]:
    """Return whom each tick asked."""
    return [[one["user"] for one in answer["follow_ups"]] for answer in answers if answer.get("tick")]


def test_the_exam_is_asked_about_on_its_evening_once(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-09-12T21:30", "我下週二有期末考", settings=WILLING),
        tick("2026-09-15T17:59"),
        tick("2026-09-15T18:00"),
        tick("2026-09-16T12:00"),
    )
    assert asked(answers) == [[], ["u1"], []]
    (one,) = answers[2]["follow_ups"]
    assert one.keys() == {"memory_id", "user", "place", "text", "state"}
    assert (one["memory_id"], one["place"], one["state"]) == (answers[0]["written"][0]["id"], "dm", "sent")
    assert "期末考" in one["text"]
    assert one["text"].count("？") == 1


def test_the_answer_becomes_the_outcome_and_ends_it(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-09-12T21:30", "我下週二有期末考", settings=WILLING),
        tick("2026-09-15T18:00"),
        said("2026-09-15T20:00", "考得還不錯"),
        tick("2026-09-16T18:00"),
        said("2026-09-17T12:00", "早安"),
    )
    assert asked(answers) == [["u1"], []]
    (exam,) = answers[2]["written"]
    assert exam["id"] == answers[0]["written"][0]["id"]
    assert "期末考" not in "".join(answers[4]["reply"])


def test_who_comes_first_is_asked_in_the_chat_and_not_again(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-09-12T21:30", "我下週二有期末考", settings=WILLING),
        said("2026-09-15T19:00", "我回來了"),
        tick("2026-09-16T12:00"),
        said("2026-09-16T13:00", "嗨"),
    )
    assert "期末考" in "".join(answers[1]["reply"])
    assert asked(answers) == [[]]
    assert "期末考" not in "".join(answers[3]["reply"])


def test_nobody_is_asked_who_did_not_want_it_or_sleeps(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-09-12T21:30", "我下週二有期末考"),
        said("2026-09-12T21:31", "我下週二有期末考", user="u2", settings=WILLING),
        said(
            "2026-09-12T21:32",
            "我下週二有期末考",
            user="u3",
            settings={**WILLING, "quiet_hours": "17:00-23:30"},
        ),
        tick("2026-09-15T18:30"),
        tick("2026-09-15T23:59"),
    )
    assert asked(answers) == [["u2"], ["u3"]]


def test_what_was_said_openly_is_asked_there_and_a_painful_thing_in_private(tmp_path: Path) -> None:
    channel = "guild:g1/channel:c1"
    answers = replay(
        tmp_path,
        said("2026-09-12T21:30", "我下週二有期末考", place=channel, settings=WILLING),
        said("2026-09-12T21:31", "我下週二要去參加外婆的告別式", user="u2", place=channel, settings=WILLING),
        tick("2026-09-15T18:30"),
    )
    assert {one["user"]: one["place"] for one in answers[-1]["follow_ups"]} == {"u1": channel, "u2": "dm"}


def test_a_tick_long_after_lets_it_go(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-09-12T21:30", "我下週二有期末考", settings=WILLING),
        tick("2026-09-24T12:00"),
        said("2026-09-24T13:00", "嗨"),
    )
    assert asked(answers) == [[]]
    assert "期末考" not in "".join(answers[2]["reply"])
