"""A channel that loses nothing and tells no lies: what was said in it stays said, whatever else happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from memory.clock import Clock
from scheduler.notifier import Delivered, Delivery, Letter, NotDelivered, Undeliverable


@dataclass(frozen=True)
class Posted:
    """One message that was really said, and when by the house's clock."""

    at: datetime
    letter: Letter


@dataclass
class Post:
    """Delivers letters; ``trouble`` may name what goes wrong with one.

    ``down``: refused before it was said. ``cut``: said, but the answer is lost. ``lost``: not said,
    and the answer is lost as well. ``blind``: its history can't be seen.
    """

    clock: Clock
    closed: set[str] = field(default_factory=set)
    trouble: Callable[[Letter], str] = lambda letter: ""
    said: list[Posted] = field(default_factory=list)
    on_said: Callable[[Posted], None] = lambda posted: None
    tries: int = 0
    looks: int = 0

    async def deliver(self, letter: Letter) -> Delivery:
        self.tries += 1
        await asyncio.sleep(0)
        if letter.user_id in self.closed and letter.place.is_dm:
            return Undeliverable("50007")
        trouble = self.trouble(letter)
        if trouble == "down":
            raise NotDelivered("503")
        if trouble == "lost":
            raise ConnectionResetError
        posted = Posted(self.clock.now(), letter)
        self.said.append(posted)
        self.on_said(posted)
        await asyncio.sleep(0)
        if trouble == "cut":
            raise ConnectionResetError
        return Delivered()

    async def find(self, letter: Letter) -> bool:
        self.looks += 1
        await asyncio.sleep(0)
        if self.trouble(letter) == "blind":
            raise ConnectionResetError
        return any(one.letter.nonce == letter.nonce for one in self.said)


class Plain:
    """Words without a model."""

    def __init__(self) -> None:
        self.occasions: list[object] = []

    async def compose(self, occasion: object) -> str:
        self.occasions.append(occasion)
        await asyncio.sleep(0)
        return f"{occasion.memory.text.removeprefix('使用者有')}怎麼樣了？"  # type: ignore[attr-defined]
