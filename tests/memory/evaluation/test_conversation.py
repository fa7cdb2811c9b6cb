from __future__ import annotations

from typing import Any

import pytest

from memory.evaluation.conversation import read_conversations
from memory.evaluation.sets import BY_NAME, OPERATIONS
from memory.model import ArchivedReason, Category

HEAD = {"conversation": "c1", "kind": "names", "set": "mine"}
NAME = {"key": "n", "has": ["阿明"], "category": "name"}


def line(say: str = "我叫阿明", **fields: Any) -> dict[str, Any]:
    return {"at": "2026-09-01T20:00", "say": say, **fields}


def test_a_conversation_is_its_head_and_the_lines_up_to_the_next_head() -> None:
    rows = [HEAD, line(store=[NAME]), {**HEAD, "conversation": "c2"}, line(), line("嗨")]
    first, second = read_conversations(rows)
    assert (first.id, first.kind, first.part, first.language, first.zone) == (
        "c1", "names", "mine", "zh-TW", "Asia/Taipei",
    )  # fmt: skip
    assert [len(one.lines) for one in (first, second)] == [1, 2]
    assert first.lines[0].at.isoformat() == "2026-09-01T12:00:00+00:00"


def test_a_fact_takes_texts_or_lists_and_alternatives() -> None:
    gold = {
        **NAME,
        "has": "阿明|小明",
        "category": ["name", "identity"],
        "not": "不叫",
        "subject": ["user", "me"],
    }
    (conversation,) = read_conversations([HEAD, line(store=[gold])])
    (fact,) = conversation.lines[0].store
    assert fact.has == (("阿明", "小明"),)
    assert fact.categories == {Category.NAME, Category.IDENTITY}
    assert (fact.lacks, fact.subjects) == (("不叫",), ("user", "me"))


def test_a_line_tells_what_leaves_and_why() -> None:
    rows = [HEAD, line(store=[NAME]), {"at": "2026-09-20T20:00", "tick": True, "archive": {"n": "expired"}}]
    (conversation,) = read_conversations(rows)
    assert conversation.lines[1].archive == {"n": ArchivedReason.EXPIRED}
    assert conversation.lines[1].say is None


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([line()], "a line before any conversation"),
        ([HEAD], "c1: it has no lines"),
        ([HEAD, line(), HEAD, line()], "c1: this conversation is there twice"),
        ([{**HEAD, "colour": "red"}, line()], "c1: colour is none of"),
        ([{**HEAD, "zone": "Mars/Base"}, line()], "c1: zone 'Mars/Base' is no IANA zone"),
        ([HEAD, {"at": "soon", "say": "嗨"}], "c1, line 1: Invalid isoformat"),
        ([HEAD, {"at": "2026-09-01", "say": " "}], "c1, line 1: say must be a text"),
        ([HEAD, line(sya="嗨")], "c1, line 1: sya is none of"),
        ([HEAD, line(tick=True)], "c1, line 1: say doesn't go with tick"),
        ([HEAD, line(), {**line(), "at": "2026-08-01"}], "c1, line 2: at goes back"),
        ([HEAD, line(store=NAME)], "c1, line 1: store must be a list"),
        ([HEAD, line(store=["阿明"])], "c1, line 1, store: a fact needs has and category"),
        ([HEAD, line(store=[{"has": "阿明"}])], "c1, line 1, store: category is missing"),
        ([HEAD, line(store=[{**NAME, "category": "pets"}])], "category 'pets' is none of"),
        ([HEAD, line(store=[NAME, NAME])], "the key 'n' is there twice"),
        ([HEAD, line(skip=["n"])], "c1, line 1: no line before tells a fact 'n'"),
        ([HEAD, line(store=[NAME]), line(archive={"n": "bored"})], "reason 'bored' is none of"),
        ([HEAD, line(store=[{**NAME, "replaces": "x"}])], "no line before tells a fact 'x'"),
        ([HEAD, line(store=[{**NAME, "when": 3}])], "when must be a text"),
        ([HEAD, line(reply=3)], "reply must be a text"),
    ],
)
def test_what_is_wrong_is_told_with_its_conversation_line_and_field(rows: Any, told: str) -> None:
    with pytest.raises(ValueError) as error:
        read_conversations(rows)
    assert told in str(error.value)


def test_the_packaged_conversations_cover_three_languages_and_three_parts() -> None:
    import json

    rows = [json.loads(row) for file in OPERATIONS for row in file.read_text(encoding="utf-8").splitlines()]
    conversations = read_conversations(rows)
    said = sum(line.say is not None for one in conversations for line in one.lines)
    assert len(conversations) >= 40
    assert said >= 300
    assert {one.language for one in conversations} == {"zh-TW", "en", "ja"}
    assert {one.part for one in conversations} == {"tuned", "fresh", "second"}


def test_every_packaged_file_is_there_and_holds_rows() -> None:
    assert set(BY_NAME) == {"time", "relations", "retrieval", "stale", "operations"}
    for files in BY_NAME.values():
        assert files
        assert all(len(file.read_text(encoding="utf-8").splitlines()) > 20 for file in files)
