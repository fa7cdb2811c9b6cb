"""The cases that a similarity threshold alone gets wrong, told to her one after the other, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bot.command_line import lily, replay, said, tick


def texts(folder: Path, state: str = "live") -> list[str]:
    return [row["text"] for row in lily(folder, "memories", "--user", "u1", "--state", state, "--json").rows]


def live_about(folder: Path, word: str) -> list[str]:
    return [text for text in texts(folder) if word in text]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("我不吃香菜", "我討厭吃香菜"),
        ("我討厭吃香菜", "香菜我一點都不喜歡"),
    ],
)
def test_the_same_dislike_in_other_words_is_kept_once(tmp_path: Path, first: str, again: str) -> None:
    one, two = replay(tmp_path, said("2026-09-01T20:00", first), said("2026-09-02T20:00", again))
    assert len(one["written"]) == 1
    assert two["written"] == []
    assert [skip["same_as"] for skip in two["skipped"]] == [one["written"][0]["id"]]
    assert len(live_about(tmp_path, "香菜")) == 1


def test_a_new_name_puts_the_old_one_away(tmp_path: Path) -> None:
    one, two = replay(
        tmp_path, said("2026-09-01T20:00", "我叫小明"), said("2026-09-03T20:00", "我改名叫小華了")
    )
    assert [(gone["id"], gone["reason"]) for gone in two["archived"]] == [
        (one["written"][0]["id"], "contradicted")
    ]
    assert live_about(tmp_path, "小華") == texts(tmp_path)
    assert any("小明" in text for text in texts(tmp_path, "archived"))


def test_a_plain_second_name_overturns_the_first(tmp_path: Path) -> None:
    _, two = replay(tmp_path, said("2026-09-01T20:00", "我叫小明"), said("2026-09-03T20:00", "我叫小華"))
    assert [gone["reason"] for gone in two["archived"]] == ["contradicted"]
    assert [text for text in texts(tmp_path) if "小明" in text] == []


def test_two_vegetables_are_two_dislikes(tmp_path: Path) -> None:
    _, two = replay(
        tmp_path, said("2026-09-01T20:00", "我討厭吃香菜"), said("2026-09-01T20:05", "我討厭吃芹菜")
    )
    assert two["archived"] == two["skipped"] == []
    assert len(live_about(tmp_path, "香菜")) == len(live_about(tmp_path, "芹菜")) == 1


def test_a_changed_mind_puts_the_dislike_away(tmp_path: Path) -> None:
    one, two = replay(
        tmp_path,
        said("2026-09-01T20:00", "我最討厭吃香菜"),
        said("2026-09-20T20:00", "我最近嘗試了香菜烘焙，發現其實蠻香的"),
    )
    assert [gone["id"] for gone in two["archived"]] == [one["written"][0]["id"]]
    assert len(two["written"]) == 1
    assert live_about(tmp_path, "討厭") == []


def test_an_old_schedule_leaves_while_a_younger_one_and_a_preference_stay(tmp_path: Path) -> None:
    *_, due = replay(
        tmp_path,
        said("2026-09-01T20:00", "我明天要去看牙醫"),
        said("2026-09-01T20:01", "我喜歡喝珍珠奶茶"),
        said("2026-09-15T20:00", "我明天要去面試"),
        tick("2026-09-18T20:00"),
    )
    assert [(gone["reason"], "牙" in gone["text"]) for gone in due["archived"]] == [("expired", True)]
    assert live_about(tmp_path, "面試")
    assert live_about(tmp_path, "奶茶")


def test_at_the_cap_the_schedule_makes_room_and_the_oldest_name_stays(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-09-01T20:00", "我叫小安"),
        said("2026-09-02T20:00", "我明天要去看牙醫"),
        said("2026-09-03T20:00", "我喜歡喝珍珠奶茶"),
        said("2026-09-06T20:00", "我討厭吃香菜"),
        LILY_MEMORY__CAP_PER_PERSON="3",
    )
    gone: list[dict[str, Any]] = answers[-1]["archived"]
    assert [(one["reason"], "牙" in one["text"]) for one in gone] == [("evicted", True)]
    assert live_about(tmp_path, "小安")
    assert len(texts(tmp_path)) == 3
