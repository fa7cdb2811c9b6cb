"""What the stand-in holds: accounts, guilds, channels, messages, interactions. Plain state, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

TEXT, DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
THREADS = frozenset({PUBLIC_THREAD, PRIVATE_THREAD})

PLAIN, REPLY, SLASH_ANSWER, MENU_ANSWER = 0, 19, 20, 23

SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SILENT, SNAPSHOT, COMPONENTS_V2 = (
    1 << 2,
    1 << 6,
    1 << 7,
    1 << 12,
    1 << 14,
    1 << 15,
)

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
"""Kinds of interaction, as Discord numbers them."""


@dataclass(eq=False)
class User:
    """An account: a person's or a bot's."""

    id: int
    name: str
    global_name: str | None = None
    bot: bool = False
    locale: str = "en-US"
    takes_dms: bool = True

    @property
    def mention(self) -> str:
        """The text that mentions the account."""
        return f"<@{self.id}>"


@dataclass(eq=False)
class Role:
    """A role of a guild; the one with the guild's own id is @everyone."""

    id: int
    name: str
    permissions: int
    position: int = 0
    mentionable: bool = False

    @property
    def mention(self) -> str:
        """The text that mentions the role."""
        return f"<@&{self.id}>"


@dataclass(eq=False)
class Member:
    """An account in a guild."""

    user: User
    joined_at: datetime
    nick: str | None = None
    roles: list[int] = field(default_factory=list)


@dataclass
class Overwrite:
    """Permissions a channel gives or takes; kind 0 is a role, 1 a member."""

    kind: int
    allow: int = 0
    deny: int = 0


@dataclass(eq=False)
class Channel:
    """A place to talk: a guild's text channel, a thread in one, or a direct message."""

    id: int
    type: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    owner_id: int | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    recipients: list[User] = field(default_factory=list)
    thread_members: dict[int, datetime] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    created_at: datetime | None = None
    archived: bool = False
    locked: bool = False
    position: int = 0
    nsfw: bool = False

    @property
    def mention(self) -> str:
        """The text that links the channel."""
        return f"<#{self.id}>"


@dataclass(eq=False)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)


@dataclass(eq=False)
class Application:
    """A bot: its account, token, commands (by guild id, None for everywhere) and privileged intents."""

    id: int
    token: str
    user: User
    owner: User
    privileged: int
    commands: dict[int | None, dict[int, dict[str, Any]]] = field(default_factory=dict)
    endpoint_url: str | None = None
    requires_code_grant: bool = False


@dataclass(frozen=True)
class Reference:
    """What a reply or a forward points at."""

    channel_id: int
    message_id: int
    guild_id: int | None
    forward: bool = False


@dataclass(eq=False)
class Message:
    """A message. ``notified`` are the accounts it pings, ``ephemeral_to`` is its only reader if it has one.

    ``posted`` is when it appeared, on the world's steady clock.
    """

    id: int
    channel: Channel
    author: User
    at: datetime
    content: str = ""
    type: int = PLAIN
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    notified: set[int] = field(default_factory=set)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    components: list[dict[str, Any]] = field(default_factory=list)
    stickers: list[dict[str, Any]] = field(default_factory=list)
    reactions: dict[str, list[int]] = field(default_factory=dict)
    flags: int = 0
    reference: Reference | None = None
    referenced: Message | None = None
    forwarded: Message | None = None
    edited_at: datetime | None = None
    nonce: str | None = None
    tts: bool = False
    pinned: bool = False
    webhook_id: int | None = None
    application: Application | None = None
    metadata: dict[str, Any] | None = None
    ephemeral_to: User | None = None
    deleted: bool = False
    posted: float = 0.0

    @property
    def loading(self) -> bool:
        """Whether it still says "is thinking"."""
        return bool(self.flags & LOADING)


@dataclass(eq=False)
class Interaction:
    """A person's use of a command, button, select or form, and what the bot answered."""

    id: int
    token: str
    kind: int
    application: Application
    user: User
    channel: Channel
    data: dict[str, Any]
    created: float
    message: Message | None = None
    source: Interaction | None = None
    resolved: dict[str, Any] = field(default_factory=dict)
    acknowledged: int | None = None
    acknowledged_at: float | None = None
    original: Message | None = None
    messages: list[Message] = field(default_factory=list)
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] | None = None
    edits: int = 0
    expired: bool = False


@dataclass(frozen=True)
class Happening:
    """Something a person could see, and when (seconds of the stand-in's steady clock)."""

    kind: str
    at: float
    channel: Channel
    user: User
    message: Message | None = None
