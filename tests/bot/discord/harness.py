"""Lily online on a stand-in Discord: the real client, the real house, in this process."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.discord import pictures
from bot.discord.gateway import build_client
from bot.discord.meter import Meter
from bot.discord.service import Service
from bot.house import House, open_house
from bot.settings.policy import prices
from bot.settings.sections import DiscordSettings, ModelSettings, Secrets, Settings, StorageSettings
from memory.clock import Clock, SystemClock
from memory.model import Memory
from memory.store import gate
from tests.standin import Channel, Message, Person, Published, Server, StandIn, redirected

SOON = 20.0
"""Seconds in which something happens even where two cores are everybody's."""


@dataclass
class Lily:
    """Her, online."""

    house: House
    service: Service
    stop: asyncio.Event
    notes: list[str]

    async def memories(self, person: Person) -> tuple[Memory, ...]:
        """Return all she holds of a person."""
        async with self.house.memory.database.read() as connection:
            return await gate.owned(connection, str(person.id))

    async def texts(self, person: Person) -> list[str]:
        """Return what is live of a person."""
        return [memory.text for memory in await self.memories(person) if not memory.archived]

    async def settled(self) -> None:
        """Wait until nothing is being answered or learned."""
        talk = self.service.parts.talk
        while talk._observing or talk._bursts._lines:
            await asyncio.gather(*talk._observing, *(x.task for x in talk._bursts._lines.values() if x.task))


@cache
def _template() -> Path:
    """Return a folder to keep a house's first minutes in: what it makes once is copied by every test."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _is_furnished(folder: Path) -> bool:
    return any(folder.iterdir())


async def furnish(folder: Path) -> None:
    """Put an empty store into a new folder."""
    template = _template()
    if _is_furnished(folder):
        return
    if not _is_furnished(template):
        settings = Settings(storage=StorageSettings(data_dir=template, collections=2))
        async with open_house(settings, SystemClock(), command="run"):
            pass
    shutil.copytree(template, folder, dirs_exist_ok=True)


@asynccontextmanager
async def online(
    discord: StandIn,
    folder: Path,
    *,
    clock: Clock | None = None,
    scheduled: bool = True,
    models: ModelSettings | None = None,
    secrets: Secrets | None = None,
    index_apart: bool = False,
    **choices: Any,
) -> AsyncIterator[Lily]:
    """Bring her online over a data folder; ``choices`` are Discord settings.

    ``scheduled``: let happen what happens by itself; without it, the test rings. ``index_apart``: give
    the vectors a process of their own, as ``lily run`` does; it takes longer to start.
    """
    chosen = {"merge_window_seconds": 0.03, **choices}
    settings = Settings(
        discord=DiscordSettings(**chosen),
        storage=StorageSettings(data_dir=folder, collections=2),
        models=models or ModelSettings(),
        secrets=secrets or Secrets(),
    )
    await furnish(folder)
    notes: list[str] = []
    stop = asyncio.Event()
    with redirected(discord), pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "ORIGINS", (discord.world.base_url,))
        meter = Meter(prices(settings))
        async with open_house(
            settings, clock or SystemClock(), command="run", usage=meter.sink, index_apart=index_apart
        ) as house:
            client = build_client(settings.discord, guild_ready_timeout=0)
            client.before_identify_hook = _at_once  # type: ignore[method-assign]
            service = Service(house, client, lambda key, values: notes.append(key), meter)
            running = asyncio.create_task(service.run(discord.bot.token, stop, scheduled=scheduled))
            await discord.world.until(lambda: "online" in notes or running.done(), SOON, "coming online")
            known = await discord.world.until(
                lambda: bool(discord.bot.commands) or running.done(), SOON, "commands"
            )
            assert known
            try:
                yield Lily(house, service, stop, notes)
            finally:
                stop.set()
                await running


async def _at_once(shard_id: int | None, *, initial: bool = False) -> None:
    """No waiting before a second identify."""


@dataclass
class Town:
    """A stand-in with one server and two people."""

    discord: StandIn
    server: Server
    ming: Person
    ann: Person


@asynccontextmanager
async def town(
    *, keeps_to_what_is_published: bool = True, now: Callable[[], datetime] | None = None
) -> AsyncIterator[Town]:
    """Open a small Discord; all traffic with it keeps to what Discord publishes, where a copy is at hand.

    ``now`` dates what is said there; without it, the wall clock.
    """
    async with StandIn(now=now) as discord:
        ming, ann = discord.person("ming", display="小明"), discord.person("ann", locale="en-US")
        yield Town(discord, discord.server("Harbour", [ming, ann]), ming, ann)
        if keeps_to_what_is_published:
            published = _published()
            differences = published.differences(discord.recorder) if published else []
            assert [str(one) for one in differences] == []


@cache
def _published() -> Published | None:
    return Published.at_hand()


async def tells(lily: Lily, person: Person, text: str, channel: Channel | None = None) -> Message:
    """Let a person tell her something and her learn it."""
    bot = person._discord.bot
    said = person.dm(text) if channel is None else person.say(channel, text, mention=bot)
    await answer_to(person, said)
    await lily.settled()
    return said


async def answer_to(person: Person, said: Message, within: float = SOON) -> Message:
    """Return her answer to a message; what she adds of her own is none."""

    def answered() -> Message | None:
        found = [one for one in person.reads(said.channel) if one.reference is not None]
        return next((one for one in found if one.reference and one.reference.message_id == said.id), None)

    return await person._discord.world.until(answered, within, "her answer")
