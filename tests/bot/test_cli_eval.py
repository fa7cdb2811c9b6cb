from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run

CHECKOUT = Path(__file__).parents[2]

TIME = [
    {
        "id": "t1",
        "text": "明天去看牙醫",
        "span": "明天",
        "ref": "2026-09-12T10:00",
        "accept": [{"s": "2026-09-13T00:00", "e": "2026-09-14T00:00", "g": "day"}],
    },
    {"id": "t2", "text": "這本書一百元", "span": "一百元", "ref": "2026-09-12T10:00", "accept": []},
]
PAIRS = [
    {"id": "p1", "src": "mine", "a": "使用者叫阿明", "b": "使用者叫阿華", "label": "CONTRADICT"},
    {"id": "p2", "src": "mine", "a": "使用者養了一隻貓", "b": "使用者在銀行上班", "label": "DIFFERENT"},
]
MEMORIES = [
    {"id": "m1", "user": "u", "time": "2026-09-01", "user_text": "我養了一隻叫麻糬的貓", "reply": "好可愛"},
    {"id": "m2", "user": "u", "time": "2026-09-02", "user_text": "我在台中的銀行上班", "reply": "辛苦了"},
]
QUERIES = [
    {
        "qid": "q1",
        "user": "u",
        "question": "我的貓叫什麼？",
        "ask_time": "2026-09-10",
        "gold": ["m1"],
    },
]


def write(path: Path, rows: Sequence[dict[str, Any]]) -> str:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path.name


def lily(tmp_path: Path, *argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = run(argv, environ={"LANG": "en_US"}, cwd=tmp_path, stdout=out, stderr=err)
    return code, out.getvalue(), err.getvalue()


def predicted(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz"])
def test_times_are_scored_and_what_was_decided_is_written(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / name, TIME)
    code, out, err = lily(tmp_path, "eval", "time", file, "--json", "--predictions", "p.jsonl")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["rows"], report["exact"], report["unresolved_kept"]) == (2, 1.0, 1.0)
    assert [set(row) for row in predicted(tmp_path)] == [{"id", "start", "end", "precision", "rule"}] * 2
    assert predicted(tmp_path)[0]["start"] == "2026-09-13T00:00"
    assert predicted(tmp_path)[1]["start"] is None


def test_answers_may_be_missing(tmp_path: Path) -> None:
    rows = [{key: value for key, value in row.items() if key != "accept"} for row in TIME]
    code, out, _ = lily(tmp_path, "eval", "time", write(tmp_path / "t.jsonl", rows), "--json")
    assert code == 0
    assert json.loads(out)["exact"] is None


def test_the_traditional_text_is_scored_where_there_is_one(tmp_path: Path) -> None:
    row = {**TIME[0], "text": "没有时间", "text_hant": "後天去看牙醫", "span_hant": "後天"}
    file = write(tmp_path / "t.jsonl", [row])
    assert lily(tmp_path, "eval", "time", file, "--predictions", "p.jsonl")[0] == 0
    assert predicted(tmp_path)[0]["start"] == "2026-09-14T00:00"
    assert lily(tmp_path, "eval", "time", file, "--simplified", "--predictions", "p.jsonl")[0] == 0
    assert predicted(tmp_path)[0]["start"] != "2026-09-14T00:00"


def test_relations_are_scored_by_source(tmp_path: Path) -> None:
    file = write(tmp_path / "r.jsonl", PAIRS)
    code, out, err = lily(tmp_path, "eval", "relations", file, "--json", "--predictions", "p.jsonl")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert {"rows", "macro_f1", "accuracy", "false_retire", "missed_contradiction", "by_src"} <= set(report)
    assert report["by_src"]["mine"]["rows"] == 2
    assert [row["relation"] for row in predicted(tmp_path)] == ["CONTRADICT", "DIFFERENT"]
    assert [set(row) for row in predicted(tmp_path)] == [{"id", "relation", "why"}] * 2


def test_retrieval_takes_memories_and_questions(tmp_path: Path) -> None:
    memories, queries = write(tmp_path / "m.jsonl", MEMORIES), write(tmp_path / "q.jsonl", QUERIES)
    code, out, err = lily(
        tmp_path, "eval", "retrieval", memories, queries, "--json", "--predictions", "p.jsonl"
    )
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert {"queries", "recall@5", "recall@10", "hit@1", "hit@3", "ndcg@10", "by"} <= set(report)
    assert predicted(tmp_path)[0]["ranked"][0] == "m1"


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
def test_an_interrupt_ends_it_at_once_without_a_traceback(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows.jsonl")
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "eval", "time", "rows.jsonl"],
        cwd=tmp_path,
        env={**os.environ, "LANG": "en_US", "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    with (tmp_path / "rows.jsonl").open("w"):  # opens once the command reads
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "stopped\n")


def test_a_table_is_shown_to_people(tmp_path: Path) -> None:
    _, out, _ = lily(tmp_path, "eval", "time", write(tmp_path / "t.jsonl", TIME))
    assert "measure" in out
    assert "unresolved_kept" in out


def test_every_broken_row_is_told_with_its_line(tmp_path: Path) -> None:
    rows = [json.dumps(row) for row in TIME]
    (tmp_path / "t.jsonl").write_text("\n".join([rows[0], "{", "[1]", '{"id": "x", "ref": "2026"}']))
    code, out, err = lily(tmp_path, "eval", "time", "t.jsonl")
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert len(lines) == 3
    assert "t.jsonl, line 2: no JSON object" in lines[0]
    assert "t.jsonl, line 3: no JSON object (list)" in lines[1]
    assert "t.jsonl, line 4: text is missing" in lines[2]


def test_a_row_with_a_wrong_value_is_told(tmp_path: Path) -> None:
    code, _, err = lily(tmp_path, "eval", "time", write(tmp_path / "t.jsonl", [{**TIME[0], "ref": "soon"}]))
    assert code == 2
    assert err.startswith("t.jsonl: a row does not fit (")


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"", "a.jsonl", "holds no row"),
        (b"\n\n", "a.jsonl", "holds no row"),
        (b"\xff\xfe", "a.jsonl", "not UTF-8 text"),
        (b"plain", "a.jsonl.gz", "ends in .gz but is not whole gzip data"),
        (gzip.compress(b"{}\n", mtime=0)[:-6], "a.jsonl.gz", "ends in .gz but is not whole gzip data"),
    ],
)
def test_a_file_that_holds_no_rows_is_told(tmp_path: Path, content: bytes, name: str, expected: str) -> None:
    (tmp_path / name).write_bytes(content)
    code, _, err = lily(tmp_path, "eval", "time", name)
    assert code == 2
    assert expected in err


def test_an_absent_file_and_a_folder_are_told(tmp_path: Path) -> None:
    assert "there is no such file" in lily(tmp_path, "eval", "time", "none.jsonl")[2]
    assert "can't be read" in lily(tmp_path, "eval", "time", ".")[2]


def test_retrieval_needs_two_files(tmp_path: Path) -> None:
    code, _, err = lily(tmp_path, "eval", "retrieval", write(tmp_path / "m.jsonl", MEMORIES))
    assert (code, err) == (2, "lily eval retrieval: expected two files, the memories and the queries\n")


def test_predictions_that_can_not_be_written_are_told(tmp_path: Path) -> None:
    file = write(tmp_path / "t.jsonl", TIME)
    code, _, err = lily(tmp_path, "eval", "time", file, "--predictions", "no/where.jsonl")
    assert code == 2
    assert "can't be written" in err
