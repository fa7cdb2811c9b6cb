"""Writes: how many a second, and how long the event loop stands still meanwhile.

    python -m benchmarks.writes [--memories 400] [--held 10000] [--stores embedded,apart,server]

Memories come one at a time, each its own transaction, as from a conversation, and are mirrored to Chroma in
the background; a ticker on the same loop measures how late it is called. ``idle`` is the same ticker
with nothing to do: what the machine itself adds. ``apart`` is Chroma in a process of its own (``lily run``).
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from benchmarks.houses import fill, made_up, memory_in
from benchmarks.lab import keep, machine, on_what, summed, table, timed
from memory.service import MemoryService
from memory.store.writer import Writer
from tests.support.chroma_server import ChromaServer

TICK = 0.001
EACH = 200


@asynccontextmanager
async def watched(late: list[float]) -> AsyncIterator[None]:
    """Measure, while inside, how many milliseconds late the loop comes round."""

    async def tick() -> None:
        due = time.perf_counter() + TICK
        while True:
            await asyncio.sleep(TICK)
            late.append((time.perf_counter() - due) * 1000)
            due = time.perf_counter() + TICK

    task = asyncio.create_task(tick())
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()


async def write(service: MemoryService, person: int, count: int, pause: float) -> dict[str, Any]:
    """Write memories one by one with the outbox draining behind; returns what it took."""
    items = made_up(service, person, count, start=100_000)
    late: list[float] = []
    each: list[float] = []
    async with watched(late), service.outbox.running():
        began = time.perf_counter()
        for memory, vector in items:
            with timed(each):
                async with service.database.write() as connection:
                    await Writer(connection, service.clock.now(), "benchmark").add(memory, vector)
            service.outbox.wake()
            if pause:
                await asyncio.sleep(pause)
        stored = time.perf_counter() - began
        while await service.outbox.lag():  # noqa: ASYNC110 - the background task is what is measured
            await asyncio.sleep(0.01)
        mirrored = time.perf_counter() - began
    return {
        "stored_a_second": round(count / stored, 1),
        "mirrored_a_second": round(count / mirrored, 1),
        "transaction_ms": summed(each),
        "loop_late_ms": summed(late),
        "stalls_over_20_ms": sum(one > 20 for one in late),
    }


async def measure(store: str, held: int, count: int) -> dict[str, Any]:
    """Fill a store, watch it idle, write into it."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            url = None
            if store == "server":
                url = stack.enter_context(ChromaServer(Path(folder) / "server")).url
            service = await stack.enter_async_context(
                memory_in(Path(folder) / "data", chroma_url=url, apart=store == "apart")
            )
            await fill(service, range(held // EACH), EACH)
            idle: list[float] = []
            async with watched(idle):
                await asyncio.sleep(3)
            found = await write(service, 0, count, pause=0.0)
            calm = await write(service, 1, count // 4, pause=0.05)
            return {"store": store, "idle_late_ms": summed(idle), "flood": found, "talk": calm}


def tables(rows: list[dict[str, Any]], where: dict[str, Any], held: int) -> str:
    """Return what was measured as Markdown."""
    lines = []
    for one in rows:
        for name, kind in (("as fast as it goes", "flood"), ("twenty a second", "talk")):
            found = one[kind]
            lines.append(
                [
                    one["store"], name, found["stored_a_second"], found["mirrored_a_second"],
                    f"{found['transaction_ms']['p50']} / {found['transaction_ms']['p95']}",
                    one["idle_late_ms"]["max"], found["loop_late_ms"]["p95"], found["loop_late_ms"]["max"],
                    found["stalls_over_20_ms"],
                ]
            )  # fmt: skip
    head = ("Chroma", "memories come", "stored a second", "mirrored a second", "transaction ms p50 / p95",
            "loop late, idle, worst ms", "loop late p95 ms", "worst ms", "times over 20 ms")  # fmt: skip
    return f"# Writes, {held:,} memories held before\n\n{table(head, lines)}\n{on_what(where)}"


def main() -> int:
    """Run it and keep the figures."""
    parser = argparse.ArgumentParser(description="writes a second, and the loop meanwhile")
    parser.add_argument("--memories", type=int, default=400)
    parser.add_argument("--held", type=int, default=10_000)
    parser.add_argument("--stores", default="embedded,apart,server")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows = [asyncio.run(measure(one, given.held, given.memories)) for one in given.stores.split(",")]
    where = machine("chromadb", "SQLAlchemy")
    keep("writes", {"machine": where, "held": given.held, "rows": rows}, tables(rows, where, given.held))
    return 0


if __name__ == "__main__":
    sys.exit(main())
