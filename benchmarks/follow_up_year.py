"""A year of follow-ups, simulated: who was asked what became of each event, and whether anything went wrong.

    python benchmarks/follow_up_year.py [--people 200] [--events 3000] [--seed 2026]

Two schedulers over one SQLite file, twelve zones, kills at every step, outages, clock jumps. Exits
with 1 where a single message was early, late, doubled, in quiet hours or in the wrong place.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.year import Report, open_year


async def live(people: int, events: int, chats: int, seed: int) -> Report:
    """Live through one year."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_year(Path(folder), seed=seed, people=people, events=events, chats_each=chats) as year:
            return await year.run()


def main() -> int:
    """Run it and print the report."""
    parser = argparse.ArgumentParser(description="a simulated year of follow-ups")
    for name, default in (("people", 200), ("events", 3000), ("chats", 4), ("seed", 2026)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    logging.disable(logging.ERROR)
    began = time.monotonic()
    report = asyncio.run(live(given.people, given.events, given.chats, given.seed))
    sys.stdout.write("\n".join([*report.lines(), f"{time.monotonic() - began:.0f} s", ""]))
    return 1 if report.faults or report.open else 0


if __name__ == "__main__":
    sys.exit(main())
