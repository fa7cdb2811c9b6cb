from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from bot.cli.app import run

ROW: dict[str, Any] = {
    "id": "moved",
    "kind": "superseded",
    "said": [
        {"at": "2026-08-01T20:00", "say": "我住在台中"},
        {"at": "2026-09-01T20:00", "say": "我搬到台北了"},
    ],
    "ask": {"at": "2026-09-12T20:00", "say": "我住在哪裡？"},
    "must": ["台北"],
    "must_not": ["台中"],
}


def lily(tmp_path: Path, *argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = run(argv, environ={"LANG": "en_US"}, cwd=tmp_path, stdout=out, stderr=err)
    return code, out.getvalue(), err.getvalue()


def write(tmp_path: Path, *rows: dict[str, Any]) -> str:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    (tmp_path / "s.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "s.jsonl"


def test_timelines_are_scored_beside_two_other_memories(tmp_path: Path) -> None:
    code, out, err = lily(
        tmp_path, "eval", "stale", write(tmp_path, ROW), "--json", "--predictions", "p.jsonl"
    )
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["rows"], report["stale"], report["missing"]) == (1, 0.0, 0.0)
    assert report["baselines"]["similarity"]["stale"] == 1.0
    assert set(report["baselines"]) == {"similarity", "dated"}
    predicted = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["arm"] for row in predicted] == ["memory", "dated", "similarity"]
    assert [set(row) for row in predicted] == [
        {"id", "arm", "stale", "missing", "wrong_phase", "context"}
    ] * 3
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [], "nothing is kept"


def test_a_row_that_does_not_fit_is_told(tmp_path: Path) -> None:
    code, out, err = lily(tmp_path, "eval", "stale", write(tmp_path, {**ROW, "zone": "Asia/Tapei"}))
    assert (code, out) == (2, "")
    assert err.startswith("s.jsonl: a row does not fit (row moved: zone 'Asia/Tapei'")
