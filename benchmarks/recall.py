"""How long a recall takes, by how many memories there are in all and how many a person has.

    python -m benchmarks.recall [--sizes 1000,10000,100000] [--each 50,200] [--stores embedded,server]

The questions' vectors are given, so no embedder is in it. Contestants take turns question by question, so
that noise hits all alike: the whole recall, the index alone (the gate's ids asked of Chroma), the exact
scan over the person's vectors (the floor). ``apart`` is Chroma in a process of its own (``lily run``).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.houses import PERSONA, fill, memory_in, said
from benchmarks.lab import (
    RESULTS,
    asked_of,
    keep,
    machine,
    on_what,
    question_about,
    resident_mib,
    summed,
    table,
    timed,
    vectors_of,
)  # fmt: skip
from memory.identifiers import shard_of
from memory.places import DM
from memory.service import MemoryService
from memory.store import gate
from memory.store.errors import IndexUnavailable
from tests.support.chroma_server import ChromaServer

WARM_UP = 2
"""Questions to each person before any is timed: what is loaded at the first touch is reported apart."""


async def ask(service: MemoryService, people: list[int], each: int, rounds: int) -> dict[str, Any]:
    """Ask everybody in turn; returns milliseconds by contestant."""
    spent: dict[str, list[float]] = defaultdict(list)
    vectors = {person: vectors_of(person, each) for person in people}
    for person in people:
        with timed(spent["first question after the start"]):
            await _recall(service, person, question_about(vectors[person], 0, 0), 0)
        for number in range(1, WARM_UP):
            await _recall(service, person, question_about(vectors[person], number, number), number)
    order = [(person, number) for number in range(rounds) for person in people]
    random.Random(7).shuffle(order)  # noqa: S311 - to repeat a run
    for person, number in order:
        query = question_about(vectors[person], number % each, number)
        busy = time.process_time()
        with timed(spent["recall"]):
            await _recall(service, person, query, number)
        spent["recall, processor"].append((time.process_time() - busy) * 1000)
        live = await service.database.snapshot(gate.live, f"u{person}", PERSONA, DM, service.recall._kept)
        ids = [item.memory.id for item in live]
        with timed(spent["index alone"]), suppress(IndexUnavailable):  # it lost patience: that long it took
            await service.index.nearest(f"u{person}", ids, query, 40)
        with timed(spent["exact scan in memory"]):
            scores = np.stack([item.vector for item in live]) @ query
            np.argsort(-scores)[:40]
    return {name: summed(each_one) for name, each_one in spent.items()}


async def _recall(service: MemoryService, person: int, query: Any, number: int) -> None:
    await service.recall.recall(said(service, person, asked_of(number), number), query)


async def measure(
    size: int, each: int, store: str, shards: int, rounds: int, folder: Path, filled: int | None = None
) -> dict[str, Any]:
    """Fill one store and ask it; ``filled``: only so many of its collections, and only the people in them."""
    people: Sequence[int] = range(size // each)
    if filled is not None:
        people = [person for person in people if shard_of(f"u{person}", shards) < filled]
    async with AsyncExitStack() as stack:
        url = None
        if store == "server":
            url = stack.enter_context(ChromaServer(folder / "server")).url
        service = await stack.enter_async_context(
            memory_in(folder / "data", each=each, shards=shards, chroma_url=url, apart=store == "apart")
        )
        began = time.perf_counter()
        await fill(service, people, each)
        built = time.perf_counter() - began
        few = random.Random(3).sample(list(people), min(20, len(people)))  # noqa: S311
        found = await ask(service, few, each, max(1, rounds // len(few)))
        return {
            "memories": size, "each": each, "store": store, "collections": shards, "filled": filled or shards,
            "built_s": round(built, 1), "resident_mib": resident_mib(), "ms": found,
            "load": round(os.getloadavg()[0], 1),
        }  # fmt: skip


def earlier(fresh: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of the last run that this one has not measured anew."""
    file = RESULTS / "recall.json"
    known = json.loads(file.read_text(encoding="utf-8"))["rows"] if file.exists() else []
    anew = {_which(row) for row in fresh}
    return [row for row in known if _which(row) not in anew]


def _spread(row: dict[str, Any]) -> str:
    filled = row.get("filled", row["collections"])
    return (
        f"{row['collections']}"
        if filled == row["collections"]
        else f"{filled} of {row['collections']} filled"
    )


def _which(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["memories"], row["each"], row["collections"], row["store"]


def tables(found: list[dict[str, Any]], where: dict[str, Any]) -> str:
    """Return what was measured as Markdown."""
    rows = [
        [
            f"{one['memories']:,}", one["each"], one["store"], _spread(one),
            *(f"{one['ms'][name]['p50']} / {one['ms'][name]['p95']}" for name in
              ("recall", "index alone", "exact scan in memory", "first question after the start")),
            one["ms"]["recall, processor"]["p50"], one["resident_mib"], one["load"],
        ]
        for one in found
    ]  # fmt: skip
    head = ("memories", "a person", "Chroma", "collections", "recall", "index alone", "exact scan in memory",
            "first question after the start", "recall, processor p50", "MiB", "load")  # fmt: skip
    return (
        "# Recall, without the embedder\n\nMilliseconds, median / 95th percentile.\n\n"
        f"{table(head, rows)}\n{on_what(where)}"
    )


def main() -> int:
    """Run it and keep the figures."""
    parser = argparse.ArgumentParser(description="recall by size")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--each", default="50,200,1000")
    parser.add_argument("--stores", default="embedded,apart,server")
    parser.add_argument("--collections", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=200, help="questions a store is asked")
    parser.add_argument(
        "--work", type=Path, help="a folder to build in and to find again; else a temporary one"
    )
    parser.add_argument("--filled", type=int, help="fill and ask only so many of the collections")
    parser.add_argument("--add", action="store_true", help="keep the earlier results of other sizes")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = []
    for size in map(int, given.sizes.split(",")):
        for each in map(int, given.each.split(",")):
            for store in given.stores.split(","):
                base = given.work or Path(tempfile.mkdtemp())
                folder = (
                    base
                    / f"{size}-{each}-{given.collections}-{'server' if store == 'server' else 'embedded'}"
                )
                folder.mkdir(parents=True, exist_ok=True)
                one = measure(size, each, store, given.collections, given.rounds, folder, given.filled)
                found.append(asyncio.run(one))
                sys.stderr.write(f"{found[-1]}\n")
                if given.work is None:
                    shutil.rmtree(base)
    where = machine("chromadb", "SQLAlchemy", "numpy")
    found = (earlier(found) if given.add else []) + found
    found.sort(key=_which)
    keep("recall", {"machine": where, "rows": found}, tables(found, where), RESULTS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
