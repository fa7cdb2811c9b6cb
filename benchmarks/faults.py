"""The matrix of faults: every dependency made to fail for real, and what admin and person read meanwhile.

``python benchmarks/faults.py`` runs ``tests/faults`` and writes ``benchmarks/results/faults.json`` and
``.md`` and ``docs/faults.md`` in both languages. ``--fuzz FILE`` takes in the reports of
``python -m tests.faults.fuzz``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
COLUMNS = (
    "Dependency",
    "What happens",
    "What the admin reads",
    "What the person reads",
    "How it goes on",
    "Tested in",
)
CHINESE_COLUMNS = ("什麼壞了", "怎麼壞", "管理的人看到", "聊天的人看到", "怎麼恢復", "哪一個測試")
PAGES = {"faults.md": "zh-TW", "faults.en.md": "en"}
CHINESE = ROOT / "docs" / "faults.zh-TW.yaml"
INTRODUCTION = """# When something fails

[繁體中文](faults.md) · [back to the start](../README.en.md) · [operations](operations.en.md)

Every row is a test that makes the fault happen for real (a full disk is a full disk, a held file is held by
another connection) and reads what the host and the people get to see. The lines are those of a run.
What was said to her is in the inbox before anything else happens to it; where even that could not be
written, she says so in the conversation, keeps the message in memory and takes it up once she can.

"""
CHINESE_INTRODUCTION = """# 出事的時候

[English](faults.en.md) · [回到首頁](../README.md) · [維運](operations.md)

每一列都是一個測試：讓那件事真的壞掉（磁碟滿就是真的滿，檔案被占住就是真的有另一條連線占著），再讀管理的人和聊天的人各看到什麼。
每一行字都是跑出來的原樣（紀錄檔和這次測試的終端機是英文）。對她說的話，做任何事之前都先進收件匣；連收件匣都寫不進去的時候，
她會在對話裡說，把那則留在記憶體裡，等寫得進去再接著。

"""


def run_matrix() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Run the tests; return what they saw, and how the run went."""
    with tempfile.TemporaryDirectory() as folder:
        seen = Path(folder) / "seen.jsonl"
        began = perf_counter()
        ran = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "tests/faults",
                "-q",
                "-rfE",
                "-n",
                "2",
                "-p",
                "no:cacheprovider",
            ],
            cwd=ROOT,
            env={**os.environ, "LILY_FAULTS_SEEN": str(seen)},
            capture_output=True,
            text=True,
            check=False,
        )
        lines = seen.read_text(encoding="utf-8").splitlines() if seen.exists() else []
    rows = [json.loads(line) for line in lines]
    dots = "".join(line.partition(" ")[0] for line in ran.stdout.splitlines() if line.rstrip().endswith("%]"))
    failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if ran.returncode and not failed:
        failed = [f"pytest ended with {ran.returncode}"]
    how = {
        "passed": dots.count("."),
        "failed": failed,
        "skipped": dots.count("s"),
        "seconds": round(perf_counter() - began),
        "exit_code": ran.returncode,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }
    return rows, how


def page(rows: Sequence[dict[str, Any]], language: str) -> str:
    """Return the page of the faults, in ``en`` or ``zh-TW``."""
    if language == "en":
        return INTRODUCTION + table(rows)
    return CHINESE_INTRODUCTION + table(rows, CHINESE_COLUMNS, in_chinese())


def in_chinese() -> dict[str, str]:
    """Return the words of the table's cells in Chinese, by the English ones."""
    words: dict[str, str] = yaml.safe_load(CHINESE.read_text(encoding="utf-8"))
    return words


def without_chinese(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the words of the rows that ``docs/faults.zh-TW.yaml`` doesn't know yet."""
    words = in_chinese()
    return sorted({row[key] for row in rows for key in ("dependency", "what", "after")} - set(words))


def table(
    rows: Sequence[dict[str, Any]],
    columns: Sequence[str] = COLUMNS,
    words: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the rows as a Markdown table; ``words`` puts its cells into another language."""
    lines = [_row(columns), _row(["---"] * len(columns))]
    for row in sorted(rows, key=lambda row: row["dependency"]):
        admin = "<br>".join(f"`{line}`" for line in row["admin"]) or "-"
        said = (row["dependency"], row["what"], row["person"], row["after"])
        dependency, what, person, after = (words.get(cell, cell) for cell in said)
        cells = (dependency, what, admin, person, after, f"`{row['tested']}`")
        lines.append(_row([cell.replace("|", "\\|") for cell in cells]))
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def fuzzed(report: dict[str, Any]) -> str:
    """Return the report of the long fuzzing as Markdown."""
    targets = report["targets"].items()
    rows = [_row([name, str(one["examples"]), ", ".join(one["faults"]) or "-"]) for name, one in targets]
    first, last = report["seeds"]
    head = f"{report['examples']} inputs in {report['minutes']} minutes, seeds {first} to {last}."
    return "\n".join(
        (head, "", "| What reads | Inputs | Kinds of faults |", "| --- | ---: | --- |", *rows, "")
    )


def write(report: dict[str, Any]) -> str:
    """Write a report in all its forms; return its first line."""
    how, rows, fuzz = report["run"], report["rows"], report["fuzz"]
    (RESULTS / "faults.json").write_text(
        json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
    )
    failed = len(how["failed"])
    run = f"{how['passed']} tests passed, {how['skipped']} skipped, {failed} failed in {how['seconds']} s"
    parts = [f"# Faults\n\n{run} (Python {how['python']}, {how['machine']}).\n", table(rows)]
    if fuzz:
        parts.append("## Fuzzing\n\nOldest run first; each kind found is mended before the next.\n")
        parts.extend(map(fuzzed, fuzz))
    (RESULTS / "faults.md").write_text("\n".join(parts), encoding="utf-8")
    for name, language in PAGES.items():
        (ROOT / "docs" / name).write_text(page(rows, language), encoding="utf-8")
    return run


def main() -> int:
    """Run, write, tell; 1 where a test failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--fuzz", type=Path, nargs="+", default=(), help="reports of the fuzzing, oldest first"
    )
    parser.add_argument("--again", action="store_true", help="write the kept run again, without running")
    arguments = parser.parse_args()
    kept = RESULTS / "faults.json"
    before = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    rows, how = (before["rows"], before["run"]) if arguments.again else run_matrix()
    fuzz = (
        [json.loads(file.read_text(encoding="utf-8")) for file in arguments.fuzz] or before.get("fuzz") or []
    )
    told = write({"run": how, "rows": rows, "fuzz": fuzz})
    untold = [f"say it in {CHINESE.relative_to(ROOT)}: {words}" for words in without_chinese(rows)]
    sys.stdout.write("\n".join([told, *how["failed"], *untold]) + "\n")
    return 1 if how["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
