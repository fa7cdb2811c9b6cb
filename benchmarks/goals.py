"""Each goal as a row: what was wanted, what was measured, and the command that measures it again.

    python -m benchmarks.goals

Reads ``benchmarks/results/*.json``, writes ``goals.md`` and ``goals.json`` there. Exits with 1 where a goal
is missed or nothing was measured for it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.lab import RESULTS, table


@dataclass(frozen=True)
class Goal:
    """``measure`` finds the figure in a file of results; it must not be above ``limit``."""

    what: str
    limit: float
    unit: str
    source: str
    command: str
    measure: Callable[[dict[str, Any]], float]


def _recall(store: str) -> Callable[[dict[str, Any]], float]:
    def p95(found: dict[str, Any]) -> float:
        which = (100_000, 200, store)
        rows = (row for row in found["rows"] if (row["memories"], row["each"], row["store"]) == which)
        return float(next(rows)["ms"]["recall"]["p95"])

    return p95


def _of_plain(contestant: str, share: str) -> Callable[[dict[str, Any]], float]:
    def of_plain(found: dict[str, Any]) -> float:
        return next(float(row[f"times_plain_{share}"]) for row in found["rows"] if row["name"] == contestant)

    return of_plain


def _stall(found: dict[str, Any]) -> float:
    return next(float(row["talk"]["loop_late_ms"]["max"]) for row in found["rows"] if row["store"] == "apart")


def _flood(found: dict[str, Any]) -> float:
    return next(
        float(row["flood"]["loop_late_ms"]["max"]) for row in found["rows"] if row["store"] == "apart"
    )


GOALS = (
    Goal("recall p95, 100,000 memories, Chroma in the path (own process), no embedding", 10, "ms", "recall",
         "python -m benchmarks.recall", _recall("apart")),
    Goal("the same with Chroma in this process", 10, "ms", "recall",
         "python -m benchmarks.recall", _recall("embedded")),
    Goal("recall, of the plain filtered Chroma query, one collection, medians", 0.1, "times", "side_by_side",
         "python -m benchmarks.side_by_side --python VENV/bin/python", _of_plain("lily:Lily", "p50")),
    Goal("the same, 95th percentiles", 0.1, "times", "side_by_side",
         "python -m benchmarks.side_by_side --python VENV/bin/python", _of_plain("lily:Lily", "p95")),
    Goal("gate and index alone, of the plain query, medians", 0.1, "times", "side_by_side",
         "python -m benchmarks.side_by_side --python VENV/bin/python", _of_plain("lily:Index", "p50")),
    Goal("worst event-loop stall while writing, twenty memories a second", 20, "ms", "writes",
         "python -m benchmarks.writes", _stall),
    Goal("worst event-loop stall while writing as fast as it goes", 20, "ms", "writes",
         "python -m benchmarks.writes", _flood),
    Goal("a message's overhead beside the models, median", 25, "ms", "overhead",
         "python -m benchmarks.overhead", lambda found: float(found["beside_the_models_ms"]["p50"])),
    Goal("idle memory, the index's process included", 350, "MiB", "starting",
         "python -m benchmarks.starting", lambda found: float(found["later_start"]["idle"]["together"])),
    Goal("memory after an answer, embedder loaded", 350, "MiB", "starting",
         "python -m benchmarks.starting", lambda found: float(found["later_start"]["after"]["together"])),
    Goal("lily --help, median", 300, "ms", "pieces",
         "python -m benchmarks.pieces", lambda found: float(found["pieces"]["lily --help"]["median_ms"])),
)  # fmt: skip


def main() -> int:
    """Hold the results against the goals."""
    rows: list[dict[str, Any]] = []
    for goal in GOALS:
        file = RESULTS / f"{goal.source}.json"
        found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
        measured = goal.measure(found) if found is not None else None
        rows.append(
            {
                "goal": goal.what,
                "at_most": f"{goal.limit:g} {goal.unit}",
                "measured": None if measured is None else round(measured, 4),
                "met": measured is not None and measured <= goal.limit,
                "load_meanwhile": found["machine"]["load_at_the_end"] if found is not None else None,
                "yardstick_ms": found["machine"].get("yardstick_ms") if found is not None else None,
                "command": goal.command,
            }
        )
    (RESULTS / "goals.json").write_text(
        json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    lines = [
        [row["goal"], row["at_most"], row["measured"], "yes" if row["met"] else "no", row["load_meanwhile"],
         row["yardstick_ms"], f"`{row['command']}`"]
        for row in rows
    ]  # fmt: skip
    told = "# Goals\n\n" + table(
        ("goal", "at most", "measured", "met", "load meanwhile", "yardstick ms", "command"), lines
    )
    (RESULTS / "goals.md").write_text(told, encoding="utf-8")
    sys.stdout.write(told)
    return 0 if all(row["met"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
