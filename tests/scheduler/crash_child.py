"""A process that sends what is due and dies at a given step, without warning.

Arguments: data folder, step ("" to live). What it says goes to ``said.txt`` in the folder: the
world outside, which stays.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from scheduler.notifier import Delivered, Delivery, Letter
from scheduler.steps import FollowUpStep
from tests.scheduler.street import EVENING, open_street


class Outside:
    """The channel, as far as this test goes."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "said.txt"

    async def deliver(self, letter: Letter) -> Delivery:
        with self._file.open("a") as out:
            out.write(letter.nonce + "\n")
            out.flush()
            os.fsync(out.fileno())
        return Delivered()

    async def find(self, letter: Letter) -> bool:
        return self._file.exists() and letter.nonce in self._file.read_text().split()


async def main(folder: Path, fatal: str, minutes: int) -> None:
    def on_step(step: FollowUpStep) -> None:
        if step.value == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    async with open_street(folder) as street:
        street.at(EVENING)
        street.later(minutes=minutes)
        await street.engine(notifier=Outside(folder), on_step=on_step).run_due()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
