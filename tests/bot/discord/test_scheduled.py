"""The process that hears nobody: how it is, told to whatever watches it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.discord.meter import Meter
from bot.discord.scheduled import run_scheduled
from bot.errors import UserError
from bot.house import open_house
from bot.settings.sections import OpsSettings, Settings, StorageSettings
from memory.catalog import load_catalog
from memory.clock import SystemClock
from tests.bot.discord.harness import SOON, Town, furnish, town
from tests.standin import redirected


@asynccontextmanager
async def keeping_time(place: Town, folder: Path, port: int) -> AsyncIterator[asyncio.Task[None]]:
    """Run it until the end of the block."""
    await furnish(folder)
    settings = Settings(
        storage=StorageSettings(data_dir=folder, collections=2), ops=OpsSettings(health_port=port)
    )
    stop, meter = asyncio.Event(), Meter({})
    with redirected(place.discord):
        async with open_house(settings, SystemClock(), command="run", usage=meter.sink) as house:
            token = place.discord.bot.token
            running = asyncio.create_task(run_scheduled(house, token, stop, lambda *_: None, meter))
            try:
                yield running
            finally:
                stop.set()
                await asyncio.gather(running, return_exceptions=True)


async def test_it_has_a_page_that_says_it_is_there_and_what_waits(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    async with (
        town() as place,
        keeping_time(place, tmp_path, port),
        asyncio.timeout(SOON),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as browser,
    ):
        told: tuple[int, object] = (0, None)
        while told != (200, {"online": True, "models": {}}):
            await asyncio.sleep(0.02)
            try:
                async with browser.get("/healthz") as answer:
                    told = answer.status, await answer.json()
            except aiohttp.ClientConnectorError:
                continue
        async with browser.get("/metrics") as answer:
            text = await answer.text()
        assert "lily_online 1\n" in text and "lily_messages_unobserved 0\n" in text
        assert "lily_servers" not in text  # it is on none


async def test_a_port_that_is_taken_is_told_with_the_setting(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        async with town() as place, keeping_time(place, tmp_path, port) as running:
            with pytest.raises(UserError) as told:
                await asyncio.wait_for(running, SOON)
    (line,) = told.value.texts(load_catalog("bot", "en"))
    assert line.startswith(f"ops.health_port: 127.0.0.1:{port} can't be used")
    assert "choose another port" in line
