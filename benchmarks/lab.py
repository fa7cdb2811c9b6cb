"""What every benchmark shares: made-up memories of a known shape, figures, the machine, files of results."""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
DIMENSIONS = 512
"""As wide as the packaged embedder's vectors."""

TOPICS = 400
SPREAD = 0.6
"""Vectors lie around so many centres, so far from them that the neighbours of one are not all of it."""

THINGS = (
    "咖啡",
    "爬山",
    "吉他",
    "貓",
    "游泳",
    "日本料理",
    "電影",
    "跑步",
    "烘焙",
    "攝影",
    "香菜",
    "火鍋",
    "桌遊",
    "花",
    "海",
)
FORMS = (
    "使用者喜歡{}",
    "使用者討厭{}",
    "使用者週末會去{}",
    "使用者每天都要{}",
    "使用者的朋友送了{}",
    "使用者在學{}",
)
QUESTIONS = ("我喜歡{}嗎？", "今天想到{}了", "你記得{}的事嗎", "{}好累喔", "我明天要去{}")


def vectors_of(person: int, each: int, seed: int = 2026) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return a person's vectors: rows of length one, the same for the same numbers."""
    centres = np.random.default_rng(seed).normal(size=(TOPICS, DIMENSIONS)).astype(np.float32)
    mine = np.random.default_rng((seed, person))
    rows = centres[mine.integers(0, TOPICS, each)] + mine.normal(scale=SPREAD, size=(each, DIMENSIONS))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def question_about(
    rows: np.ndarray[Any, Any], row: int, number: int
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return a question's vector: near one of a person's rows."""
    noise = np.random.default_rng(number).normal(scale=0.03, size=rows.shape[1])
    asked = rows[row] + noise
    return (asked / np.linalg.norm(asked)).astype(np.float32)


def text_of(number: int) -> str:
    """Return a memory's sentence."""
    form, thing = FORMS[number % len(FORMS)], THINGS[number % len(THINGS)]
    return f"{form.format(thing)}（{number}）"


def asked_of(number: int) -> str:
    """Return a question's sentence."""
    return QUESTIONS[number % len(QUESTIONS)].format(THINGS[number % len(THINGS)])


def said_ago(number: int) -> timedelta:
    """Return how long ago a memory was said."""
    return timedelta(hours=1 + (number * 37) % 2000)


def summed(milliseconds: Sequence[float]) -> dict[str, float]:
    """Return median, 95th percentile and the worst, in milliseconds."""
    ranked = sorted(milliseconds)
    at = {"p50": 0.5, "p95": 0.95}
    found = {
        name: round(ranked[min(int(len(ranked) * share), len(ranked) - 1)], 2) for name, share in at.items()
    }
    return {**found, "max": round(ranked[-1], 2), "n": len(ranked)}


@contextmanager
def timed(into: list[float]) -> Iterator[None]:
    """Add how long the block takes, in milliseconds."""
    began = time.perf_counter()
    yield
    into.append((time.perf_counter() - began) * 1000)


def machine(*packages: str) -> dict[str, Any]:
    """Return what it ran on: processor, cores, memory, system, versions; nothing that names the host."""
    model = platform.machine()
    cpu, memory = Path("/proc/cpuinfo"), None
    if cpu.exists():
        names = [
            line.partition(":")[2].strip()
            for line in cpu.read_text().splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
        memory = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gib": memory,
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
        "load_at_the_end": round(os.getloadavg()[0], 1),
        "yardstick_ms": yardstick(),
        "versions": {name: _version(name) for name in packages},
    }


def yardstick() -> float:
    """Return how many milliseconds a fixed computation takes here and now, the median of nine.

    A hired machine is twice as fast in one hour as in the next: figures of two runs compare by it.
    """
    spent = []
    for _ in range(9):
        began = time.perf_counter()
        sum(number * number for number in range(500_000))
        spent.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(spent), 1)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def resident_mib(pid: int | str = "self") -> float:
    """Return a process's own memory: what is shared counts in shares. Linux only."""
    for name, field in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        try:
            for line in Path(f"/proc/{pid}/{name}").read_text().splitlines():
                if line.startswith(field):
                    return round(int(line.split()[1]) / 1024, 1)
        except OSError:
            continue
    return float("nan")


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def keep(name: str, found: dict[str, Any], told: str, folder: Path = RESULTS) -> None:
    """Write figures and their tables down, and print the tables."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(
        json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    (folder / f"{name}.md").write_text(told, encoding="utf-8")
    sys.stdout.write(told)


def on_what(found: dict[str, Any]) -> str:
    """Return a line about the machine."""
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    return (
        f"{found['processor']}, {found['cores']} cores, {found['memory_gib']} GiB, {found['system']}, "
        f"Python {found['python']}; {versions}; load {found['load_at_the_end']} and "
        f"the yardstick {found['yardstick_ms']} ms at the end\n"
    )
