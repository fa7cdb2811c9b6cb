"""The report of a load run: numbers for machines, a table for people, and what it was measured on."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.load.trial import Choices, Phase, Report
from memory.clock import SystemClock

RESULTS = Path(__file__).resolve().parents[1] / "results"
PACKAGES = ("discord.py", "SQLAlchemy", "asyncpg", "aiosqlite", "chromadb", "openai")


def write(choices: Choices, reports: Sequence[Report]) -> None:
    """Write ``load.json`` and ``load.md`` into ``benchmarks/results``."""
    machine = described()
    whole = {
        "measured_at": SystemClock().now().isoformat(timespec="seconds"),
        "machine": machine,
        "choices": asdict(choices) | {"ideal_answers_a_second": choices.ideal},
        "trials": [asdict(report) for report in reports],
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(whole, ensure_ascii=False, indent=2)
    (RESULTS / "load.json").write_text(text + "\n", encoding="utf-8")
    (RESULTS / "load.md").write_text(table(choices, reports, machine), encoding="utf-8")


def described() -> dict[str, Any]:
    """Return what it ran on."""
    return {
        "system": platform.system(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_average": [round(one, 1) for one in os.getloadavg()],
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def table(choices: Choices, reports: Sequence[Report], machine: dict[str, Any]) -> str:
    """Return the report as people read it."""
    packages = ", ".join(f"{name} {number}" for name, number in machine["packages"].items())
    lines = [
        "# Load",
        "",
        f"{choices.people} people at once, through the real Discord client; a model with "
        f"{choices.latency:g} s latency and {choices.at_once} requests side by side: "
        f"at best {choices.ideal:g} answers a second.",
        f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}, {packages}. "
        "People, stand-in Discord, model and stores share the machine with her; the load average over its "
        f"last 15 minutes was {machine['load_average'][2]:g}. Above the number of cores, she waits for them.",
        "",
    ]
    for report in reports:
        lines += [f"## {_NAMES[report.stores]}", "", *_phases(report), "", *_outcome(report), ""]
    return "\n".join(lines)


_NAMES = {"embedded": "SQLite and embedded Chroma", "servers": "PostgreSQL and a Chroma server"}
_HEAD = (
    "phase", "s", "lines", "model's answers", "said so", "answers/s", "of ideal", "wait p50 s", "wait p95 s",
    "first answer s", "most waiting", "most unlearned", "most index lag", "most memory MB",
)  # fmt: skip


def _phases(report: Report) -> list[str]:
    rows = [_HEAD, ("---",) * len(_HEAD), *(_row(phase) for phase in report.phases)]
    return ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]


def _row(phase: Phase) -> tuple[object, ...]:
    most = (
        phase.most.get(name, "–")
        for name in ("lily_messages_waiting", "lily_messages_unobserved", "lily_index_lag", "memory_mb")
    )
    numbers = (phase.wait_p50, phase.wait_p95, phase.first_answer_after)
    return (
        phase.name, phase.seconds, phase.lines, phase.model_answers, phase.said_so, phase.a_second,
        f"{phase.of_ideal:.0%}", *("–" if number is None else number for number in numbers), *most,
    )  # fmt: skip


def _outcome(report: Report) -> list[str]:
    faults = [f"- **{fault}**" for fault in report.faults] or ["- no fault"]
    return [
        f"- {report.lines} lines: {report.answered_once} answered once, {report.lost} lost, "
        f"{report.doubled} answered twice, {report.foreign} with somebody else's answer",
        f"- {report.told} facts told, {report.learned} kept; all learned and mirrored "
        f"{report.drained_after} s after the last line",
        f"- the model answered {report.model.get('answered', 0):g} requests, at most "
        f"{report.model.get('most', 0):g} side by side",
        *faults,
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
