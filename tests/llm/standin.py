"""A provider on a real local socket that answers as a script says and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; a ``body`` that is no string is sent as JSON."""

    body: Any = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: Any


HANG = Answer("hang")
"""The server takes the request and never answers."""

CUT = Answer("cut")
"""The server closes the connection without an answer."""

CUT_MIDWAY = Answer("cut midway")
"""The server closes the connection in the middle of the body."""

Script = Callable[[Asked], Answer]


class StandIn:
    """Serves ``answers`` in turn, the last one for ever; or what ``script`` makes of each request."""

    def __init__(self, *answers: Answer, script: Script | None = None) -> None:
        self._answers = list(answers)
        self._script = script
        self._closing = asyncio.Event()
        self.asked: list[Asked] = []
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        asked = Asked(request.path, dict(request.headers), json.loads(raw) if raw else None)
        self.asked.append(asked)
        if self._script is not None:
            answer = self._script(asked)
        else:
            answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
        return await self._send(request, answer)

    async def _send(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        assert request.transport is not None
        if answer is HANG:
            await self._closing.wait()
        if answer is CUT:
            request.transport.close()
        if answer is CUT_MIDWAY:
            response = web.StreamResponse(
                headers={"Content-Length": "1000", "Content-Type": "application/json"}
            )
            await response.prepare(request)
            await response.write(b'{"candidates": [')
            request.transport.close()
            return response
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        return web.Response(
            text=text if answer.status != 204 else None,
            status=answer.status,
            headers=answer.headers,
            content_type=answer.content_type if answer.status != 204 else None,
        )


def closed_port() -> str:
    """Return the URL of a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
