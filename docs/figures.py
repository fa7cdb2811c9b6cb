"""Put the measured figures of ``benchmarks/results`` into the READMEs, between their markers.

``python docs/figures.py`` after measuring anew; a test compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
READMES = {"README.md": "zh-TW", "README.en.md": "en"}
SECTION = re.compile(r"(<!-- figures: .*? -->\n).*?(<!-- end of figures -->)", re.DOTALL)
HEADS = {"zh-TW": ("什麼", "目標", "量到", "結果檔"), "en": ("what", "goal", "measured", "result file")}


@dataclass(frozen=True)
class Figure:
    """One row: where its value lies in a result file, and what it means."""

    file: str
    value: str
    names: Mapping[str, str]
    goal: str = ""
    form: str = "{value}"
    goal_form: str = ""


FIGURES = (
    Figure(
        "discord_overhead.json",
        "typing_ms.median",
        {
            "zh-TW": "Discord：從訊息到「正在輸入」，一萬則記憶，中位數",
            "en": "Discord: from message to typing, 10,000 memories, median",
        },
        "goals_median_ms.typing_ms",
        "{value:.0f} ms",
        "≤ {value:.0f} ms",
    ),
    Figure(
        "discord_overhead.json",
        "overhead_ms.median",
        {
            "zh-TW": "Discord：模型以外的一切，一萬則記憶，中位數",
            "en": "Discord: all but the model, 10,000 memories, median",
        },
        "goals_median_ms.overhead_ms",
        "{value:.0f} ms",
        "≤ {value:.0f} ms",
    ),
    Figure(
        "discord_chaos.json",
        "faults",
        {
            "zh-TW": "Discord：2,000 則訊息、50 人、5 個伺服器，斷線、重送、429、5xx；漏掉、重複、弄混的",
            "en": "Discord: 2,000 messages, 50 people, 5 servers; drops, 429, 5xx; lost, doubled, mixed",
        },
        form="{count}",
        goal_form="0",
    ),
)


def at(data: Any, path: str) -> Any:
    """Return the value at a dotted path."""
    for part in path.split("."):
        data = data[part]
    return data


def table(language: str) -> str:
    """Return the figures there are as a table."""
    rows = [HEADS[language], ("---",) * 4]
    for figure in FIGURES:
        data = json.loads((RESULTS / figure.file).read_text(encoding="utf-8"))
        value = at(data, figure.value)
        count = len(value) if isinstance(value, list) else value
        goal = figure.goal_form.format(value=at(data, figure.goal)) if figure.goal else figure.goal_form
        link = f"[{figure.file}](benchmarks/results/{figure.file})"
        rows.append((figure.names[language], goal, figure.form.format(value=value, count=count), link))
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def filled(text: str, language: str) -> str:
    """Return a README with the figures of the result files."""
    return SECTION.sub(lambda found: f"{found[1]}{table(language)}{found[2]}", text)


def main() -> None:
    """Fill every README."""
    for name, language in READMES.items():
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8"), language), encoding="utf-8")


if __name__ == "__main__":
    main()
