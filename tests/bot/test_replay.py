from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path

import pytest

from bot.errors import UsageError
from bot.house import open_store
from bot.replay import read_script
from bot.settings import load_settings
from memory.catalog import load_catalog
from memory.clock import SettableClock
from memory.identifiers import message_id_of_line
from memory.messages import Message
from tests.bot.command_line import lily, replay, said, tick, write_script

SAY_KEYS = {"reply", "recalled", "context", "written", "archived", "skipped"}
STORY = [
    said("2026-09-12T21:30", "我下週二有期末考"),
    said("2026-09-12T21:31", "我討厭吃香菜"),
    said("2026-09-15T21:00", "今天考試終於考完了"),
    tick("2026-10-01T09:00"),
]


def complaints(*lines: object) -> list[str]:
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    with pytest.raises(UsageError) as caught:
        read_script(texts, Path("s.jsonl"))
    assert caught.value.exit_code == 2
    return caught.value.texts(load_catalog("bot", "en"))


def test_each_line_is_answered_by_one_object(tmp_path: Path) -> None:
    answers = replay(tmp_path, *STORY)
    assert len(answers) == len(STORY)
    assert all(answer.keys() >= SAY_KEYS for answer in answers[:3])
    assert answers[3].keys() >= {"archived", "follow_ups"}


def test_what_is_said_is_grounded_at_the_time_of_its_line(tmp_path: Path) -> None:
    first, *_ = replay(tmp_path, *STORY)
    (exam,) = first["written"]
    assert (exam["category"], exam["kind"], exam["precision"]) == ("schedule", "EVENT", "day")
    assert exam["valid_from"].startswith("2026-09-14T16:00")
    assert exam["when_text"] == "下週二"


def test_the_context_of_a_later_line_says_when(tmp_path: Path) -> None:
    *_, third, _ = replay(tmp_path, *STORY)
    assert "2026-09-15 星期二 21:00" in third["context"]
    (recalled,) = [one for one in third["recalled"] if "考" in one["text"]]
    assert recalled.keys() >= {"id", "text", "phase", "state", "score", "similarity", "why"}
    assert recalled["phase"] == "past"


def test_a_tick_lets_expired_events_leave(tmp_path: Path) -> None:
    *_, due = replay(tmp_path, *STORY)
    assert [(one["reason"], one["by"]) for one in due["archived"]] == [("expired", "scheduler:expiry")]


def test_the_same_script_on_a_fresh_folder_gives_the_same_bytes(tmp_path: Path) -> None:
    script = str(write_script(tmp_path, STORY))
    first = lily(tmp_path, "--data", "one", "replay", script, "--json")
    second = lily(tmp_path, "--data", "two", "replay", script, "--json")
    assert first.code == second.code == 0
    assert first.out == second.out


def test_the_same_script_again_changes_nothing(tmp_path: Path) -> None:
    replay(tmp_path, *STORY)
    before = lily(tmp_path, "memories", "--user", "u1", "--state", "all", "--json").rows
    again = replay(tmp_path, *STORY)
    assert all(answer["written"] == answer["reply"] == [] for answer in again[:3])
    assert [answer["known"] for answer in again[:3]] == [True, True, True]
    assert lily(tmp_path, "memories", "--user", "u1", "--state", "all", "--json").rows == before


def test_a_line_is_known_by_its_id_or_by_its_hash(tmp_path: Path) -> None:
    plain, named = said("2026-09-12T21:30", "我討厭吃香菜"), said("2026-09-12T21:30", "我喜歡下雨", id="x-1")
    answers = replay(tmp_path, plain, named, {**named, "say": "我喜歡下雪"})
    assert answers[0]["id"] == message_id_of_line(json.dumps(plain, ensure_ascii=False))
    assert [answer["id"] for answer in answers[1:]] == ["x-1", "x-1"]
    assert answers[2]["known"] is True


def test_people_have_their_own_zone_and_language(tmp_path: Path) -> None:
    berlin = said(
        "2026-09-12T21:30",
        "I have an exam tomorrow",
        settings={"timezone": "Europe/Berlin", "language": "en"},
    )
    answer, later = replay(tmp_path, berlin, said("2026-09-12T21:40", "When is my exam?"))
    (exam,) = answer["written"]
    assert exam["valid_from"].startswith("2026-09-12T22:00")  # midnight of the 13th in Berlin, in UTC
    assert "Europe/Berlin" in later["context"]


def test_settings_may_stand_on_a_line_of_their_own(tmp_path: Path) -> None:
    chosen = {
        "at": "2026-09-12T21:30:00+08:00",
        "user": "u1",
        "settings": {"quiet_hours": "23:00-08:00", "check_ins": True},
    }
    (answer,) = replay(tmp_path, chosen)
    assert answer["settings"] == {"quiet_from": "23:00", "quiet_to": "08:00", "check_ins": True}


def test_places_are_kept_apart(tmp_path: Path) -> None:
    _, elsewhere, home = replay(
        tmp_path,
        said("2026-09-12T21:30", "我討厭吃香菜"),
        said("2026-09-12T21:31", "我討厭吃什麼？", place="guild:1/channel:2"),
        said("2026-09-12T21:32", "我討厭吃什麼？"),
    )
    assert elsewhere["recalled"] == []
    assert "香菜" not in elsewhere["reply"][0]
    assert "香菜" in home["reply"][0]


def test_two_people_are_kept_apart(tmp_path: Path) -> None:
    _, other = replay(
        tmp_path, said("2026-09-12T21:30", "我叫小安"), said("2026-09-12T21:31", "我叫什麼名字？", user="u2")
    )
    assert "小安" not in other["reply"][0] + other["context"]


def test_people_get_a_transcript(tmp_path: Path) -> None:
    script = str(write_script(tmp_path, STORY))
    ran = lily(tmp_path, "replay", script)
    assert ran.code == 0
    assert "[2026-09-12 Saturday 21:30]\nu1: 我下週二有期末考\n莉莉: " in ran.out
    assert "+ remembered [schedule] " in ran.out
    assert "(2026-09-15 Tuesday)" in ran.out
    assert "- put away: " in ran.out


def test_what_is_noted_on_a_memory_is_not_told_as_a_new_one(tmp_path: Path) -> None:
    over = [said("2026-09-12T21:30", "我下週二有期末考"), said("2026-09-15T20:00", "今天考試終於考完了")]
    ran = lily(tmp_path, "replay", str(write_script(tmp_path, over)))
    assert ran.out.count("+ remembered [schedule]") == 1
    assert "~ noted on [schedule] 使用者有期末考" in ran.out


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "s.jsonl, line 1: no JSON object ("),
        ("[1]", "s.jsonl, line 1: no JSON object (list)"),
        ({"user": "u1", "say": "嗨"}, "s.jsonl, line 1: at: missing; give it a value"),
        (
            {"at": "2026-09-12T21:30:00", "user": "u1", "say": "嗨"},
            "s.jsonl, line 1: at: 2026-09-12T21:30:00 has no offset",
        ),
        ({"at": "tomorrow", "user": "u1", "say": "嗨"}, "s.jsonl, line 1: at: tomorrow is no time"),
        ({"at": 5, "user": "u1", "say": "嗨"}, "s.jsonl, line 1: at: 5 is no time"),
        (said("2026-09-12T21:30", ""), 's.jsonl, line 1: say: "" is no text, or empty'),
        (said("2026-09-12T21:30", "嗨", user=""), 's.jsonl, line 1: user: "" is no text, or empty'),
        (
            said("2026-09-12T21:30", "嗨", place="home"),
            "s.jsonl, line 1: place: home is no place; write dm or",
        ),
        (said("2026-09-12T21:30", "嗨", place=None), "s.jsonl, line 1: place: null is no place"),
        (
            said("2026-09-12T21:30", "嗨", mood="x"),
            "s.jsonl, line 1: mood: no such field; known here: at, id,",
        ),
        (said("2026-09-12T21:30", "嗨", id=""), 's.jsonl, line 1: id: "" is no text, or empty'),
        (said("2026-09-12T21:30", "嗨", id="x" * 129), "s.jsonl, line 1: id: 129 characters; at most 128"),
        (
            said("2026-09-12T21:30", "嗨", settings={"timezone": "Asia/Tapei"}),
            "s.jsonl, line 1: settings.timezone: there is no time zone Asia/Tapei; did you mean Asia/Taipei?",
        ),
        (
            said("2026-09-12T21:30", "嗨", settings={"language": "de"}),
            "s.jsonl, line 1: settings.language: there is no language de; one of zh-TW, en, ja",
        ),
        (
            said("2026-09-12T21:30", "嗨", settings={"check_ins": "yes"}),
            "s.jsonl, line 1: settings.check_ins: yes does not fit; expected true or false",
        ),
        (
            said("2026-09-12T21:30", "嗨", settings={"quiet_hours": "late"}),
            's.jsonl, line 1: settings.quiet_hours: late does not fit; write it like "23:00-08:00"',
        ),
        (
            said("2026-09-12T21:30", "嗨", settings=[]),
            "s.jsonl, line 1: settings: expected an object; known here:",
        ),
        (
            said("2026-09-12T21:30", "嗨", settings={"zone": "UTC"}),
            "s.jsonl, line 1: settings.zone: no such field; known here: timezone,",
        ),
        (
            {"at": "2026-09-12T21:30:00+08:00", "tick": 1},
            "s.jsonl, line 1: tick: 1 does not fit; expected true",
        ),
        (
            {"at": "2026-09-12T21:30:00+08:00", "tick": True, "say": "嗨"},
            "s.jsonl, line 1: say: can't stand on a line with tick",
        ),
    ],
)
def test_a_broken_line_is_told_with_its_number_and_field(line: object, complaint: str) -> None:
    (told,) = complaints(line)
    assert told.startswith(complaint)


def test_every_broken_line_is_told_at_once() -> None:
    told = complaints(
        said("2026-09-12T21:30", "嗨"),
        "{",
        said("2026-09-12T21:31", "嗨", place="x", user=""),
        said("2026-09-12T21:32", "嗨"),
        tick("2026-09-12T21:31"),
    )
    assert [line.split(":")[0] for line in told] == [
        "s.jsonl, line 2",
        "s.jsonl, line 3",
        "s.jsonl, line 3",
        "s.jsonl, line 5",
    ]
    assert told[-1].endswith("2026-09-12T21:31:00+08:00 lies before line 4; time only goes on")


def test_times_are_compared_as_instants() -> None:
    lines = [
        {"at": "2026-09-12T21:30:00+08:00", "tick": True},
        {"at": "2026-09-12T15:30:00+02:00", "tick": True},
    ]
    assert len(read_script([json.dumps(line) for line in lines], Path("s.jsonl"))) == 2


def test_empty_lines_count_but_are_skipped() -> None:
    (line,) = read_script(["", "  ", json.dumps(tick("2026-09-12T21:30"))], Path("s.jsonl"))
    assert line.number == 3


def test_a_script_without_a_line_is_refused() -> None:
    assert complaints("", " ") == ["s.jsonl: holds no row"]


async def test_a_line_that_an_earlier_run_only_admitted_is_taken_up(tmp_path: Path) -> None:
    line = said("2026-09-12T21:31", "我討厭吃香菜", id="x-1")
    settings = load_settings(None, {}, tmp_path)
    clock = SettableClock(datetime.fromisoformat(line["at"]))
    async with open_store(settings, clock) as memory:
        message = Message(
            id="x-1",
            user_id="u1",
            persona_id=settings.persona.character,
            text=line["say"],
            said_at=clock.now(),
            client="replay",
        )
        assert await memory.inbox.admit(message)
    script = str(write_script(tmp_path, [line]))
    ran = await asyncio.to_thread(lily, tmp_path, "replay", script, "--json")
    (answer,) = ran.rows
    assert "known" not in answer
    assert answer["reply"]
    assert [one["text"] for one in answer["written"]] == ["使用者討厭吃香菜"]
