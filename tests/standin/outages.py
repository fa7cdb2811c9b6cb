"""Trouble on demand for the gateway."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.standin import events
from tests.standin.gateway import INVALID, RECONNECT, Connection, Gateway
from tests.standin.model import Application, Guild
from tests.standin.world import Event


class Outages:
    """What can go wrong with the connections of one bot, or of all of them."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def _open(self, application: Application | None) -> Iterator[Connection]:
        for one in list(self._gateway.connections):
            if one.session is not None and application in (None, one.session.application):
                yield one

    def cut(self, application: Application | None = None) -> None:
        """Drop the TCP connection; the session lives on and collects what the bot misses."""
        for one in self._open(application):
            if one.session is not None:
                one.session.connection = None
            one.cut()

    def close(self, code: int, application: Application | None = None) -> None:
        """Close with a code; 4007, 4009 and the fatal ones end the session too."""
        for one in self._open(application):
            if one.session is not None and (code in {4007, 4009, 4004} or code >= 4010):
                self._gateway.forget(one.session)
            one.close(code)

    def ask_to_reconnect(self, application: Application | None = None) -> None:
        """Op 7."""
        for one in self._open(application):
            one.send(RECONNECT)

    def invalidate(self, application: Application | None = None, *, resumable: bool = False) -> None:
        """Op 9; unless ``resumable`` the session is gone."""
        for one in self._open(application):
            if one.session is not None and not resumable:
                self._gateway.forget(one.session)
            one.send(INVALID, resumable)

    def invalidate_next(self, times: int = 1) -> None:
        """Answer the next IDENTIFY or RESUME with INVALID_SESSION."""
        self._gateway.invalidate_next = times

    def refuse(self, times: int = 1) -> None:
        """Answer the next websocket handshakes with 503."""
        self._gateway.refuse = times

    def replay_extra(self, events: int) -> None:
        """At every resume, replay also so many events the bot has already had."""
        self._gateway.replay_extra = events

    def duplicate(self, *names: str) -> None:
        """Deliver events of these names twice from now on; none, to stop."""
        self._gateway.twice = set(names)

    def stop_acknowledging(self) -> None:
        """Leave heartbeats without an answer."""
        self._gateway.acknowledge = False

    def inject(self, name: str, data: Any, application: Application | None = None) -> None:
        """Dispatch an event as it stands, whether it makes sense or not."""
        for session in self._gateway.sessions:
            if application in (None, session.application):
                session.dispatch(name, data)

    def lose(self, guild: Guild) -> None:
        """A server becomes unavailable for a while."""
        shape = {"id": str(guild.id), "unavailable": True}
        self._gateway.world.emit(Event("GUILD_DELETE", lambda _a, _i: shape, guild))

    def find(self, guild: Guild) -> None:
        """It is back."""

        def build(app: Application, intents: int) -> dict[str, Any]:
            return events.guild_for(guild, app.user, intents) | {"unavailable": False}

        self._gateway.world.emit(Event("GUILD_CREATE", build, guild))

    def malformed(self, application: Application | None = None) -> None:
        """A MESSAGE_CREATE without the fields a client needs."""
        self.inject("MESSAGE_CREATE", {"id": "1", "channel_id": "1", "content": "?"}, application)
