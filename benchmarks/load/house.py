"""Her house for the crowd: ``lily run`` as a process of its own over the stores to be tried."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from tests.standin import StandIn, environment
from tests.support.chroma_server import free_port

STOPS_WITHIN = 120.0
SAMPLE_SECONDS = 1.0


@dataclass
class Peaks:
    """The most of each number since it was last asked for, by its name in the metrics; memory in MB."""

    most: dict[str, float] = field(default_factory=dict)

    def take(self, values: dict[str, float]) -> None:
        """Look at new numbers."""
        for name, value in values.items():
            self.most[name] = max(value, self.most.get(name, 0.0))

    def since(self) -> dict[str, float]:
        """Return what was most, and begin anew."""
        most, self.most = self.most, {}
        return most


@dataclass
class Running:
    """The process, its numbers, and the stand-in model's switch."""

    process: asyncio.subprocess.Process
    browser: aiohttp.ClientSession
    health: str
    model: str
    peaks: Peaks = field(default_factory=Peaks)

    async def metrics(self) -> dict[str, float]:
        """Return her own numbers as they are now; none where she can't tell."""
        try:
            async with self.browser.get(f"{self.health}/metrics") as answer:
                lines = (await answer.text()).splitlines() if answer.status == 200 else []
        except (aiohttp.ClientError, TimeoutError):
            return {}
        pairs = (line.split() for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    async def switch_model(self, way: str) -> None:
        """Switch the model ``down`` or ``up``."""
        async with self.browser.post(f"{self.model}/{way}") as answer:
            answer.raise_for_status()

    async def model_state(self) -> dict[str, float]:
        """Return what the model has counted."""
        async with self.browser.get(f"{self.model}/state") as answer:
            return dict(await answer.json())

    async def watch(self) -> None:
        """Sample for ever."""
        while True:
            values = await self.metrics()
            values["memory_mb"] = sum(resident(pid) for pid in family(self.process.pid))
            self.peaks.take(values)
            await asyncio.sleep(SAMPLE_SECONDS)


@asynccontextmanager
async def house(
    discord: StandIn, folder: Path, *, latency: float, at_once: int, **more: str
) -> AsyncIterator[Running]:
    """Start model and house; let them go in order at the end."""
    model_port, health_port = free_port(), free_port()
    arguments = ("-m", "benchmarks.load.model", str(model_port), str(latency))
    model = await asyncio.create_subprocess_exec(sys.executable, *arguments)
    surroundings = environment(discord) | {
        "LILY_MODELS__CHAT": "openai",
        "LILY_MODELS__EXTRACTOR": "offline",
        "LILY_MODELS__JUDGE": "offline",
        "LILY_MODELS__OPENAI__CHAT": "stand-in",
        "LILY_MODELS__AT_ONCE": str(at_once),
        "OPENAI_BASE_URL": f"http://127.0.0.1:{model_port}/v1",
        "LILY_DISCORD__MERGE_WINDOW_SECONDS": "0",
        "LILY_DISCORD__MERGE_WINDOW_LEAST_SECONDS": "0",
        "LILY_DISCORD__MESSAGES_PER_PERSON_PER_DAY": "0",
        "LILY_DISCORD__TOKENS_PER_PERSON_PER_DAY": "0",
        "LILY_OPS__HEALTH_PORT": str(health_port),
        **more,
    }
    command = (sys.executable, "-m", "bot", "run", "--data", os.fspath(folder))
    with (folder.parent / f"{folder.name}.err").open("wb") as told:
        lily = await asyncio.create_subprocess_exec(*command, env=surroundings, stdout=told, stderr=told)
    patience = aiohttp.ClientTimeout(total=5)
    try:
        async with aiohttp.ClientSession(timeout=patience) as browser:
            running = Running(
                lily, browser, f"http://127.0.0.1:{health_port}", f"http://127.0.0.1:{model_port}"
            )
            watching = asyncio.create_task(running.watch())
            try:
                yield running
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
        lily.send_signal(signal.SIGTERM)
        await asyncio.wait_for(lily.wait(), STOPS_WITHIN)
    finally:
        for process in (lily, model):
            if process.returncode is None:
                process.kill()
                await process.wait()


def family(pid: int) -> list[int]:
    """Return a process and what it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        below = [int(child) for child in children.read_text().split()]
    except OSError:
        return [pid]
    return [pid, *(one for child in below for one in family(child))]


def resident(pid: int) -> float:
    """Return how much memory a process holds, in MB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)
