"""The gateway: hello, identify, resume with replay, and every way a connection goes wrong."""

from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

from aiohttp import WSMsgType, web

from tests.standin import events, shapes
from tests.standin.model import Application
from tests.standin.recorder import Frame, Recorder
from tests.standin.session import Session
from tests.standin.world import Event, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, REQUEST_MEMBERS, INVALID, HELLO, ACK = (
    0,
    1,
    2,
    6,
    7,
    8,
    9,
    10,
    11,
)
KEPT_SESSIONS = 20
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15


class Connection:
    """One websocket: frames go out in order through a queue, so that news never waits for a socket."""

    def __init__(
        self, socket: web.WebSocketResponse, request: web.Request, recorder: Recorder, world: World
    ) -> None:
        self.socket = socket
        self.session: Session | None = None
        self.closing = False
        self._request = request
        self._recorder = recorder
        self._world = world
        self._queue: asyncio.Queue[dict[str, Any] | int] = asyncio.Queue()
        self._zlib = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None

    def send(self, op: int, data: Any = None, name: str | None = None, seq: int | None = None) -> None:
        """Queue a frame."""
        self._queue.put_nowait({"op": op, "d": data, "t": name, "s": seq})

    def close(self, code: int) -> None:
        """Close once what is queued has gone out."""
        self.closing = True
        self._queue.put_nowait(code)

    def cut(self) -> None:
        """Drop the TCP connection without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def pump(self) -> None:
        """Write what is queued, for as long as the socket lives."""
        while True:
            frame = await self._queue.get()
            try:
                if isinstance(frame, int):
                    await self.socket.close(code=frame)
                    return
                self._recorder.frame(
                    Frame(self._world.steady(), True, frame["op"], frame["t"], frame["s"], frame["d"])
                )
                text = json.dumps(frame, ensure_ascii=False)
                if self._zlib is None:
                    await self.socket.send_str(text)
                else:
                    packed = self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(packed)
            except (ConnectionError, RuntimeError):
                return


class Gateway:
    """All sessions of all bots. The attributes are switches for trouble; see :mod:`tests.standin.outages`."""

    def __init__(self, world: World, recorder: Recorder) -> None:
        self.world = world
        self.recorder = recorder
        self.sessions: list[Session] = []
        self.connections: list[Connection] = []
        self.heartbeat_interval = 41.25
        self.refuse = 0
        self.invalidate_next = 0
        self.replay_extra = 0
        self.acknowledge = True
        self.twice: set[str] = set()
        self.identified = 0
        self.resumed = 0
        world.listeners.append(self.deliver)

    def deliver(self, event: Event) -> None:
        """Give an event to every session that may know of it, connected or not."""
        for session in self.sessions:
            data = session.reads(event)
            if data is not None:
                session.dispatch(event.name, data)
                if event.name in self.twice:
                    session.dispatch(event.name, data)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One connection from hello to the end."""
        if self.refuse > 0:
            self.refuse -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0, timeout=0.5)
        await socket.prepare(request)
        connection = Connection(socket, request, self.recorder, self.world)
        self.connections.append(connection)
        pump = asyncio.create_task(connection.pump())
        connection.send(
            HELLO, {"heartbeat_interval": int(self.heartbeat_interval * 1000), "_trace": ["standin"]}
        )
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._receive(connection, json.loads(message.data))
        finally:
            pump.cancel()
            await asyncio.gather(pump, return_exceptions=True)
            self.connections.remove(connection)
            session = connection.session
            if session is not None and session.connection is connection:
                session.connection = None
                if socket.close_code in {1000, 1001} and not connection.closing:
                    self.forget(session)
            self.world.change()
        return socket

    def forget(self, session: Session) -> None:
        """End a session: it can't be resumed."""
        if session in self.sessions:
            self.sessions.remove(session)

    def _receive(self, connection: Connection, frame: dict[str, Any]) -> None:
        op: int = frame["op"]
        data: Any = frame.get("d")
        self.recorder.frame(Frame(self.world.steady(), False, op, None, None, _without_token(data)))
        if op == HEARTBEAT:
            if self.acknowledge:
                connection.send(ACK)
        elif op == IDENTIFY:
            self._identify(connection, data)
        elif op == RESUME:
            self._resume(connection, data)
        elif connection.session is None:
            connection.close(4003)
        elif op == REQUEST_MEMBERS:
            for chunk in events.member_chunks(self.world, connection.session, data):
                connection.session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _identify(self, connection: Connection, data: dict[str, Any]) -> None:
        application = self.world.applications.get(data["token"])
        if application is None:
            connection.close(4004)
            return
        if data["intents"] & PRIVILEGED & ~application.privileged:
            connection.close(4014)
            return
        if self._turn_away(connection):
            return
        shard, shards = data.get("shard") or (0, 1)
        session = Session(f"{self.world.new_id():x}", application, data["intents"], shard, shards)
        self.identified += 1
        self._attach(connection, session)
        abandoned = [one for one in self.sessions if one.connection is None]
        for one in abandoned[:-KEPT_SESSIONS]:
            self.forget(one)
        self.sessions.append(session)
        self._ready(session)

    def _ready(self, session: Session) -> None:
        application: Application = session.application
        guilds = [guild for guild in self.world.guilds_of(application) if session.holds(guild)]
        ready = {
            "v": 10,
            "user": shapes.self_user(application.user),
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.world.base_url.replace("http", "ws", 1) + "/gateway",
            "application": shapes.partial_application(application),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "private_channels": [],
            "shard": [session.shard, session.shards],
        }
        session.dispatch("READY", ready)
        for guild in guilds:
            session.dispatch("GUILD_CREATE", events.guild_create(guild, session))
        self.world.change()

    def _resume(self, connection: Connection, data: dict[str, Any]) -> None:
        found = next((one for one in self.sessions if one.id == data["session_id"]), None)
        if self._turn_away(connection):
            return
        if found is None or found.application.token != data["token"]:
            connection.send(INVALID, False)
            return
        if found.connection is not None:
            found.connection.cut()
        self.resumed += 1
        self._attach(connection, found)
        found.replay(data["seq"] - self.replay_extra)
        found.dispatch("RESUMED", {"_trace": ["standin"]})
        self.world.change()

    def _turn_away(self, connection: Connection) -> bool:
        if self.invalidate_next <= 0:
            return False
        self.invalidate_next -= 1
        connection.send(INVALID, False)
        return True

    @staticmethod
    def _attach(connection: Connection, session: Session) -> None:
        connection.session = session
        session.connection = connection


def _without_token(data: Any) -> Any:
    return {key: value for key, value in data.items() if key != "token"} if isinstance(data, dict) else data
