from __future__ import annotations

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from llm.offline import OfflineEmbedder
from memory.context import render_context
from memory.evaluation.shown import Line, Shown, judge_shown, read_context
from memory.evaluation.stale import DATED, SIMILARITY, StaleReport, evaluate_stale
from memory.evaluation.timeline import Timeline, read_timeline
from memory.evaluation.timelines import FILES
from memory.extraction.rules import OfflineExtractor
from memory.extraction.types import Change
from memory.model import Category, Flag, Kind, Memory, Precision, TemporalState
from memory.places import DM
from memory.policy import MemoryPolicy
from memory.recollection import Recalled, Recollection
from memory.relations.rules import OfflineJudge
from memory.service import Models

NOW = datetime(2026, 9, 15, 4, tzinfo=UTC)  # noon in Taipei
PACKAGED = [
    json.loads(line) for file in FILES for line in file.read_text(encoding="utf-8").splitlines() if line
]

ROW: dict[str, Any] = {
    "id": "r",
    "kind": "phase",
    "said": [{"at": "2026-09-12T21:30", "say": "我下週二有期末考"}],
    "ask": {"at": "2026-09-17T21:00", "say": "我什麼時候要考試？"},
    "phases": [{"about": "期末考", "phase": "past", "date": "2026-09-15"}],
}


@pytest.fixture(scope="module")
def models() -> Models:
    extractor, judge = OfflineExtractor(), OfflineJudge()
    return Models(OfflineEmbedder(), extractor, judge, extractor, judge)


def asks(**demands: Any) -> Timeline:
    return read_timeline({**{key: ROW[key] for key in ("id", "said", "ask")}, **demands})


def shows(*lines: Line, anchored: bool = True) -> Shown:
    return Shown(lines, anchored)


def recalled(told_now: Change | None = None, **fields: Any) -> Recollection:
    memory = Memory(
        id="m",
        user_id="u",
        persona_id="p",
        places=("dm",),
        **{"text": "使用者有期末考", "category": Category.SCHEDULE, "kind": Kind.EVENT, **fields},
    )
    one = Recalled(memory, TemporalState.VALID, None, 0.9, 1.0, 0.9, "", told_now)
    return Recollection(NOW, "Asia/Taipei", memory.language, DM, memories=(one,))


# ---- rows


def test_times_without_an_offset_are_local_to_the_zone_of_the_row() -> None:
    assert read_timeline(ROW).ask.said_at == datetime(2026, 9, 17, 13, tzinfo=UTC)
    there = read_timeline({**ROW, "zone": "Europe/London"})
    assert there.ask.said_at == datetime(2026, 9, 17, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": ""}, "row 7: id"),
        ({"zone": "Asia/Tapei"}, "row r: zone 'Asia/Tapei'"),
        ({"said": "我下週二有期末考"}, "row r: said must be a list"),
        ({"said": [{"at": "2026-09-12T21:30"}]}, "row r: every line of said, and ask, needs at and say"),
        ({"ask": None}, "row r: every line of said, and ask"),
        ({"ask": {"at": "soon", "say": "?"}}, "row r: Invalid isoformat"),
        ({"ask": {"at": "2026-09-17T21:00", "say": "?", "place": "home"}}, "row r: place 'home'"),
        ({"ask": {"at": "2026-09-01T21:00", "say": "?"}}, "row r: the lines are not in the order"),
        ({"must": "期末考"}, "row r: must must be a list"),
        ({"never": ["("]}, "row r: never holds '('"),
        ({"phases": [{"about": "考", "phase": "soon"}]}, "row r: phase 'soon' is none of"),
        ({"phases": ["past"]}, "row r: every one of phases"),
        ({"phases": [{"about": "考", "phase": "past", "date": 15}]}, "row r: date 15 is no text"),
        ({"phases": []}, "row r: it asks for nothing"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_with_its_name(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("(", r"\(")):
        read_timeline({**ROW, **change}, 7)


async def test_an_id_that_comes_twice_is_refused(models: Models) -> None:
    with pytest.raises(ValueError, match="row r: this id is there twice"):
        await evaluate_stale([ROW, ROW], models)


# ---- what a context shows


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
@pytest.mark.parametrize(
    ("fields", "phase"),
    [
        ({}, "undated"),
        ({"valid_from": NOW + timedelta(days=3)}, "upcoming"),
        ({"valid_from": NOW}, "ongoing"),
        ({"valid_from": NOW, "precision": Precision.MONTH}, "ongoing"),
        ({"valid_from": NOW - timedelta(days=3)}, "past"),
        ({"valid_from": NOW - timedelta(days=3), "outcome": "95；好"}, "past"),
        ({"valid_from": NOW, "told_now": Change.DONE}, "past"),
        ({"valid_from": NOW, "told_now": Change.CANCELLED}, "cancelled"),
        ({"valid_from": NOW + timedelta(days=3), "flags": (Flag.CANCELLED,)}, "cancelled"),
        ({"kind": Kind.VERSIONED}, None),
    ],
)
def test_a_line_is_read_with_the_phase_it_is_marked_with(
    fields: dict[str, Any], phase: str | None, language: str
) -> None:
    fields = {"precision": Precision.DAY, **fields, "language": language}
    context = render_context(recalled(**fields), MemoryPolicy())
    (line,) = read_context(context, language).lines
    assert line.phase == phase
    assert ("2026" in line.when) is ("valid_from" in fields)


def test_words_inside_the_quotes_mark_nothing() -> None:
    context = render_context(recalled(text="已經過了，結果還不知道", kind=Kind.VERSIONED), MemoryPolicy())
    (line,) = read_context(context, "zh-TW").lines
    assert line.phase is None


# ---- what is demanded of it


def test_what_must_be_there_is_missing_where_no_line_holds_it() -> None:
    timeline = asks(must=["小華|小樺"])
    assert judge_shown(timeline, shows(Line("叫小華"))).holds
    assert judge_shown(timeline, shows(Line("叫小明"))).missing == ("must 小華|小樺",)


def test_a_forbidden_statement_may_stay_where_it_is_marked_as_over() -> None:
    timeline = asks(must_not=["期末考"])
    assert judge_shown(timeline, shows(Line("有期末考"))).stale == ("live 期末考",)
    assert judge_shown(timeline, shows(Line("有期末考", phase="upcoming"))).stale
    assert judge_shown(timeline, shows(Line("有期末考", phase="past"))).holds
    assert judge_shown(timeline, shows(Line("有期末考", phase="cancelled"))).holds


def test_what_must_never_be_shown_may_not_even_be_marked_as_over() -> None:
    assert judge_shown(asks(never=["期末考"]), shows(Line("有期末考", phase="past"))).stale


def test_an_event_that_is_over_is_stale_where_nothing_says_so() -> None:
    timeline = read_timeline(ROW)
    bare = judge_shown(timeline, shows(Line("我下週二有期末考")))
    assert (bool(bare.stale), bool(bare.missing), bool(bare.wrong_phase)) == (True, False, True)
    assert judge_shown(timeline, shows(Line("期末考", "past", "2026-09-15 星期二"))).holds
    assert judge_shown(timeline, shows(Line("期末考", "upcoming", "2026-09-15 星期二"))).stale
    assert judge_shown(timeline, shows()).missing


def test_a_full_date_says_its_phase_where_the_present_moment_stands_beside_it() -> None:
    timeline = read_timeline(ROW)
    for text in ("9/15 有期末考", "9 月 15 號有期末考", "期末考 on September 15", "期末考 2026-09-15"):
        assert judge_shown(timeline, shows(Line(text))).holds
        assert not judge_shown(timeline, shows(Line(text), anchored=False)).holds
    assert not judge_shown(timeline, shows(Line("9/16 有期末考"))).holds


def test_a_sentence_may_tell_its_phase_in_its_own_words() -> None:
    row = {**ROW, "phases": [{"about": "期末考", "phase": "past", "says": "考完"}]}
    assert judge_shown(read_timeline(row), shows(Line("期末考考完了"))).holds
    both = shows(Line("期末考考完了"), Line("下週二有期末考"))
    assert judge_shown(read_timeline(row), both).stale, "the old plan beside it still reads as live"


def test_an_event_on_another_day_is_another_event_but_not_the_one_wanted() -> None:
    timeline = read_timeline(ROW)
    other = Line("期末考", "upcoming", "2026-12-28 星期一")
    assert judge_shown(timeline, shows(Line("期末考", "past", "2026-09-15 星期二"), other)).holds
    assert judge_shown(timeline, shows(other)).wrong_phase


# ---- the three memories


async def test_three_memories_answer_the_same_timelines(models: Models) -> None:
    moved = {
        **ROW,
        "id": "moved",
        "kind": "superseded",
        "said": [
            {"at": "2026-08-01T20:00", "say": "我住在台中"},
            {"at": "2026-09-01T20:00", "say": "我搬到台北了"},
        ],
        "ask": {"at": "2026-09-12T20:00", "say": "我住在哪裡？"},
        "must": ["台北"],
        "must_not": ["台中"],
        "phases": [],
    }
    report = await evaluate_stale([ROW, moved], models)
    assert (report.rows, report.stale, report.missing, report.failures) == (2, 0.0, 0.0, 0)
    assert report.baselines[SIMILARITY].stale == 1.0, "it knows no time and overturns nothing"
    assert report.by["superseded"]["similarity"] == 1
    stale = {(one.id, one.arm) for one in report.predictions if one.stale}
    assert ("r", DATED) in stale, "days ago do not say that a Tuesday is over"
    shown = {(one.id, one.arm): one.context for one in report.predictions}
    assert shown["r", SIMILARITY] == "- 我下週二有期末考"
    assert "[5 天前說的] (schedule) 我下週二有期末考" in shown["r", DATED]
    assert "已經過了，結果還不知道" in shown["r", "memory"]


async def test_the_dated_store_lets_a_plan_go_a_fortnight_after_it_was_said(models: Models) -> None:
    said = [{"at": "2026-09-12T20:00", "say": "我 10 月 20 號要開刀"}]
    ask = {"at": "2026-10-10T10:00", "say": "我什麼時候要開刀？"}
    wanted = [{"about": "開刀", "phase": "upcoming", "date": "2026-10-20"}]
    report = await evaluate_stale([{**ROW, "said": said, "ask": ask, "phases": wanted}], models)
    assert report.missing == 0.0, "an operation is not forgotten before it happened"
    assert report.baselines[DATED].missing == 1.0


async def test_people_do_not_see_each_others_timelines(models: Models) -> None:
    named = {"said": [{"at": "2026-09-01T20:00", "say": "我叫承翰"}], "phases": [], "must": ["承翰"]}
    asked = {"at": "2026-09-12T20:00", "say": "我叫什麼名字？"}
    other = {**ROW, "id": "other", "said": [], "ask": asked, "phases": [], "never": ["承翰"]}
    report = await evaluate_stale([{**ROW, **named, "ask": asked}, other], models)
    assert report.failures == 0


async def test_no_rows_give_no_figures(models: Models) -> None:
    report = await evaluate_stale([], models)
    assert (report.rows, report.stale, report.failures) == (0, 0.0, 0)


# ---- the packaged set


def test_the_packaged_set_covers_its_kinds_in_three_languages() -> None:
    timelines = [read_timeline(row) for row in PACKAGED]
    languages = Counter(timeline.ask.language for timeline in timelines)
    assert len(timelines) >= 120
    assert len({timeline.id for timeline in timelines}) == len(timelines)
    assert languages["zh-TW"] >= 80
    assert languages["en"] >= 25
    assert languages["ja"] >= 15
    assert min(Counter(timeline.kind for timeline in timelines).values()) >= 3


@pytest.fixture(scope="module")
def packaged(models: Models) -> StaleReport:
    return asyncio.run(evaluate_stale(PACKAGED, models))


def test_of_the_packaged_set_at_most_one_in_a_hundred_is_stale_or_missing(
    packaged: StaleReport,
) -> None:
    failed = [
        (one.id, *one.stale, *one.missing)
        for one in packaged.predictions
        if one.arm == "memory" and (one.stale or one.missing)
    ]
    assert len(failed) <= 0.01 * packaged.rows, failed


def test_of_the_packaged_set_at_most_one_in_a_hundred_is_told_in_a_wrong_phase(
    packaged: StaleReport,
) -> None:
    assert packaged.wrong_phase <= 0.01


def test_the_other_two_memories_are_stale_where_this_one_is_not(packaged: StaleReport) -> None:
    assert packaged.baselines[SIMILARITY].stale > packaged.baselines[DATED].stale > 10 * packaged.stale
    assert packaged.baselines[DATED].missing > packaged.missing
