"""One contestant: it builds its store from the given vectors, then answers questions one by one.

Run by ``benchmarks.side_by_side``: ``python benchmarks/contestants/worker.py NAME FOLDER EACH``. It reads
numbers of questions from its input and writes a JSON line each: milliseconds, and the ids found.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

COUNT = 40


class Contestant(Protocol):
    """Keeps everybody's memories, finds one person's."""

    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Store row by row; row ``i`` is memory ``i % each`` of person ``i // each``."""
        ...

    def find(self, person: int, query: Any) -> list[int]:
        """Return the rows of a person's memories nearest to a question, nearest first."""
        ...


def main() -> None:
    """Build, say so, answer until the input ends."""
    name, folder, each = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries print
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    questions, owners = np.load(folder / "questions.npy"), np.load(folder / "owners.npy")
    module, _, kind = name.partition(":")
    contestant: Contestant = getattr(import_module(f"benchmarks.contestants.{module}"), kind)()
    own = folder / name.replace(":", "-")
    own.mkdir(exist_ok=True)
    began = time.perf_counter()
    contestant.build(own, vectors, each)
    _say(answers, {"built_s": round(time.perf_counter() - began, 1)})
    for line in sys.stdin:
        number = int(line)
        began, worked = time.perf_counter(), time.process_time()
        found = contestant.find(int(owners[number]), questions[number])
        spent = (time.perf_counter() - began) * 1000
        _say(answers, {"ms": spent, "cpu_ms": (time.process_time() - worked) * 1000, "found": found[:10]})
    if hasattr(contestant, "close"):
        contestant.close()


def _say(answers: Any, value: dict[str, Any]) -> None:
    answers.write(json.dumps(value) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
