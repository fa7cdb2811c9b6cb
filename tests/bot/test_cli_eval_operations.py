from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run
from bot.cli.evaluate import _SCORERS
from bot.cli.evaluate_files import by_format, format_of
from bot.errors import UsageError
from tests.llm.standin import Answer, Asked, StandIn

CONVERSATION: list[dict[str, Any]] = [
    {"conversation": "c1", "kind": "homes", "set": "mine"},
    {
        "at": "2026-09-01T20:00",
        "say": "我住在新竹",
        "store": [{"key": "home", "has": "新竹", "category": "identity"}],
    },
    {"at": "2026-09-02T20:00", "say": "嗨", "reply": "你叫什麼名字？"},
    {
        "at": "2026-09-02T20:01",
        "say": "怡君",
        "store": [{"key": "name", "has": "怡君", "category": "name"}],
    },
    {
        "at": "2026-09-09T20:00",
        "say": "我搬到台中了",
        "store": [{"key": "moved", "has": "台中", "category": "identity", "replaces": "home"}],
    },
    {
        "at": "2026-09-10T20:00",
        "say": "我明天要看牙醫",
        "store": [{"key": "dentist", "has": "牙醫", "category": "schedule", "when": "2026-09-11"}],
    },
    {"at": "2026-10-10T09:00", "tick": True, "archive": {"dentist": "expired"}},
]


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path.name


def lily(tmp_path: Path, *argv: str, **environ: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = run(argv, environ={"LANG": "en_US", **environ}, cwd=tmp_path, stdout=out, stderr=err)
    return code, out.getvalue(), err.getvalue()


def test_a_conversation_is_played_through_the_house_and_scored(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", CONVERSATION)
    code, out, err = lily(tmp_path, "eval", "operations", file, "--json", "--predictions", "p.jsonl")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["conversations"], report["lines"], report["facts"]) == (1, 6, 4)
    assert (report["found"], report["invented"], report["duplicates"], report["retired"]) == (4, 0, 0, 0)
    assert (report["updates"], report["correct_updates"], report["missed_contradiction"]) == (2, 1.0, 0.0)
    assert (report["held_at_end"], report["stale_at_end"], report["dates"]) == (2, 0, 1.0)
    assert set(report["by_kind"]) == {"homes"}
    assert set(report["by_set"]) == {"mine"}
    predicted = [json.loads(one) for one in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one["line"] for one in predicted] == [1, 2, 3, 4, 5, 6]
    assert all(one["wrong"] == [] for one in predicted)
    assert predicted[3]["archived"] == ["使用者住在新竹"]


def test_offline_nobody_is_called_and_nothing_is_owed(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", CONVERSATION[:2])
    spent = json.loads(lily(tmp_path, "eval", "operations", file, "--json")[1])["spending"]
    assert (spent["messages"], spent["calls"], spent["cost_usd"]) == (1, 0, 0)
    assert spent["by_role"]["embed"]["computed"] > 0
    assert set(spent["by_role"]) == {"chat", "extract", "judge", "embed"}


def test_the_data_folder_of_the_settings_is_left_alone(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", CONVERSATION[:2])
    assert lily(tmp_path, "eval", "operations", file, "--data", "mine", "--json")[0] == 0
    assert not (tmp_path / "mine" / "lily.db").exists()
    assert not (tmp_path / ".lily").exists()


def test_a_wrong_row_is_told_with_its_line_and_field(tmp_path: Path) -> None:
    rows = [CONVERSATION[0], {**CONVERSATION[1], "at": "soon"}]
    code, _, err = lily(tmp_path, "eval", "operations", write(tmp_path / "c.jsonl", rows))
    assert code == 2
    assert "c1, line 1" in err
    assert "docs/evaluation.en.md" in err


def test_models_without_a_key_or_a_name_are_refused_with_the_fix(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", CONVERSATION[:2])
    code, _, err = lily(tmp_path, "eval", "operations", file, "--models", "gemini")
    assert code == 2
    assert "GEMINI_API_KEY" in err
    code, _, err = lily(tmp_path, "eval", "operations", file, "--models", "openai")
    assert code == 2
    assert "OPENAI_BASE_URL" in err
    assert "models.openai.extractor" in err


def _said(asked: Asked) -> str:
    return "\n".join(str(one["content"]) for one in asked.body["messages"])


def endpoint(asked: Asked) -> Answer:
    """Talk, read homes out of messages and call a move a contradiction, with tokens as an endpoint counts."""
    said = _said(asked)
    if "verdicts" in json.dumps(asked.body, ensure_ascii=False):
        content = json.dumps({"verdicts": [{"id": "C1", "reason": "moved", "relation": "CONTRADICT"}]})
    elif "nothing_because" in json.dumps(asked.body, ensure_ascii=False):
        quote = "我搬到台中了" if "我搬到台中了" in said else "我住在新竹"
        town = quote.removesuffix("了")[-2:]
        fact = {"quote": quote, "text": f"使用者住在{town}", "category": "identity"}
        content = json.dumps({"facts": [fact]}, ensure_ascii=False)
    else:
        content = "哼。"
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return Answer({"choices": [choice], "usage": usage})


async def test_an_endpoint_is_scored_by_the_same_command_and_its_calls_are_counted(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", [CONVERSATION[0], CONVERSATION[1], CONVERSATION[4]])
    (tmp_path / "config.yaml").write_text(
        "models:\n  openai: {chat: talker, extractor: reader, judge: reader}\n"
        "  prices:\n    talker: {input: 1.0, output: 2.0}\n    reader: {input: 0.1, output: 0.2}\n"
    )
    async with StandIn(script=endpoint) as server:
        code, out, err = await asyncio.to_thread(
            lambda: lily(
                tmp_path, "eval", "operations", file, "--models", "openai", "--json",
                OPENAI_BASE_URL=f"{server.url}/v1", OPENAI_API_KEY="k",
            )
        )  # fmt: skip
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["found"], report["invented"], report["correct_updates"]) == (2, 0, 1.0)
    roles = report["spending"]["by_role"]
    assert (roles["chat"]["calls"], roles["extract"]["calls"]) == (2, 2)
    assert roles["embed"]["calls"] == 0
    assert roles["chat"]["cost_usd"] == pytest.approx(2 * (100 * 1.0 + 10 * 2.0) / 1e6)
    assert report["spending"]["calls"] == len(server.asked)
    assert report["spending"]["input_tokens"] == 100 * len(server.asked)


def test_every_format_is_told_by_its_rows() -> None:
    rows = {
        "operations": {"conversation": "c"},
        "stale": {"id": "x", "said": [], "ask": {}},
        "queries": {"qid": "q", "question": "?", "user": "u"},
        "time": {"id": "t", "text": "明天", "ref": "2026-09-01T10:00"},
        "relations": {"id": "r", "a": "x", "b": "y"},
        "memories": {"id": "m", "user": "u", "text": "x"},
    }
    assert {name: format_of(row) for name, row in rows.items()} == {name: name for name in rows}
    assert format_of({"old": "x", "new": "y"}) == "relations"
    assert format_of({"colour": "red"}) is None


def test_files_are_sorted_by_format_and_memories_stay_with_their_queries(tmp_path: Path) -> None:
    memories = Path(write(tmp_path / "m.jsonl", [{"id": "m", "user": "u", "text": "x"}]))
    queries = Path(write(tmp_path / "q.jsonl", [{"qid": "q", "user": "u", "question": "?"}]))
    pairs = Path(write(tmp_path / "p.jsonl", [{"a": "x", "b": "y"}]))
    found = by_format([pairs, memories, queries], tmp_path)
    assert found == {"relations": [(pairs,)], "retrieval": [(memories, queries)]}
    with pytest.raises(UsageError):
        by_format([queries], tmp_path)
    with pytest.raises(UsageError):
        by_format([memories], tmp_path)
    odd = Path(write(tmp_path / "o.jsonl", [{"colour": "red"}]))
    with pytest.raises(UsageError):
        by_format([odd], tmp_path)


SMALL: dict[str, list[dict[str, Any]]] = {
    "time": [{"id": "t", "text": "明天去看牙醫", "span": "明天", "ref": "2026-09-12T10:00", "accept": []}],
    "relations": [{"id": "p", "a": "使用者叫阿明", "b": "使用者叫阿華", "label": "CONTRADICT"}],
    "stale": [
        {
            "id": "s",
            "said": [{"at": "2026-09-01T20:00", "say": "我叫承翰"}],
            "ask": {"at": "2026-09-02T20:00", "say": "我叫什麼？"},
            "must": ["承翰"],
        }
    ],
    "operations": CONVERSATION[:2],
}


def test_all_prints_an_object_for_each_evaluation_and_one_that_sums_them_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {name: (tmp_path / write(tmp_path / f"{name}.jsonl", rows),) for name, rows in SMALL.items()}
    memories = write(tmp_path / "m.jsonl", [{"id": "m", "user": "u", "time": "2026-09-01", "text": "貓"}])
    question = {"qid": "q", "user": "u", "question": "貓？", "ask_time": "2026-09-02", "gold": ["m"]}
    queries = write(tmp_path / "q.jsonl", [question])
    packaged = {**files, "retrieval": (tmp_path / memories, tmp_path / queries)}
    monkeypatch.setattr("memory.evaluation.sets.BY_NAME", packaged)
    given = write(tmp_path / "mine.jsonl", SMALL["relations"])
    code, out, err = lily(tmp_path, "eval", "all", given, "--json", GEMINI_API_KEY="not-to-be-used")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [(row["eval"], row.get("set")) for row in rows] == [
        ("time", "packaged"), ("relations", "packaged"), ("relations", "given"), ("retrieval", "packaged"),
        ("stale", "packaged"), ("operations", "packaged"), ("all", None),
    ]  # fmt: skip
    assert all(row["seconds"] >= 0 for row in rows)
    assert rows[2]["files"] == ["mine.jsonl"]
    assert len(rows[-1]["summary"]["relations"]) == 2
    assert rows[-1]["summary"]["operations"][0]["conversations"] == 1


def test_all_is_shown_to_people_as_a_short_table_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.evaluate._SCORERS", {"time": _SCORERS["time"]})
    code, out, _ = lily(tmp_path, "eval", "all")
    assert code == 0
    assert out.startswith("time · time.jsonl · ")
    assert "unresolved_kept" in out
    assert "predictions" not in out


def test_all_takes_no_predictions(tmp_path: Path) -> None:
    code, _, err = lily(tmp_path, "eval", "all", "--predictions", "p.jsonl")
    assert code == 2
    assert "--predictions" in err
