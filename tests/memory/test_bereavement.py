"""After a loss: nothing is asked about the one who is gone, and nothing at all for some days."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.bereavement import HELD_BACK, loss_in, may_hold_loss, tells_of_loss
from memory.text import fold
from tests.bot.command_line import replay, said, tick

CAT = "使用者養了一隻貓叫咪咪"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("咪咪昨天走了", "咪咪"), ("咪咪今天早上當天使了", "咪咪"), ("我阿公昨天過世了", "阿公"),
        ("阿嬤昨晚離開我們了", "阿嬤"), ("my dog died", "dog"), ("我跟小美分手了", "小美"),
        ("my grandma passed away last night", "grandma"), ("おばあちゃんが亡くなった", "おばあちゃん"),
    ],
)  # fmt: skip
def test_a_loss_is_heard_with_the_name_of_who_is_gone(text: str, name: str) -> None:
    loss = loss_in(text, [CAT])
    assert loss is not None
    assert any(fold(name) in one for one in loss.names)
    assert may_hold_loss(text)


@pytest.mark.parametrize(
    "text",
    [
        "公車走了", "客人都走了", "我先走了", "今天累死了", "手機死了", "離開公司了", "同學們走了",
        "我朋友跟他男友分手了", "咪咪差點死了", "電影裡的狗死了", "阿公去年過世了", "如果分手了怎麼辦",
        "咪咪走過來了", "豆豆走了", "my phone died",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_loss_is_none(text: str) -> None:
    assert loss_in(text, [CAT]) is None


@pytest.mark.parametrize("text", ["我分手了", "貓走了", "阿公過世了", "he broke up with me, we broke up"])
def test_beside_a_loss_is_no_place_for_a_question(text: str) -> None:
    assert tells_of_loss(text)


def asked(answers: list[dict[str, Any]], words: str) -> bool:
    return any(words in reply for answer in answers for reply in answer.get("reply", []))


VET = said("2026-12-01T12:00", "咪咪今天吐了 我下午四點要帶牠去看醫生")
EXAM = said("2026-12-01T12:10", "我12/4有期末考")


@pytest.mark.parametrize("loss", ["咪咪昨天走了", "咪咪過世了", "我的貓走了", "牠今天當天使了"])
def test_nobody_is_asked_how_the_vet_was_after_the_animal_died(tmp_path: Path, loss: str) -> None:
    answers = replay(
        tmp_path,
        said("2026-12-01T10:00", "我養了一隻貓叫咪咪"),
        VET,
        said("2026-12-04T20:00", loss),
        *(said(f"2026-12-{day:02}T20:01", "好") for day in range(4, 12)),
    )
    assert not asked(answers[2:], "醫生")


def test_nothing_else_is_asked_for_some_days_either_and_then_it_is(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        EXAM,
        said("2026-12-04T20:00", "我阿公昨天過世了"),
        said("2026-12-04T20:01", "好"),
        said("2026-12-06T20:01", "好"),
        said("2026-12-08T20:01", "好"),
    )
    assert timedelta(days=2) < HELD_BACK < timedelta(days=4)
    assert not asked(answers[1:4], "期末考")
    assert asked(answers[4:], "期末考")


def test_what_was_planned_with_the_one_who_died_is_off_but_for_the_farewell(tmp_path: Path) -> None:
    answers = replay(
        tmp_path,
        said("2026-12-01T10:00", "下週三我要帶阿公回診"),
        said("2026-12-04T20:00", "阿公過世了"),
        said("2026-12-04T20:05", "阿公的告別式是下週六"),
        tick("2026-12-05T09:00"),
    )
    assert any("回診" in one["text"] for one in answers[1]["archived"])
    assert any("告別式" in one["text"] for one in answers[2]["written"])


def test_how_the_visit_went_is_told_by_what_was_said_there(tmp_path: Path) -> None:
    *_, settled, later = replay(
        tmp_path, VET, said("2026-12-01T18:00", "看完了 醫生說只是吃太快"), said("2026-12-02T18:00", "好")
    )
    (visit,) = settled["written"]
    assert visit["outcome"] == "只是吃太快"
    assert not asked([later], "醫生")


@pytest.mark.parametrize("said_there", ["醫生說下週要再回診", "醫生說要多喝水", "醫生人很好"])
def test_what_was_bidden_there_is_no_outcome(tmp_path: Path, said_there: str) -> None:
    answers = replay(tmp_path, VET, said("2026-12-01T18:00", f"看完了 {said_there}"))
    assert all(one["outcome"] is None for one in answers[1]["written"])
