"""The stand-in itself: one local port that serves REST, gateway and files, with a world behind it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.standin import posting, routes_answers, routes_commands, routes_messages, routes_places
from tests.standin.faults import Faults
from tests.standin.gateway import PRIVILEGED, Gateway
from tests.standin.model import Application, Channel, Message, User
from tests.standin.outages import Outages
from tests.standin.people import Person
from tests.standin.places import Server
from tests.standin.posting import Draft
from tests.standin.recorder import Recorder
from tests.standin.rest import PREFIX, Rest
from tests.standin.world import World

ROUTES = [*routes_places.ROUTES, *routes_messages.ROUTES, *routes_commands.ROUTES, *routes_answers.ROUTES]


class StandIn:
    """A Discord to test against: ``async with StandIn() as discord``. It starts with one bot, ``bot``.

    ``world`` is the state, ``faults`` and ``outages`` make trouble for REST and the gateway, ``recorder`` has
    the traffic.
    """

    def __init__(self, *, now: Callable[[], datetime] | None = None, token: str = "stand.in.token") -> None:
        self.world = World(now)
        self.recorder = Recorder()
        self.faults = Faults()
        self.gateway = Gateway(self.world, self.recorder)
        self.outages = Outages(self.gateway)
        self.port = 0
        self._runner: web.AppRunner | None = None
        self.bot = self.add_bot("lily", token)

    # Serving

    async def __aenter__(self) -> Self:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.world.base_url = f"http://127.0.0.1:{self.port}"
        await self.come_up()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.go_down()

    async def come_up(self) -> None:
        """Start listening, on the same port as before."""
        if self._runner is not None:
            return
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_get("/attachments/{rest:.*}", self._file)
        Rest(self.world, self.recorder, self.faults, ROUTES).add_to(app)
        runner = web.AppRunner(app, shutdown_timeout=0.2, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port, reuse_address=True).start()
        self._runner = runner

    async def go_down(self) -> None:
        """Stop listening and drop every connection; sessions are kept."""
        if self._runner is None:
            return
        runner, self._runner = self._runner, None
        for connection in list(self.gateway.connections):
            connection.cut()
        await runner.cleanup()

    async def _file(self, request: web.Request) -> web.Response:
        content = self.world.files.get(request.path)
        return web.Response(status=404) if content is None else web.Response(body=content)

    @property
    def api(self) -> str:
        """What ``discord.http.Route.BASE`` must be."""
        return self.world.base_url + PREFIX

    @property
    def gateway_url(self) -> str:
        """What ``DiscordWebSocket.DEFAULT_GATEWAY`` must be."""
        return self.world.base_url.replace("http", "ws", 1) + "/gateway"

    # Making the world

    def add_bot(self, name: str, token: str, *, privileged: int = PRIVILEGED) -> Application:
        """Another application; ``privileged`` are the privileged intents its owner switched on."""
        number = self.world.new_id()
        user = User(number, name, bot=True)
        owner = User(self.world.new_id(), f"{name}-owner")
        application = Application(number, token, user, owner, privileged)
        self.world.applications[token] = application
        self.world.users |= {user.id: user, owner.id: owner}
        return application

    def person(self, name: str, *, display: str | None = None, locale: str = "zh-TW") -> Person:
        """A new person."""
        user = User(self.world.new_id(), name, display, locale=locale)
        self.world.users[user.id] = user
        return Person(self, user)

    def server(
        self,
        name: str = "Harbour",
        people: Iterable[Person] = (),
        *,
        owner: Person | None = None,
        locale: str = "zh-TW",
        with_bot: bool = True,
    ) -> Server:
        """A new server with these people (the first owns it) and the bot, and one channel, "general"."""
        return Server.found(self, name, list(people), owner, locale, with_bot=with_bot)

    def bot_says(self, bot: Application, channel: Channel, content: str, **more: Any) -> Message:
        """A message of another bot that is not running."""
        return posting.post(self.world, channel, bot.user, Draft(content=content, **more))

    def webhook_says(self, channel: Channel, name: str, content: str) -> Message:
        """A message that came in by a webhook."""
        number = self.world.new_id()
        author = User(number, name, bot=True)
        return posting.post(self.world, channel, author, Draft(content=content, webhook_id=number))

    def system_says(self, channel: Channel, kind: int, about: Person) -> Message:
        """A message Discord itself writes: kind 7 somebody joined, 6 something was pinned, 8 a boost."""
        return posting.post(self.world, channel, about.user, Draft(type=kind))

    async def until(self, check: Callable[[], Any], within: float = 2.0, what: str = "it") -> Any:
        """What ``check`` returns once that is true; a TimeoutError says ``what`` never came."""
        return await self.world.until(check, within, what)

    async def ready(self, sessions: int = 1, within: float = 5.0) -> None:
        """Wait until so many sessions are connected."""
        connected = lambda: len([one for one in self.gateway.sessions if one.connection]) >= sessions  # noqa: E731
        await self.world.until(connected, within, f"{sessions} connected session(s)")
