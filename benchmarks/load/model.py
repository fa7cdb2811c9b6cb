"""A stand-in model: an OpenAI-compatible endpoint here that takes its time and can be switched off.

    python -m benchmarks.load.model PORT LATENCY

It answers with the mark of the line it was asked (``zq`` and digits), so that each answer tells whose it is.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import dataclass
from typing import Any

from aiohttp import web

MARK = re.compile(r"zq\d+")


@dataclass
class State:
    """What it is doing."""

    latency: float
    down: bool = False
    under_way: int = 0
    most: int = 0
    answered: int = 0
    refused: int = 0


def application(state: State) -> web.Application:
    """Return the endpoint, with ``/state`` to look at it and ``/down`` and ``/up`` to switch it."""

    async def complete(request: web.Request) -> web.Response:
        asked: dict[str, Any] = await request.json()
        if state.down:
            state.refused += 1
            return web.json_response({"error": {"message": "down"}}, status=503)
        state.under_way += 1
        state.most = max(state.most, state.under_way)
        try:
            await asyncio.sleep(state.latency)
        finally:
            state.under_way -= 1
        state.answered += 1
        said = [str(one.get("content")) for one in asked["messages"] if one.get("role") == "user"]
        marks = MARK.findall(said[-1]) if said else []
        text = f"嗯，{' '.join(marks)}，我聽到了。"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {"id": "x", "object": "chat.completion", "created": 0, "model": asked["model"]}
        return web.json_response(answer | {"choices": [choice], "usage": usage})

    async def look(_request: web.Request) -> web.Response:
        return web.json_response(vars(state))

    async def switch(request: web.Request) -> web.Response:
        state.down = request.path == "/down"
        return web.json_response({})

    app = web.Application(client_max_size=16 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", complete)
    app.router.add_get("/state", look)
    app.router.add_post("/down", switch)
    app.router.add_post("/up", switch)
    return app


if __name__ == "__main__":
    port, latency = int(sys.argv[1]), float(sys.argv[2])
    web.run_app(application(State(latency)), host="127.0.0.1", port=port, print=None, access_log=None)
