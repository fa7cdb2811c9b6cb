"""The same question over the same memories, put to Lily and to what people would take instead.

    python -m benchmarks.side_by_side [--size 100000] [--each 200] [--python VENV/bin/python]

Every contestant is a process of its own; they are asked in turn, one question a round, so that noise
hits all alike. All get the same vectors and the same question's vector: no embedder is measured. The others
come from ``benchmarks/requirements.txt`` in an environment of their own, named with ``--python``.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contestants.others import exact
from benchmarks.lab import (
    ROOT,
    keep,
    machine,
    on_what,
    question_about,
    resident_mib,
    summed,
    table,
    vectors_of,
)

OURS = {
    "plain:Scan": "exact scan in NumPy (the floor)",
    "lily:Index": "Lily: gate and index",
    "lily:Lily": "Lily: the whole recall",
    "plain:OneCollection": "Chroma, one collection, filter",
}
THEIRS = {
    "others:Mem0": "mem0 (Qdrant, local)",
    "others:LangGraphMemory": "LangGraph InMemoryStore",
    "others:LangGraphSqlite": "LangGraph SqliteStore",
}
BASE = "plain:OneCollection"
WARM_UP = 2


@dataclass
class Running:
    """A contestant's process, and what it took so far."""

    name: str
    process: subprocess.Popen[str]
    built: float = 0.0
    ms: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def hear(self) -> dict[str, Any]:
        """Return its next line."""
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            raise RuntimeError(f"{self.name} has ended")
        heard: dict[str, Any] = json.loads(line)
        return heard

    def ask(self, number: int) -> dict[str, Any]:
        """Put a question by its number."""
        if self.process.stdin is not None:
            self.process.stdin.write(f"{number}\n")
            self.process.stdin.flush()
        return self.hear()


def start(name: str, python: str, folder: Path, each: int) -> Running:
    """Start a contestant and wait until it has built its store."""
    process = subprocess.Popen(  # noqa: S603 - the host's own choice of interpreter
        [python, "-m", "benchmarks.contestants.worker", name, str(folder), str(each)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    running = Running(name, process)
    running.built = running.hear()["built_s"]
    sys.stderr.write(f"{name} built in {running.built} s\n")
    return running


def build_twice(folder: Path, each: int) -> None:
    """Build Lily's store once for her two contestants: a process may not share another's folder."""
    once, again = folder / "lily-Index", folder / "lily-Lily"
    if not again.exists():
        start("lily:Index", sys.executable, folder, each).process.communicate()
        shutil.copytree(once, again)


def prepare(folder: Path, size: int, each: int, questions: int) -> tuple[Any, Any, Any]:
    """Write down the vectors, the questions and whose they are."""
    people = size // each
    if not (folder / "vectors.npy").exists():
        rows = np.lib.format.open_memmap(
            folder / "vectors.npy", mode="w+", dtype=np.float32, shape=(size, vectors_of(0, 1).shape[1])
        )
        for person in range(people):
            rows[person * each : (person + 1) * each] = vectors_of(person, each)
        rows.flush()
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    # a few people who talk much, as it is: every contestant may keep what it has read
    few = random.Random(11).sample(range(people), min(20, people))  # noqa: S311 - to repeat a run
    owners = np.array([few[number % len(few)] for number in range(questions + WARM_UP * len(few))])
    asked = np.stack(
        [
            question_about(vectors[owner * each : (owner + 1) * each], number % each, number)
            for number, owner in enumerate(owners)
        ]
    )
    np.save(folder / "questions.npy", asked)
    np.save(folder / "owners.npy", owners)
    return vectors, asked, owners


def compete(runners: Sequence[Running], vectors: Any, asked: Any, owners: Any, each: int, warm: int) -> None:
    """Ask everybody every question, in an order that changes from round to round."""
    pick = random.Random(5)  # noqa: S311 - to repeat a run
    for number in range(len(owners)):
        truth = set(exact(vectors, int(owners[number]), each, asked[number])[:10])
        for runner in pick.sample(list(runners), len(runners)):
            answer = runner.ask(number)
            if number >= warm:
                runner.ms.append(answer["ms"])
                runner.cpu.append(answer["cpu_ms"])
                runner.right.append(len(truth & set(answer["found"])) / len(truth))


def told(
    found: list[dict[str, Any]], size: int, each: int, where: dict[str, Any], away: Sequence[str] = ()
) -> str:
    """Return the table."""
    rows = [
        [
            one["what"], one["ms"]["p50"], one["ms"]["p95"], one["times_plain_p50"], one["times_plain_p95"],
            one["cpu_ms"]["p50"], one["found_of_ten"], one["built_s"], one["mib"],
        ]
        for one in found
    ]  # fmt: skip
    head = ("", "ms p50", "ms p95", "of plain Chroma p50", "of plain Chroma p95", "processor ms p50",
            "of the true ten found", "built in s", "MiB")  # fmt: skip
    return (
        f"# Side by side: {size:,} memories, {each} a person\n\n"
        "The nearest forty of one person's memories; Lily's recall ranks, reads words and dates and makes "
        f"the profile on top. One question each in turn, {found[0]['ms']['n']} rounds, order shuffled.\n\n"
        f"{table(head, rows)}\n{on_what(where)}"
        + "".join(f"\n{THEIRS.get(name, name)} could not be started on this machine.\n" for name in away)
    )


def main() -> int:
    """Run it and keep the figures."""
    parser = argparse.ArgumentParser(description="Lily beside others")
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--python", help="the interpreter of the environment that has the others")
    parser.add_argument("--without", default="", help="contestants to leave out, by name, with commas")
    parser.add_argument(
        "--work", type=Path, help="a folder to build in and to find again; else a temporary one"
    )
    given = parser.parse_args()
    folder = given.work or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    vectors, asked, owners = prepare(folder, given.size, given.each, given.questions)
    left_out = set(given.without.split(","))
    wanted = [(name, sys.executable) for name in OURS]
    wanted += [(name, given.python) for name in THEIRS] if given.python else []
    runners: list[Running] = []
    away: list[str] = []
    if not {"lily:Index", "lily:Lily"} & left_out:
        build_twice(folder, given.each)
    try:
        for name, python in wanted:
            if name not in left_out:
                try:
                    runners.append(start(name, python, folder, given.each))
                except RuntimeError:
                    away.append(name)  # its own words stand on the screen above
        warm = len(owners) - given.questions
        compete(runners, vectors, asked, owners, given.each, warm)
        found = [figures(runner, runners) for runner in runners]
    finally:
        for runner in runners:
            runner.process.communicate()
        if given.work is None:
            shutil.rmtree(folder)
    where = machine("chromadb", "numpy")
    if given.python:
        where["versions"] |= _versions_of(
            given.python, ("mem0ai", "qdrant-client", "langgraph", "langgraph-checkpoint-sqlite")
        )
    report = {
        "machine": where,
        "could_not_start": away,
        "memories": given.size,
        "each": given.each,
        "rows": found,
    }
    keep("side_by_side", report, told(found, given.size, given.each, where, away))
    return 0


def figures(runner: Running, runners: Sequence[Running]) -> dict[str, Any]:
    """Return what one contestant took, and its share of what the plain query took in the same rounds."""
    mine, plain = summed(runner.ms), summed(next(one.ms for one in runners if one.name == BASE))
    return {
        "name": runner.name,
        "what": (OURS | THEIRS)[runner.name],
        "ms": mine,
        "cpu_ms": summed(runner.cpu),
        "times_plain_p50": round(mine["p50"] / plain["p50"], 4),
        "times_plain_p95": round(mine["p95"] / plain["p95"], 4),
        "found_of_ten": round(10 * sum(runner.right) / len(runner.right), 2),
        "built_s": runner.built,
        "mib": resident_mib(runner.process.pid),
    }


def _versions_of(python: str, packages: Sequence[str]) -> dict[str, str]:
    script = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
    done = subprocess.run(  # noqa: S603 - the host's own choice of interpreter
        [python, "-c", script, *packages], capture_output=True, text=True, check=True
    )
    return dict(zip(packages, done.stdout.split(), strict=True))


if __name__ == "__main__":
    sys.exit(main())
