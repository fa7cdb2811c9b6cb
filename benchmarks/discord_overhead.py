"""How long she takes on Discord without her model: from a message to her typing, and to her reply.

    python benchmarks/discord_overhead.py [--people 50] [--each 200] [--messages 200] [--seed 2026]

The real client against a stand-in on the same machine (its share is counted too), the packaged embedder,
real SQLite and Chroma with so many memories, a chat model that answers at once. The pause in which she
waits for more of a burst is off. Goals: 100 ms to typing, 150 ms of overhead.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import bot.house  # noqa: E402
from benchmarks.lab import QUESTIONS, THINGS  # noqa: E402
from bot.discord.gateway import build_client  # noqa: E402
from bot.discord.service import Service  # noqa: E402
from bot.house import House, open_house  # noqa: E402
from bot.models import HouseModels, rules_only  # noqa: E402
from bot.settings.sections import DiscordSettings, Settings, StorageSettings  # noqa: E402
from llm.protocols import Turn  # noqa: E402
from memory.clock import SystemClock  # noqa: E402
from memory.follow_ups import reschedule  # noqa: E402
from memory.lexical import embedding_text  # noqa: E402
from memory.model import Category, Memory  # noqa: E402
from memory.policy import DEFAULT_RULES  # noqa: E402
from memory.store.writer import Writer  # noqa: E402
from tests.standin import Person, StandIn, redirected  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "discord_overhead.json"
GOALS = {"typing_ms": 100.0, "overhead_ms": 150.0}
WITHIN = 30.0
SENTENCES = {
    Category.PREFERENCE: ("使用者喜歡{}", "使用者討厭{}", "使用者最近迷上{}"),
    Category.HOBBY: ("使用者的興趣是{}", "使用者週末會去{}"),
    Category.HABIT: ("使用者每天都要{}", "使用者睡前習慣{}"),
    Category.OTHER: ("使用者的朋友送了{}", "使用者在學{}"),
    Category.SCHEDULE: ("使用者要參加{}活動", "使用者約了人去{}"),
}


class Timed:
    """Sums up how long a call takes, by name, since the last look; what runs inside another counts twice."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def wrap(self, owner: Any, method: str, name: str) -> None:
        """Time a coroutine method of an object."""
        real: Callable[..., Any] = getattr(owner, method)

        async def timed(*given: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return await real(*given, **named)
            finally:
                self.spent[name] += time.perf_counter() - began

        object.__setattr__(owner, method, timed)


class Instant:
    """A chat model that takes no time."""

    @property
    def name(self) -> str:
        """Its name."""
        return "instant"

    @property
    def sees(self) -> bool:
        """Whether it can be shown pictures."""
        return False

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        """Answer."""
        del system
        return f"嗯，{len(turns)}。"


@dataclass
class Figures:
    """What was measured, in milliseconds, one of each for every message."""

    typing: list[float] = field(default_factory=list)
    overhead: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    parts: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


@asynccontextmanager
async def instant_models(*_: object, **__: object) -> AsyncIterator[HouseModels]:
    """Open models of which the chat one takes no time."""
    yield HouseModels(Instant(), rules_only())


async def fill(house: House, people: Sequence[Person], each: int, pick: random.Random) -> int:
    """Give everybody so many memories: real sentences, and their vectors with a little noise."""
    kinds = [
        (category, form.format(thing))
        for category, forms in SENTENCES.items()
        for form in forms
        for thing in THINGS
    ]
    texts = [text for _, text in kinds]
    vectors = await house.memory.embedder.embed_documents([embedding_text(text) for text in texts])
    noise, now, total = np.random.default_rng(pick.randrange(2**32)), house.clock.now(), 0
    for person in people:
        async with house.memory.database.write() as connection:
            writer = Writer(connection, now, "benchmark")
            for number in range(each):
                chosen = pick.randrange(len(kinds))
                category, text = kinds[chosen]
                said = now - timedelta(hours=pick.randrange(1, 2000))
                vector = vectors[chosen] + noise.normal(scale=0.01, size=vectors[chosen].shape).astype(
                    np.float32
                )
                memory = Memory(
                    id=f"m{person.id}-{number}", user_id=str(person.id), persona_id=house.character.id,
                    places=("dm",), text=f"{text}（{number}）", category=category,
                    kind=DEFAULT_RULES[category].kind, created_at=said, updated_at=said, zone="Asia/Taipei",
                )  # fmt: skip
                await writer.add(memory, (vector / np.linalg.norm(vector)).astype(np.float32))
                total += 1
            await reschedule(connection, writer.touched, house.memory.policy, now)
    await house.memory.outbox.drain()
    return total


async def measure(people_count: int, each: int, messages: int, seed: int) -> tuple[Figures, int]:
    """Fill a house, speak to her, and time it."""
    pick, figures, timed = random.Random(seed), Figures(), Timed()  # noqa: S311 - to repeat a run
    bot.house.open_models = instant_models
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn() as discord:
            people = [discord.person(f"p{n}") for n in range(people_count)]
            server = discord.server("Harbour", people)
            chosen = DiscordSettings(
                merge_window_seconds=0, messages_per_person_per_day=0, messages_per_server_per_day=0
            )
            settings = Settings(discord=chosen, storage=StorageSettings(data_dir=Path(folder)))
            with redirected(discord):
                async with open_house(settings, SystemClock(), command="run", index_apart=True) as house:
                    total = await fill(house, people, each, pick)
                    client = build_client(settings.discord, guild_ready_timeout=0)
                    notes: list[str] = []
                    stop = asyncio.Event()
                    service = Service(house, client, lambda key, values: notes.append(key))
                    watch(timed, house, service)
                    running = asyncio.create_task(service.run(discord.bot.token, stop))
                    await discord.until(
                        lambda: "online" in notes and discord.bot.commands, WITHIN, "coming online"
                    )
                    for number in range(messages + 10):
                        person, where = pick.choice(people), pick.choice((None, server.general))
                        text = f"{pick.choice(QUESTIONS).format(pick.choice(THINGS))}{number}"
                        timed.spent.clear()
                        began = time.process_time()
                        said = (
                            person.dm(text) if where is None else person.say(where, text, mention=discord.bot)
                        )
                        channel = where or person.dm_channel()
                        reply = await person.hears(channel, after=said, within=WITHIN)
                        spent = time.process_time() - began
                        typed = await person.sees_typing(channel, since=said.posted, within=WITHIN)
                        talk = service.parts.talk
                        while talk._observing or talk._bursts._lines:  # noqa: ASYNC110 - what it learns goes on
                            await asyncio.sleep(0.005)
                        if number < 10 or reply.reference is None:
                            continue  # the first ones load what is loaded once
                        figures.typing.append((typed - said.posted) * 1000)
                        figures.overhead.append((reply.posted - said.posted) * 1000)
                        figures.processor.append(spent * 1000)
                        for name, seconds in timed.spent.items():
                            figures.parts[name].append(seconds * 1000)
                    stop.set()
                    await running
    return figures, total


def watch(timed: Timed, house: House, service: Service) -> None:
    """Time the steps of a message."""
    memory, parts = house.memory, service.parts
    timed.wrap(parts.listener, "hear", "hear")
    timed.wrap(parts.listener, "read", "read")
    timed.wrap(parts.budget, "allowance", "budget")
    timed.wrap(memory.inbox, "admit", "admit")
    timed.wrap(memory.embedder, "embed_query", "embed the query")
    timed.wrap(memory.recall, "recall", "recall")
    timed.wrap(memory.index, "nearest", "index (inside recall)")
    timed.wrap(memory.lorebook, "find", "lore")
    timed.wrap(memory.inbox, "lead_up", "what led up to it")
    timed.wrap(house.companion, "reply", "companion")
    timed.wrap(memory.inbox, "replying", "write down")
    timed.wrap(parts.delivery, "deliver", "send")


def told(figures: Figures, total: int) -> dict[str, Any]:
    """Return what is written down: medians and the 95th percentile, in milliseconds."""

    def of(values: list[float]) -> dict[str, float]:
        ranked = sorted(values)
        return {
            "median": round(statistics.median(ranked), 1),
            "p95": round(ranked[int(len(ranked) * 0.95)], 1),
        }

    return {
        "memories": total,
        "messages": len(figures.typing),
        "typing_ms": of(figures.typing),
        "overhead_ms": of(figures.overhead),
        "processor_ms_with_the_stand_in": of(figures.processor),
        "goals_median_ms": GOALS,
        "steps_median_ms": {name: round(statistics.median(each), 1) for name, each in figures.parts.items()},
    }


def main() -> int:
    """Run it, print the figures and keep them; exits with 1 where a goal was missed."""
    parser = argparse.ArgumentParser(description="her overhead on Discord")
    for name, default in (("people", 50), ("each", 200), ("messages", 200), ("seed", 2026)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    report = told(*asyncio.run(measure(given.people, given.each, given.messages, given.seed)))
    text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    given.results.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
    return 0 if all(report[name]["median"] < goal for name, goal in GOALS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
