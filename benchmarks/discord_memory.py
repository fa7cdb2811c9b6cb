"""How much memory ``lily run`` holds over a long day on Discord, in a process of her own.

    python benchmarks/discord_memory.py [--messages 5000] [--people 50] [--servers 5] [--seed 2026]

``lily run`` as a host starts it, offline, against a stand-in in this process: so what the stand-in keeps
is not counted. People talk, ask and tell while the connection drops and resumes. At first her
caches fill: the library's last 2,000 messages (6 KB each, full after 1,000 answers), the embedder's
last 1,024 texts, the 4,000 memories read last. Exits with 1 where the last quarter of the run holds more
than the third by ``GROWTH``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.standin import Channel, Person, StandIn, environment  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "discord_memory.json"
AT_ONCE = 12
"""Messages that may wait for an answer, all conversations together."""
SILENT = 120.0
SAMPLES = 20
GROWTH = 0.03
"""How much more the last quarter may hold than the third: what a process gives back is not exact."""

THINGS = (
    "拉麵", "爬山", "游泳", "珍珠奶茶", "下棋", "攝影", "滑雪", "露營", "烘焙", "書法",
    "潛水", "陶藝", "跳舞", "唱歌", "騎車", "釣魚", "種花", "編織", "泡茶", "賞鳥",
)  # fmt: skip
SAID = (
    "我喜歡{thing}",
    "我討厭{thing}",
    "我下週{day}要去{thing}",
    "今天好累喔",
    "你記得我喜歡什麼嗎？",
    "我下週有什麼事？",
    "早安",
    "我最近在學{thing}，有點難。",
    "哈哈哈",
    "我現在不喜歡{thing}了",
)


@dataclass
class Held:
    """What the process held at one moment, in MB."""

    messages: int
    resident: float
    anonymous: float
    threads: int
    files: int


@dataclass
class Day:
    """The town, and what came of the day."""

    discord: StandIn
    pick: random.Random
    rooms: dict[Person, list[Channel]] = field(default_factory=dict)
    waiting: set[int] = field(default_factory=set)
    read: Counter[int] = field(default_factory=Counter)
    answers: int = 0
    samples: list[Held] = field(default_factory=list)
    trouble: Counter[str] = field(default_factory=Counter)

    def settle(self, people: int, servers: int) -> None:
        """Let people move in: everybody has a DM and is on one to three servers."""
        everybody = [self.discord.person(f"p{number}", display=f"人{number:02}") for number in range(people)]
        self.rooms = {one: [one.dm_channel()] for one in everybody}
        for number in range(servers):
            members = [one for place, one in enumerate(everybody) if (place + number) % servers < 2]
            server = self.discord.server(f"S{number}", members)
            for one in members:
                self.rooms[one].append(server.general)

    def say(self) -> None:
        """Let somebody say something."""
        person = self.pick.choice(list(self.rooms))
        channel = self.pick.choice(self.rooms[person])
        text = self.pick.choice(SAID).format(
            thing=self.pick.choice(THINGS), day=self.pick.choice("一二三四五")
        )
        called: Any = () if channel.guild is None else self.discord.bot
        self.waiting.add(person.say(channel, text, mention=called).id)

    def listen(self) -> bool:
        """Take in what she said; tells whether more may be said now."""
        hers = self.discord.bot.user
        for channel_id, spoken in self.discord.world.spoken.items():
            for one in spoken[self.read[channel_id] :]:
                if one.author is hers and one.reference is not None:
                    self.answers += 1
                    self._answered(channel_id, one.reference.message_id)
            self.read[channel_id] = len(spoken)
        return len(self.waiting) < AT_ONCE

    def _answered(self, channel_id: int, message_id: int) -> None:
        """Strike out a message, and what its author said before it: a burst has one answer."""
        messages = self.discord.world.channels[channel_id].messages
        author = messages[message_id].author
        self.waiting -= {
            key
            for key in self.waiting
            if key in messages and key <= message_id and messages[key].author is author
        }

    def shake(self) -> None:
        """Make some trouble."""
        kind = self.pick.choice(("cut", "op7", "close", "twice", "limit", "lost"))
        self.trouble[kind] += 1
        match kind:
            case "cut":
                self.discord.outages.cut()
            case "op7":
                self.discord.outages.ask_to_reconnect()
            case "close":
                self.discord.outages.close(4000)
            case "twice":
                self.discord.outages.replay_extra(self.pick.randrange(8))
                self.discord.outages.cut()
            case "limit":
                self.discord.faults.limit(0.05, times=2, method="POST", path="/channels/*/messages")
            case "lost":
                self.discord.faults.fail(502, times=1, after=True, method="POST", path="/channels/*/messages")

    def forget(self) -> None:
        """Let the stand-in drop what it keeps for others."""
        self.discord.recorder.clear()
        self.discord.world.happenings.clear()
        for session in self.discord.gateway.sessions:
            del session.kept[:-200]


def held(pid: int, messages: int) -> Held:
    """Return what a process holds now."""
    kb = dict(_kilobytes(pid))
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    threads = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Threads:"))
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Held(messages, kb["Rss"] / 1000, kb["Anonymous"] / 1000, threads, files)


def _kilobytes(pid: int) -> Iterator[tuple[str, int]]:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]:
        name, _, rest = line.partition(":")
        yield name, int(rest.split()[0])


async def live(messages: int, people: int, servers: int, seed: int, more: dict[str, str]) -> Day:
    """Live through the day once."""
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn() as discord:
            day = Day(discord, random.Random(seed))  # noqa: S311 - to repeat a run
            discord.recorder.frames_too = False
            day.settle(people, servers)
            surroundings = environment(discord) | {"LILY_DISCORD__MERGE_WINDOW_SECONDS": "0.05"} | more
            for whose in ("PERSON", "SERVER"):
                surroundings[f"LILY_DISCORD__MESSAGES_PER_{whose}_PER_DAY"] = "0"
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", "--data", folder, cwd=ROOT, env=surroundings,
                stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            try:
                await discord.ready(1, SILENT)
                every = max(1, messages // SAMPLES)
                for number in range(1, messages + 1):
                    await discord.until(day.listen, SILENT, "an answer")
                    day.say()
                    if number % 40 == 0:
                        day.shake()
                    if number % every == 0:
                        day.forget()
                        day.samples.append(held(process.pid, number))
                await discord.until(lambda: day.listen() and not day.waiting, SILENT, "the last answers")
            finally:
                if process.returncode is None:
                    process.terminate()
                await process.wait()
            return day


def told(day: Day) -> dict[str, Any]:
    """Return what is written down."""
    quarter = max(1, len(day.samples) // 4)
    third, last = day.samples[-2 * quarter : -quarter], day.samples[-quarter:]
    growth = fmean(one.anonymous for one in last) / fmean(one.anonymous for one in third) - 1
    return {
        "messages": day.samples[-1].messages,
        "answers": day.answers,
        "people": len(day.rooms),
        "trouble": dict(sorted(day.trouble.items())),
        "growth_of_the_last_quarter": round(growth, 4),
        "held_mb": [
            {
                "messages": one.messages,
                "resident": round(one.resident),
                "anonymous": round(one.anonymous),
                "threads": one.threads,
                "files": one.files,
            }
            for one in day.samples
        ],
    }


def main() -> int:
    """Run it, print the report and keep it."""
    parser = argparse.ArgumentParser(description="memory over a long day on Discord")
    for name, default in (("messages", 5000), ("people", 50), ("servers", 5), ("seed", 2026)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--set", action="append", default=[], help="NAME=VALUE for her environment")
    given = parser.parse_args()
    began = time.monotonic()
    more = dict(one.split("=", 1) for one in given.set)
    report = told(asyncio.run(live(given.messages, given.people, given.servers, given.seed, more)))
    text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    given.results.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{text}{time.monotonic() - began:.0f} s\n")
    return 1 if report["growth_of_the_last_quarter"] > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
