"""A bad day on Discord: lines of many people while the gateway drops, repeats itself and Discord errs.

    python benchmarks/discord_chaos.py [--messages 2000] [--people 50] [--servers 5] [--seed 2026]

The real client against a stand-in, scripted models, real SQLite and Chroma. Exits with 1 where a line
was not answered exactly once, was mixed up with another, or something was left over. The memory it
tells of is the stand-in's too, which keeps every message; ``discord_memory.py`` measures hers alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.bot.discord.chaos import Chaos, Report  # noqa: E402
from tests.standin import StandIn  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "discord_chaos.json"


async def live(messages: int, people: int, servers: int, seed: int) -> Report:
    """Live through it once."""
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn() as discord:
            return await Chaos(discord, people=people, servers=servers, seed=seed).run(Path(folder), messages)


def told(report: Report) -> dict[str, Any]:
    """Return what is written down."""
    half = len(report.resident) // 2 - 1
    return {
        "messages": report.messages,
        "people": report.people,
        "servers": report.servers,
        "replies": report.replies,
        "answered_with_the_rest_of_a_burst": report.merged,
        "memories": report.memories,
        "trouble": dict(sorted(report.trouble.items())),
        "most_waiting_at_once": report.most_waiting,
        "tasks": {"before": report.tasks_before, "most": report.most_tasks, "after": report.tasks_after},
        "with_the_stand_in": {
            when: {"resident_mb": round(report.resident[at]), "objects": report.objects[at]}
            for when, at in (("at_a_tenth", 0), ("halfway", half), ("at_the_end", -1))
        },
        "faults": report.faults,
    }


def main() -> int:
    """Run it, print the report and keep it."""
    parser = argparse.ArgumentParser(description="a bad day on Discord")
    for name, default in (("messages", 2000), ("people", 50), ("servers", 5), ("seed", 2026)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    began = time.monotonic()
    report = asyncio.run(live(given.messages, given.people, given.servers, given.seed))
    text = json.dumps(told(report), indent=2, ensure_ascii=False) + "\n"
    given.results.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{text}{time.monotonic() - began:.0f} s\n")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
