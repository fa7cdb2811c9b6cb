"""The packaged sets, written for this project: rows in the documented formats, one folder, one file each."""

from __future__ import annotations

from pathlib import Path

from memory.evaluation.timelines import FILES as _TIMELINES

_HERE = Path(__file__).parent

TIME = (_HERE / "time.jsonl",)
RELATIONS = (_HERE / "relations.jsonl",)
RETRIEVAL = (_HERE / "retrieval_memories.jsonl", _HERE / "retrieval_queries.jsonl")
STALE = _TIMELINES
OPERATIONS = tuple(sorted(_HERE.glob("operations_*.jsonl")))
"""``operations_tuned`` may be looked at while the rules are written; ``operations_fresh`` and
``operations_second`` were each written and scored before any rule had seen them."""

BY_NAME = {
    "time": TIME,
    "relations": RELATIONS,
    "retrieval": RETRIEVAL,
    "stale": STALE,
    "operations": OPERATIONS,
}
"""The files of each evaluation, in the order in which they are given to it."""
