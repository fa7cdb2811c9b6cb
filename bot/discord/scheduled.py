"""A process that does nothing but what happens by itself: it writes, and hears nothing.

Beside processes with shards that run with ``--no-schedule``; the database says what is due, so a
second one of it, or a shard that does the same work, changes nothing. Its ``/healthz`` and
``/metrics`` are on the same setting as theirs: on one machine, each process needs a port of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import discord

from bot.by_itself import happen_until
from bot.discord.gateway import stay_connected
from bot.discord.health import measured_of_house, serving_health, telling_of_models
from bot.discord.meter import Meter
from bot.discord.notifying import DiscordNotifier
from bot.house import House


class Postman(discord.Client):
    """A client that is logged in and has no gateway connection: letters need none."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents.none(), allowed_mentions=discord.AllowedMentions.none(), max_messages=None
        )

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay as it is until cancelled."""
        del reconnect
        await asyncio.get_running_loop().create_future()


async def run_scheduled(
    house: House,
    token: str,
    stop: asyncio.Event,
    note: Callable[[str, dict[str, object]], None],
    meter: Meter,
) -> None:
    """Let happen what happens by itself until ``stop``. Raises what :func:`stay_connected` raises.

    ``meter`` is the one whose sink the house was opened with. ``UserError`` where the port is taken.
    """
    client = Postman()
    online = asyncio.Event()
    house.watch.on_change = telling_of_models(note)

    async def prepared() -> None:
        note("scheduled", {"name": client.user})
        online.set()

    def troubled() -> None:
        note("unreachable", {})

    async def numbers() -> dict[str, float]:
        return {"lily_online": float(online.is_set()), **await measured_of_house(house, meter)}

    async with serving_health(house.settings.ops, online.is_set, house.watch, numbers):
        connected = asyncio.create_task(stay_connected(client, token, prepared, troubled))
        stopping = asyncio.create_task(stop.wait())
        notifier = DiscordNotifier(client, online.is_set)
        working = asyncio.create_task(happen_until(stop, house, notifier))
        try:
            await asyncio.wait({connected, stopping, working}, return_when=asyncio.FIRST_COMPLETED)
            for ended in (connected, working):
                if ended.done():
                    await ended
        finally:
            stop.set()
            note("stopping", {})
            await asyncio.gather(working, return_exceptions=True)  # what is being said is said to its end
            for task in (connected, stopping):
                task.cancel()
            await asyncio.gather(connected, stopping, return_exceptions=True)
            await client.close()
