"""What a message costs beside the models, by stage: from being admitted to the reply being written down.

    python -m benchmarks.overhead [--people 50] [--each 200] [--messages 200]

The packaged embedder, the rules that extract and judge, and the chat model are models: their time is
taken off (the chat model here answers at once). Real SQLite and Chroma (in a process of its own, as under
``lily run``; ``--embedded`` for one in this process); the channel takes what is said without a word.
A message comes when what the last one left to the index is mirrored, unless ``--back-to-back``.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.discord_overhead import Timed, fill, instant_models
from benchmarks.lab import QUESTIONS, THINGS, keep, machine, on_what, summed, table
from bot import house as houses
from bot.house import House, open_house
from bot.settings.sections import Settings, StorageSettings
from memory.clock import SystemClock
from memory.messages import Message
from memory.places import DM, Place

FIRST = 20
MODELS = ("embed the query", "read what it tells (rules)")
STAGES = (
    ("inbox", "admit", "admit"),
    ("embedder", "embed_query", "embed the query"),
    ("people", "get", "settings of the person"),
    ("inbox", "lead_up", "what led up to it"),
    ("recall", "recall", "recall"),
    ("index", "nearest", "index (in recall)"),
    ("lorebook", "find", "lore"),
    ("conversations", "_told", "read what it tells (rules)"),
    ("companion", "reply", "persona"),
    ("inbox", "replying", "write down"),
    ("inbox", "replied", "replied"),
)
"""Where a stage is done: part of the house, its method, what it is called here; in the order they come."""


class Silent:
    """A channel that takes everything."""

    async def deliver(self, message: Message, reply: tuple[str, ...]) -> None:
        """Take it."""

    async def has_replied(self, message: Message) -> bool:
        """Never asked."""
        del message
        return False


class Someone:
    """A person, as the filling of a house knows one."""

    def __init__(self, number: int) -> None:
        self.id = number


def watch(timed: Timed, house: House) -> None:
    """Time the stages of a message."""
    for part, method, name in STAGES:
        owner = getattr(house, part) if hasattr(house, part) else getattr(house.memory, part)
        timed.wrap(owner, method, name)


async def measure(people: int, each: int, messages: int, apart: bool, spaced: bool = True) -> dict[str, Any]:
    """Fill a house, speak to her, time it."""
    pick, timed = random.Random(2026), Timed()  # noqa: S311 - to repeat a run
    houses.open_models = instant_models
    whole: list[float] = []
    beside: list[float] = []
    worked: list[float] = []
    parts: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(storage=StorageSettings(data_dir=Path(folder)))
        async with open_house(settings, SystemClock(), command="run") as house:
            everybody = [Someone(number) for number in range(people)]
            total = await fill(house, everybody, each, pick)  # type: ignore[arg-type]
        async with open_house(settings, SystemClock(), command="run", index_apart=apart) as house:
            watch(timed, house)
            for number in range(messages + FIRST):
                message = said(house, pick, people, number)
                timed.spent.clear()
                began, busy = time.perf_counter(), time.process_time()
                await house.memory.inbox.admit(message)
                exchange = await house.conversations.answer(message, Silent())
                took, busy = time.perf_counter() - began, time.process_time() - busy
                if not exchange.reply:
                    raise RuntimeError("no reply")
                await house.conversations.observe(message)
                if spaced:
                    await house.memory.outbox.drain()
                if number < FIRST:
                    continue
                models = sum(timed.spent.get(name, 0.0) for name in MODELS)
                whole.append(took * 1000)
                beside.append((took - models) * 1000)
                worked.append(busy * 1000)
                for name, seconds in timed.spent.items():
                    parts[name].append(seconds * 1000)
    return {
        "memories": total,
        "beside_the_models_ms": summed(beside),
        "whole_ms": summed(whole),
        "processor_ms": summed(worked),
        "stages_ms": {name: summed(parts[name]) for *_, name in STAGES if parts[name]},
    }


def said(house: House, pick: random.Random, people: int, number: int) -> Message:
    """Return a message of somebody."""
    person, place = pick.randrange(people), pick.choice((DM, Place("1", "10")))
    text = f"{pick.choice(QUESTIONS).format(pick.choice(THINGS))}{number}"
    return Message(
        id=f"bench:{number}", user_id=str(person), persona_id=house.character.id, text=text,
        said_at=house.clock.now(), place=place, zone="Asia/Taipei", language="zh-TW",
    )  # fmt: skip


def main() -> int:
    """Run it and keep the figures."""
    parser = argparse.ArgumentParser(description="a message's overhead by stage")
    for name, default in (("people", 50), ("each", 200), ("messages", 200)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--embedded", action="store_true", help="Chroma in this process")
    parser.add_argument("--back-to-back", action="store_true", help="before the last one is mirrored")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = asyncio.run(
        measure(given.people, given.each, given.messages, not given.embedded, not given.back_to_back)
    )
    where = machine("chromadb", "SQLAlchemy", "numpy")
    rows = [[name, ms["p50"], ms["p95"]] for name, ms in found["stages_ms"].items()]
    rows += [
        [f"**{name}**", found[key]["p50"], found[key]["p95"]]
        for name, key in (
            ("beside the models", "beside_the_models_ms"),
            ("whole", "whole_ms"),
            ("processor time", "processor_ms"),
        )
    ]  # fmt: skip
    head = f"# A message, {found['memories']:,} memories held\n\nMilliseconds.\n\n"
    keep(
        "overhead", {"machine": where, **found}, f"{head}{table(('', 'p50', 'p95'), rows)}\n{on_what(where)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
