"""Put the measured figures of ``benchmarks/results`` into the pages of both languages, between their markers.

``python docs/figures.py`` after measuring anew; a test compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
READMES = {"README.md": "zh-TW", "README.en.md": "en"}
EVALUATIONS = {"docs/evaluation.md": "zh-TW", "docs/evaluation.en.md": "en"}
SECTION = re.compile(r"(<!-- figures: .*? -->\n).*?(<!-- end of figures -->)", re.DOTALL)
HEADS = {
    "zh-TW": ("什麼", "目標", "量到", "指令"),
    "en": ("what", "goal", "measured", "command"),
}
GOALS = {
    "recall p95, 100,000 memories, Chroma in the path (own process), no embedding": (
        "十萬則記憶的回想 p95，Chroma 在自己的行程，不含向量計算"
    ),
    "the same with Chroma in this process": "同上，Chroma 在同一個行程",
    "recall, of the plain filtered Chroma query, one collection, medians": (
        "回想是單純 Chroma 篩選查詢（同一個集合）的幾倍，中位數"
    ),
    "the same, 95th percentiles": "同上，p95",
    "gate and index alone, of the plain query, medians": "只算關卡和索引，是單純查詢的幾倍，中位數",
    "worst event-loop stall while writing, twenty memories a second": "寫入時事件迴圈最久停多久：每秒二十則",
    "worst event-loop stall while writing as fast as it goes": "寫入時事件迴圈最久停多久：能寫多快就多快",
    "a message's overhead beside the models, median": "一則訊息在模型以外的時間，中位數",
    "idle memory, the index's process included": "閒置記憶體，含索引的行程",
    "memory after an answer, embedder loaded": "回過一句之後的記憶體，向量模型已載入",
    "lily --help, median": "`lily --help`，中位數",
}
"""The rows of ``goals.json`` in Chinese."""

SIGHT_HEADS = {
    "zh-TW": ("部分", "第幾眼", "precision", "recall", "更新正確", "漏掉的矛盾", "誤收"),
    "en": (
        "part",
        "sight",
        "precision",
        "recall",
        "correct updates",
        "missed contradictions",
        "wrongly retired",
    ),
}
SIGHTS = {"known": "看過的", "first": "第一眼", "now": "現在"}
SHARES = ("precision", "recall", "correct_updates", "missed_contradiction")


@dataclass(frozen=True)
class Figure:
    """One row: where its value lies in a result file, and what it means."""

    file: str
    command: str
    value: str
    names: Mapping[str, str]
    goal: str = ""
    form: str = "{value}"
    goal_form: str = ""


FIGURES = (
    Figure(
        "discord_overhead.json",
        "python benchmarks/discord_overhead.py",
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
        "python benchmarks/discord_overhead.py",
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
        "python benchmarks/discord_chaos.py",
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


def rows(language: str) -> list[tuple[str, ...]]:
    """Return the figures there are: what, goal, measured, command."""
    found = []
    for figure in FIGURES:
        data = json.loads((RESULTS / figure.file).read_text(encoding="utf-8"))
        value = at(data, figure.value)
        count = len(value) if isinstance(value, list) else value
        goal = figure.goal_form.format(value=at(data, figure.goal)) if figure.goal else figure.goal_form
        shown = figure.form.format(value=value, count=count)
        found.append((figure.names[language], goal, shown, f"`{figure.command}`"))
    return found + list(goals(language))


def goals(language: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of ``goals.json``; a goal that was missed is marked."""
    file = RESULTS / "goals.json"
    if not file.exists():
        return
    for row in json.loads(file.read_text(encoding="utf-8")):
        if row["measured"] is None:
            continue
        name = GOALS.get(row["goal"], row["goal"]) if language == "zh-TW" else row["goal"]
        unit = row["at_most"].partition(" ")[2]
        measured = f"{row['measured']:.3g} {unit}"
        shown = measured if row["met"] else f"**{measured}**"
        yield name, f"≤ {row['at_most']}", shown, f"`{row['command']}`"


def sights(language: str) -> list[tuple[str, ...]]:
    """Return how the packaged conversations were understood, part by part: at first sight and since."""
    told = []
    for row in json.loads((RESULTS / "conversations.json").read_text(encoding="utf-8")):
        sight = SIGHTS[row["sight"]] if language == "zh-TW" else row["sight"]
        shares = (f"{row[name]:.2f}" for name in SHARES)
        told.append((f"`{row['part']}`", sight, *shares, str(row["retired"])))
    return told


def table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return figures as a table."""
    lines = [heads, ("---",) * len(heads), *body]
    return "".join(f"| {' | '.join(row)} |\n" for row in lines)


def filled(name: str, text: str) -> str:
    """Return a page with the figures of the result files."""
    if name in READMES:
        shown = table(HEADS[READMES[name]], rows(READMES[name]))
    else:
        shown = table(SIGHT_HEADS[EVALUATIONS[name]], sights(EVALUATIONS[name]))
    return SECTION.sub(lambda found: f"{found[1]}{shown}{found[2]}", text)


def main() -> None:
    """Fill every page that shows figures."""
    for name in (*READMES, *EVALUATIONS):
        path = ROOT / name
        path.write_text(filled(name, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
