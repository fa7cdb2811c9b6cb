"""A process that carries messages through the house and dies at a given step, without warning.

Arguments: data folder, step, how often the step is let pass. Admitted message ids go to
``admitted.txt``, replies to ``delivered.txt`` in the folder's parent: the world outside.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.conversations import Conversations
from memory.clock import SettableClock
from memory.messages import Message
from memory.model import Category
from memory.steps import OnStep, Step
from persona.library import load_character
from persona.situation import Reply, Situation, Source
from tests.support.speakers import answered_by
from tests.support.world import START, World, fact, open_world

SCRIPT = {
    "我叫小明": (fact("使用者叫小明", Category.NAME),),
    "我改名小華了": (fact("使用者叫小華", Category.NAME),),
    "我養了一隻貓，也很愛爬山": (
        fact("使用者養了一隻貓", Category.IDENTITY),
        fact("使用者很愛爬山", Category.HOBBY),
    ),
}


class Outside:
    """Discord, as far as this test goes: what was said there stays said."""

    def __init__(self, folder: Path) -> None:
        self._delivered = folder / "delivered.txt"

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        append(self._delivered, message.id)

    async def has_replied(self, message: Message) -> bool:
        return message.id in lines(self._delivered)


class Plain:
    """A companion that always says the same."""

    character = load_character("lily")

    async def reply(self, situation: Situation) -> Reply:
        return Reply("哼。", Source.RULES)


def append(file: Path, line: str) -> None:
    with file.open("a") as out:
        out.write(line + "\n")
        out.flush()
        os.fsync(out.fileno())


def lines(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []


def conversations(world: World, on_step: OnStep) -> Conversations:
    """Wire the conversations of a world."""
    world.extractor.facts.update(SCRIPT)
    return Conversations(
        world.service,
        answered_by(Plain()),
        world.embedder,
        world.clock,
        recent_turns=10,
        on_step=on_step,
    )


async def main(folder: Path, fatal: Step, passes: int) -> None:
    left = passes

    def on_step(step: Step) -> None:
        nonlocal left
        if step is Step.ADMITTED:
            append(folder / "admitted.txt", current)
        if step is fatal:
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1

    async with open_world(folder / "data", clock=SettableClock(START), on_step=on_step) as world:
        talk = conversations(world, on_step)
        for number, text in enumerate(SCRIPT):
            world.later(minutes=1)
            current = f"c:{number}"
            await talk.handle(world.message(text, message_id=current), Outside(folder))
            await world.service.outbox.drain()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Step(sys.argv[2]), int(sys.argv[3])))
