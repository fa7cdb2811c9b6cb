"""``lily run`` as a host runs it against the stand-in Discord, and a model whose answers can wait."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from tests.standin import StandIn, environment

STARTED = 60.0
"""Seconds in which a process comes up even where two cores are everybody's."""


class Model:
    """An OpenAI-compatible model on a local port. It says what ``answer`` holds, and waits while ``held``."""

    def __init__(self) -> None:
        self.answer = "嗯。"
        self.asked = 0
        self._free = asyncio.Event()
        self._free.set()

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.settings = {
            "OPENAI_BASE_URL": f"http://{host}:{port}/v1",
            "OPENAI_API_KEY": "stand-in",
            "LILY_MODELS__CHAT": "openai",
            "LILY_MODELS__OPENAI__CHAT": "stand-in",
        }
        return self

    async def __aexit__(self, *_: object) -> None:
        self.release()
        await self._runner.cleanup()

    def hold(self) -> None:
        """Let whoever asks wait."""
        self._free.clear()

    def release(self) -> None:
        """Answer what was asked meanwhile, and from now on at once."""
        self._free.set()

    async def _complete(self, request: web.Request) -> web.Response:
        await request.read()
        self.asked += 1
        await self._free.wait()
        message = {"role": "assistant", "content": self.answer}
        usage = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return web.json_response({"choices": choices, "usage": usage})


class Child:
    """One process: its end, and what it told the host."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid
        self.told = ""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._process.returncode is not None

    def ask_to_stop(self) -> None:
        """Send the signal a host's system ends programs with."""
        self._process.send_signal(signal.SIGTERM)

    async def ended(self) -> int:
        """Wait for the end; returns the exit code."""
        async with asyncio.timeout(STARTED):
            _, told = await self._process.communicate()
        self.told = told.decode()
        assert self._process.returncode is not None
        return self._process.returncode


@asynccontextmanager
async def child(discord: StandIn, folder: Path, **settings: str) -> AsyncIterator[Child]:
    """Start a process over a data folder; what is left of it at the end of the block is killed."""
    surroundings: dict[str, Any] = environment(discord)
    for name in ("GEMINI_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        surroundings.pop(name, None)
    surroundings |= {"LILY_DISCORD__MERGE_WINDOW_SECONDS": "0.05", "LILY_STORAGE__COLLECTIONS": "2"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", "--data", str(folder),
        env=surroundings | settings, cwd=folder.parent,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@asynccontextmanager
async def online(discord: StandIn, folder: Path, **settings: str) -> AsyncIterator[Child]:
    """Start a process and wait until it is connected and has told its commands."""
    async with child(discord, folder, **settings) as started:
        sessions = discord.gateway.sessions
        up = lambda: any(one.connection for one in sessions) and discord.bot.commands  # noqa: E731
        await discord.until(lambda: up() or started.is_over, STARTED, "coming online")
        if started.is_over:
            raise AssertionError(f"ended with {await started.ended()} at once: {started.told}")
        yield started
