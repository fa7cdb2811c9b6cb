"""A gateway session: what one shard of a bot is told, numbered and kept for a resume."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.standin.model import DM, Application, Guild
from tests.standin.permissions import can_see
from tests.standin.world import Event

GUILDS, MEMBERS, CONTENT = 1 << 0, 1 << 1, 1 << 15
INTENTS = {
    "GUILD_CREATE": (GUILDS, 0),
    "GUILD_DELETE": (GUILDS, 0),
    "GUILD_ROLE_CREATE": (GUILDS, 0),
    "GUILD_ROLE_UPDATE": (GUILDS, 0),
    "CHANNEL_CREATE": (GUILDS, 0),
    "CHANNEL_UPDATE": (GUILDS, 0),
    "CHANNEL_DELETE": (GUILDS, 0),
    "THREAD_CREATE": (GUILDS, 0),
    "THREAD_UPDATE": (GUILDS, 0),
    "THREAD_DELETE": (GUILDS, 0),
    "THREAD_LIST_SYNC": (GUILDS, 0),
    "GUILD_MEMBER_ADD": (MEMBERS, 0),
    "GUILD_MEMBER_UPDATE": (MEMBERS, 0),
    "GUILD_MEMBER_REMOVE": (MEMBERS, 0),
    "MESSAGE_CREATE": (1 << 9, 1 << 12),
    "MESSAGE_UPDATE": (1 << 9, 1 << 12),
    "MESSAGE_DELETE": (1 << 9, 1 << 12),
    "MESSAGE_REACTION_ADD": (1 << 10, 1 << 13),
    "MESSAGE_REACTION_REMOVE": (1 << 10, 1 << 13),
    "TYPING_START": (1 << 11, 1 << 14),
}
"""The intent each event wants, on a guild and in a direct message; events not listed need none."""

ALWAYS_SEEN = frozenset({"CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE"})


class Wire(Protocol):
    """Where a session's frames go."""

    def send(self, op: int, data: Any = None, name: str | None = None, seq: int | None = None) -> None:
        """Queue a frame."""

    def cut(self) -> None:
        """Drop the connection."""

    def close(self, code: int) -> None:
        """Close the connection in order."""


@dataclass(eq=False)
class Session:
    """One shard's session. ``kept`` is the replay buffer, the newest 5000 events."""

    id: str
    application: Application
    intents: int
    shard: int
    shards: int
    seq: int = 0
    kept: list[tuple[int, str, Any]] = field(default_factory=list)
    connection: Wire | None = None

    def holds(self, guild: Guild) -> bool:
        """Whether the guild belongs to this shard."""
        return (guild.id >> 22) % self.shards == self.shard

    def reads(self, event: Event) -> dict[str, Any] | None:
        """The event as this session is told it, or None if it isn't."""
        if event.only is not None and event.only is not self.application:
            return None
        if event.guild is not None:
            if self.application.user.id not in event.guild.members or not self.holds(event.guild):
                return None
        elif self.shard != 0:
            return None
        wanted = INTENTS.get(event.name)
        direct = event.channel is not None and event.channel.type == DM
        mine = event.about is self.application.user
        if wanted is not None and not mine and not self.intents & wanted[1 if direct else 0]:
            return None
        guarded = event.channel is not None and event.only is None and event.name not in ALWAYS_SEEN
        if guarded and event.channel is not None and not can_see(event.channel, self.application.user):
            return None
        return event.build(self.application, self.intents)

    def dispatch(self, name: str, data: Any) -> None:
        """Number an event, keep it, and send it if there is a connection."""
        self.seq += 1
        if name != "RESUMED":
            self.kept.append((self.seq, name, data))
            del self.kept[:-5000]
        if self.connection is not None:
            self.connection.send(0, data, name, self.seq)

    def replay(self, seq: int) -> None:
        """Send again everything after ``seq``."""
        for number, name, data in self.kept:
            if number > seq and self.connection is not None and name != "READY":
                self.connection.send(0, data, name, number)
