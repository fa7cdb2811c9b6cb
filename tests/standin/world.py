"""The state of the stand-in and its news: ids, lookups, events for bots, happenings for people."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from memory.clock import SystemClock
from tests.standin import permissions, shapes
from tests.standin.errors import missing_access, unknown_channel
from tests.standin.model import (
    DM,
    Application,
    Channel,
    Guild,
    Happening,
    Interaction,
    Message,
    User,
)

T = TypeVar("T")
POLL = 0.01
Build = Callable[[Application, int], dict[str, Any] | None]


@dataclass(frozen=True)
class Event:
    """A gateway event not yet written: ``build`` gets a bot and its intents, None keeps it from that bot.

    ``only`` one bot is told; one that the event is ``about`` is told whatever its intents.
    """

    name: str
    build: Build
    guild: Guild | None = None
    channel: Channel | None = None
    only: Application | None = None
    about: User | None = None


class World:
    """Everything there is. ``now`` is the wall clock that dates ids and messages."""

    def __init__(self, now: Callable[[], datetime] | None = None) -> None:
        self.now = now or (lambda: SystemClock().now())
        self.base_url = ""
        self.users: dict[int, User] = {}
        self.applications: dict[str, Application] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.spoken: dict[int, list[Message]] = {}
        self.parted: set[tuple[int, int]] = set()
        self.files: dict[str, bytes] = {}
        self.happenings: list[Happening] = []
        self.listeners: list[Callable[[Event], None]] = []
        self.ack_window = 3.0
        self.attachment_size_limit = 10 * 1024 * 1024
        self.recommended_shards = 1
        self._counter = itertools.count(1)
        self._waiting: set[asyncio.Future[None]] = set()

    def new_id(self, at: datetime | None = None) -> int:
        """A snowflake: later calls give larger ids for the same or a later time."""
        milliseconds = int((at or self.now()).timestamp() * 1000) - shapes.EPOCH_MS
        return (milliseconds << 22) | (next(self._counter) & 0x3FFFFF)

    @staticmethod
    def steady() -> float:
        """Seconds of a clock that never jumps; happenings and interaction windows are timed by it."""
        return time.perf_counter()

    # News

    def emit(self, event: Event) -> None:
        """Tell the bots."""
        for listener in self.listeners:
            listener(event)
        self.change()

    def happen(self, kind: str, channel: Channel, user: User, message: Message | None = None) -> None:
        """Tell the people."""
        self.happenings.append(Happening(kind, self.steady(), channel, user, message))
        self.change()

    def change(self) -> None:
        """Wake everybody who waits for something."""
        for one in self._waiting:
            _wake(one)

    async def _next_change(self) -> None:
        loop = asyncio.get_running_loop()
        change: asyncio.Future[None] = loop.create_future()
        self._waiting.add(change)
        poll = loop.call_later(POLL, _wake, change)
        try:
            await change
        finally:
            poll.cancel()
            self._waiting.discard(change)

    async def until(self, check: Callable[[], T | None], within: float = 2.0, what: str = "it") -> T:
        """What ``check`` returns once that is true; a TimeoutError says ``what`` never came.

        It is asked at every change here, and a hundred times a second for what changes elsewhere.
        """
        try:
            async with asyncio.timeout(within):
                while True:
                    found = check()
                    if found:
                        return found
                    await self._next_change()
        except TimeoutError:
            raise TimeoutError(f"{what} did not happen within {within} s") from None

    # Lookups a bot makes

    def seen_channel(self, channel_id: int, application: Application) -> Channel:
        """The channel, or the refusal a bot gets that doesn't know or doesn't see it."""
        channel = self.channels.get(channel_id)
        if channel is None:
            raise unknown_channel()
        if not permissions.can_see(channel, application.user):
            raise missing_access()
        return channel

    def guilds_of(self, application: Application) -> list[Guild]:
        """The servers the bot is on."""
        return [guild for guild in self.guilds.values() if application.user.id in guild.members]

    def direct_channel(self, application: Application, user: User) -> Channel:
        """The direct message channel of a bot and a person, made when first needed."""
        for channel in self.channels.values():
            if channel.type == DM and {one.id for one in channel.recipients} == {
                application.user.id,
                user.id,
            }:
                return channel
        channel = Channel(self.new_id(), DM, recipients=[application.user, user])
        self.channels[channel.id] = channel
        return channel

    def takes_dms(self, user: User, application: Application) -> bool:
        """Whether a bot may write to a person: not if they closed it, nor once no server is shared."""
        together = any(user.id in guild.members for guild in self.guilds_of(application))
        return user.takes_dms and (together or (user.id, application.id) not in self.parted)

    def bot_of(self, user: User) -> Application | None:
        """The application whose account this is."""
        return next((one for one in self.applications.values() if one.user is user), None)


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
