"""Pictures of the results: recall by size, and Lily beside others. Needs matplotlib (requirements.txt).

    VENV/bin/python -m benchmarks.plots

Reads ``benchmarks/results/*.json`` and writes a PNG beside each.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"
INK, PALE, OTHER, FLOOR = "#3d5a80", "#98c1d9", "#e07a5f", "#81b29a"


def recall(found: dict[str, Any], file: Path) -> None:
    """Draw p95 of the recall over the size of the store, a line for each kind of Chroma."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in found["rows"]:
        if row["each"] == 200:
            name = f"recall, Chroma {row['store']}, {row['collections']} collections"
            lines.setdefault(name, []).append((row["memories"], row["ms"]["recall"]["p95"]))
            if row["store"] == "embedded":
                floor = row["ms"]["exact scan in memory"]["p95"]
                lines.setdefault("exact scan in memory (floor)", []).append((row["memories"], floor))
    for number, (name, measured) in enumerate(sorted(lines.items())):
        points = sorted(dict(measured).items())
        colour = FLOOR if "floor" in name else (INK, OTHER, PALE, "#6d597a", "#b56576")[number % 5]
        axes.plot(*zip(*points, strict=True), marker="o", label=name, color=colour)
    axes.axhline(10, color="grey", linestyle="--", linewidth=1)
    axes.text(
        0.99, 10.5, "goal at 100,000: 10 ms", transform=axes.get_yaxis_transform(),
        ha="right", va="bottom", color="grey", fontsize=9,
    )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("memories in the store (200 a person); a million: some of its collections filled")
    axes.set_ylabel("milliseconds, 95th percentile")
    axes.set_title("Recall without the embedder")
    axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(0, 0.95))
    axes.set_ylim(0.1, 1000)
    figure.savefig(file, dpi=120)


def side_by_side(found: dict[str, Any], file: Path) -> None:
    """Draw a bar for each contestant: median, with the 95th percentile as a whisker."""
    from matplotlib import pyplot

    rows = sorted(found["rows"], key=lambda row: -row["ms"]["p50"])
    figure, axes = pyplot.subplots(figsize=(9, 4.5), constrained_layout=True)
    places = range(len(rows))
    middle = [row["ms"]["p50"] for row in rows]
    upper = [max(row["ms"]["p95"] - row["ms"]["p50"], 0) for row in rows]
    colours = [
        INK if row["name"].startswith("lily") else FLOOR if row["name"] == "plain:Scan" else OTHER
        for row in rows
    ]
    axes.barh(places, middle, xerr=[[0] * len(rows), upper], color=colours, capsize=3, ecolor="grey")
    for place, row in zip(places, rows, strict=True):
        ratio = row["times_plain_p50"]
        axes.annotate(
            f"{row['ms']['p50']:g} ms, {ratio:.2g} of plain Chroma",
            (row["ms"]["p95"], place), xytext=(8, 0), textcoords="offset points", va="center", fontsize=9,
        )  # fmt: skip
    axes.set_yticks(list(places), [row["what"] for row in rows])
    axes.set_xscale("log")
    axes.set_xlim(min(middle) / 2, max(row["ms"]["p95"] for row in rows) * 300)
    axes.set_xlabel("milliseconds a question: median, 95th percentile")
    axes.set_title(f"One person's memories found among {found['memories']:,}")
    figure.savefig(file, dpi=120)


def main() -> int:
    """Draw what there is."""
    import matplotlib

    matplotlib.use("Agg")
    for name, draw in (("recall", recall), ("side_by_side", side_by_side)):
        source = RESULTS / f"{name}.json"
        if source.exists():
            draw(json.loads(source.read_text(encoding="utf-8")), RESULTS / f"{name}.png")
            sys.stdout.write(f"{RESULTS / name}.png\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
