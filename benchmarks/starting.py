"""Starting: how long a house takes to open and to answer first, and the memory it sits in when nobody talks.

    python -m benchmarks.starting

The house is opened as ``lily run`` opens it (offline models, Chroma in a process of its own), once with
nothing in it and once after a first message has loaded the embedder. Memory is counted of both processes.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.lab import ROOT, keep, machine, on_what, resident_mib, table

HOUSE = """
import asyncio, sys, time
from pathlib import Path
began = time.perf_counter()
from bot.house import open_house
from bot.settings.sections import Settings, StorageSettings
from memory.clock import SystemClock
from memory.messages import Message
from memory.places import DM
import bot.discord.service, bot.discord.gateway

class Nowhere:
    async def deliver(self, message, reply): pass
    async def has_replied(self, message): return False

async def live():
    settings, clock = Settings(storage=StorageSettings(data_dir=Path(sys.argv[1]))), SystemClock()
    async with open_house(settings, clock, command="run", index_apart=True) as house:
        print(time.perf_counter() - began, flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        message = Message(id=f"b:{time.perf_counter_ns()}", user_id="u1", persona_id=house.character.id,
                          text="我叫小明，我住台北", said_at=clock.now(), place=DM, zone="Asia/Taipei",
                          language="zh-TW")
        began_to_answer = time.perf_counter()
        await house.conversations.handle(message, Nowhere())
        await house.memory.outbox.drain()
        print(time.perf_counter() - began_to_answer, flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(live())
"""


def house(folder: Path) -> dict[str, Any]:
    """Open a house, weigh it, let it answer once, weigh it again."""
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", HOUSE, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the house has no pipes")
    opened = float(process.stdout.readline())
    time.sleep(5)  # until both have loaded what they load
    idle = weigh(process.pid)
    process.stdin.write("\n")
    process.stdin.flush()
    answered = float(process.stdout.readline())
    time.sleep(2)
    after = weigh(process.pid)
    process.communicate("\n")
    return {"open_s": round(opened, 2), "first_answer_s": round(answered, 2), "idle": idle, "after": after}


def weigh(pid: int) -> dict[str, float]:
    """Return the memory of a process and of its children, in MiB."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    parts = {"house": resident_mib(pid), "index": sum(resident_mib(child) for child in children)}
    return {**parts, "together": round(sum(parts.values()), 1)}


def main() -> int:
    """Run it and keep the figures."""
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        first = house(Path(folder))
        again = house(Path(folder))
    found = {"first_start": first, "later_start": again}
    where = machine("chromadb", "numpy", "discord.py")
    rows = []
    for name, one in (("a new folder", first), ("a folder there is", again)):
        rows.append([f"house open, {name}", f"{one['open_s']} s"])
        rows.append([f"first answer, {name}: the embedder is loaded", f"{one['first_answer_s']} s"])
    for name, weight in (("idle, nothing said yet", again["idle"]), ("idle after an answer", again["after"])):
        rows.append([f"memory, {name}", "{house} + {index} = {together} MiB".format(**weight)])
    told = f"# Starting\n\n{table(('', 'measured'), rows)}\n{on_what(where)}"
    keep("starting", {"machine": where, **found}, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
