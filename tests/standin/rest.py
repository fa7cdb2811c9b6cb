"""The REST door: authorisation, trouble on demand, rate limit headers, errors, and the record of it all."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from tests.standin import checks
from tests.standin.errors import ApiError
from tests.standin.faults import Faults, Trouble
from tests.standin.model import Application
from tests.standin.recorder import Exchange, Recorder
from tests.standin.world import World

PREFIX = "/api/v10"


@dataclass(frozen=True)
class Upload:
    """A file of a multipart request."""

    name: str
    content: bytes


@dataclass
class Call:
    """One request, read and authorised."""

    world: World
    application: Application | None
    args: dict[str, str]
    query: dict[str, str]
    body: Any
    files: list[Upload]

    @property
    def bot(self) -> Application:
        """The application that calls."""
        if self.application is None:
            raise ApiError(401, 0, "401: Unauthorized")
        return self.application

    def id(self, name: str) -> int:
        """A snowflake from the path."""
        try:
            return int(self.args[name])
        except ValueError:
            raise ApiError(400, 50035, "Invalid Form Body") from None


Handler = Callable[[Call], Any]


@dataclass(frozen=True)
class Route:
    """One entry of the API; ``open_to_all`` needs no bot token, the path holds its own."""

    method: str
    template: str
    handle: Handler
    status: int = 200
    open_to_all: bool = False


def found_or_404(value: Any, code: int, what: str) -> Any:
    """The value, or Discord's "unknown" answer."""
    if value is None:
        raise ApiError(404, code, f"Unknown {what}")
    return value


class Rest:
    """Serves the routes."""

    def __init__(self, world: World, recorder: Recorder, faults: Faults, routes: list[Route]) -> None:
        self._world = world
        self._recorder = recorder
        self._faults = faults
        self._routes = routes

    def add_to(self, app: web.Application) -> None:
        """Register everything; what no route takes is answered 404 and recorded."""
        for route in self._routes:
            app.router.add_route(route.method, PREFIX + route.template, self._serving(route))
        app.router.add_route("*", PREFIX + "/{rest:.*}", self._serving(None))

    def _serving(self, route: Route | None) -> Callable[[web.Request], Any]:
        async def serve(request: web.Request) -> web.StreamResponse:
            return await self._serve(request, route)

        return serve

    async def _serve(self, request: web.Request, route: Route | None) -> web.StreamResponse:
        started = self._world.steady()
        path = request.path.removeprefix(PREFIX)
        template = route.template if route else ""
        body, files = await _read(request)
        status: int = 404
        answer: Any = {"message": "404: Not Found", "code": 0}
        headers: dict[str, str] = {}
        fault = cut = False
        try:
            troubles = self._faults.striking(request.method, template, path)
            for one in troubles:
                if one.kind == "slow":
                    await asyncio.sleep(one.seconds)
            trouble = next((one for one in troubles if one.kind != "slow"), None)
            limited = None if trouble else self._bucket(request, route, headers)
            if trouble is not None and not trouble.after:
                fault = True
            elif limited is not None:
                status, answer = 429, limited
            elif route is not None:
                status, answer = self._handle(request, route, body, files)
            if trouble is not None:
                fault, cut = True, trouble.kind == "reset"
                status, answer = _troubled(trouble, headers)
        finally:
            self._recorder.exchanges.append(
                Exchange(
                    started,
                    self._world.steady() - started,
                    request.method,
                    path,
                    template,
                    dict(request.query),
                    body,
                    tuple(one.name for one in files),
                    0 if cut else status,
                    answer,
                    fault,
                )
            )
            self._world.change()
        if cut and request.transport is not None:
            request.transport.abort()
        if status == 204:
            return web.Response(status=204, headers=headers)
        if isinstance(answer, str):
            return web.Response(status=status, text=answer, content_type="text/html", headers=headers)
        packed = json.dumps(answer, ensure_ascii=False).encode()
        return web.Response(status=status, body=packed, content_type="application/json", headers=headers)

    def _handle(self, request: web.Request, route: Route, body: Any, files: list[Upload]) -> tuple[int, Any]:
        token = request.headers.get("Authorization", "").removeprefix("Bot ")
        application = self._world.applications.get(token)
        if application is None and not route.open_to_all:
            return 401, {"message": "401: Unauthorized", "code": 0}
        call = Call(self._world, application, dict(request.match_info), dict(request.query), body, files)
        try:
            checks.size(sum(len(one.content) for one in files))
            answer = route.handle(call)
        except ApiError as error:
            return error.status, error.body
        except Exception as error:
            self._recorder.crashes.append(error)
            raise
        return (204, None) if answer is None else (route.status, answer)

    def _bucket(
        self, request: web.Request, route: Route | None, headers: dict[str, str]
    ) -> dict[str, Any] | None:
        template = route.template if route else ""
        bucket = self._faults.bucket_for(request.method, template)
        limit, left, wait = 1000, 999, 1.0
        if bucket is not None:
            major = "/".join(
                request.match_info.get(key, "") for key in ("channel_id", "guild_id", "webhook_token")
            )
            limit = bucket.limit
            left, wait = bucket.take(major, self._world.steady())
        headers |= {
            "Via": "1.1 standin",
            "X-RateLimit-Bucket": f"{zlib.crc32(f'{request.method} {template}'.encode()):08x}",
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(left, 0)),
            "X-RateLimit-Reset": f"{self._world.now().timestamp() + wait:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
        }
        if left >= 0:
            return None
        headers |= {"Retry-After": f"{wait:.3f}", "X-RateLimit-Scope": "user"}
        return {"message": "You are being rate limited.", "retry_after": round(wait, 3), "global": False}


def _troubled(trouble: Trouble, headers: dict[str, str]) -> tuple[int, Any]:
    if trouble.kind == "reset":
        return 500, ""
    if trouble.kind == "fail":
        text = f"{trouble.status}: trouble"
        return trouble.status, f"<html>{text}</html>" if trouble.html else {
            "message": text,
            "code": trouble.code,
        }
    everywhere = trouble.scope == "global"
    headers |= {"Retry-After": f"{trouble.seconds:.3f}", "X-RateLimit-Scope": trouble.scope}
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    if trouble.via:
        headers["Via"] = "1.1 standin"
    else:
        headers.pop("Via", None)
    answer = {"message": "You are being rate limited.", "retry_after": trouble.seconds, "global": everywhere}
    return 429, answer


async def _read(request: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON body, from the body itself or from a multipart's ``payload_json``, and the files."""
    if request.content_type.startswith("multipart/"):
        body: Any = {}
        files = []
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            content = bytes(await part.read())
            if part.name == "payload_json":
                body = json.loads(content)
            else:
                files.append(Upload(part.filename or "file", content))
        return body, files
    raw = await request.read()
    return (json.loads(raw) if raw else None), []
