"""People as a test plays them: what they write, what they see, what they use."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.standin import events, permissions, posting
from tests.standin.errors import Refused
from tests.standin.model import PRIVATE_THREAD, REPLY, THREADS, Application, Channel, Message, Role, User
from tests.standin.posting import Draft
from tests.standin.routes_messages import attachment, react
from tests.standin.routes_places import announce_thread
from tests.standin.uses import Use, Uses

if TYPE_CHECKING:
    from tests.standin.server import StandIn

Named = Application | Role | User
KINDS = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "txt": "text/plain; charset=utf-8",
    "pdf": "application/pdf",
}


class Person:
    """Somebody with an account. ``bot`` arguments default to the stand-in's first bot."""

    def __init__(self, discord: StandIn, user: User) -> None:
        self._discord = discord
        self._world = discord.world
        self.user = user
        self._heard: set[int] = set()
        self._read: dict[int, int] = {}
        self.uses = Uses(discord.world, user)

    @property
    def id(self) -> int:
        """The account's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    def dm_channel(self, bot: Application | None = None) -> Channel:
        """The direct message channel with a bot."""
        return self._world.direct_channel(bot or self._discord.bot, self.user)

    def takes_dms(self, yes: bool) -> None:
        """Open or close direct messages from bots."""
        self.user.takes_dms = yes

    # Writing

    def say(
        self,
        channel: Channel,
        content: str = "",
        *,
        mention: Named | Person | Sequence[Named | Person] = (),
        reply_to: Message | None = None,
        ping: bool = True,
        files: Mapping[str, bytes] | None = None,
        stickers: Iterable[str] = (),
        at: datetime | None = None,
    ) -> Message:
        """Write a message; ``mention`` puts mentions first, ``ping=False`` replies with the ping off."""
        if not permissions.can_speak(channel, self.user):
            raise Refused(f"{self.user.name} can't write in {channel.name or 'this DM'}")
        if channel.archived and channel.locked:
            raise Refused("the thread is locked")
        if len(content) > 4000:
            raise Refused("longer than anybody can write")
        named = list(mention) if isinstance(mention, Sequence) else [mention]
        targets = [one.user if isinstance(one, (Application, Person)) else one for one in named]
        text = " ".join([*(one.mention for one in targets), content]).strip()
        parts = [
            attachment(self._world, channel, name, data, kind=KINDS.get(name.rpartition(".")[2]))
            for name, data in (files or {}).items()
        ]
        if not text and not parts and not stickers:
            raise Refused("nothing to send")
        draft = Draft(
            content=text,
            type=REPLY if reply_to else 0,
            allowed={"parse": ["users", "roles", "everyone"], "replied_user": ping},
            reply_to=reply_to,
            attachments=parts,
            stickers=[{"id": str(self._world.new_id()), "name": name, "format_type": 1} for name in stickers],
            nonce=str(self._world.new_id()),
            at=at,
        )
        if channel.type in THREADS:
            channel.thread_members.setdefault(self.id, self._world.now())
        if channel.type == PRIVATE_THREAD:
            self._add_mentioned(channel, targets)
        return posting.post(self._world, channel, self.user, draft)

    def _add_mentioned(self, thread: Channel, mentioned: Iterable[User | Role]) -> None:
        """Who is mentioned in a private thread is added to it."""
        for one in mentioned:
            known = one.id in thread.thread_members
            if isinstance(one, User) and not known and permissions.may(thread, one, permissions.VIEW):
                thread.thread_members[one.id] = self._world.now()
                announce_thread(self._world, thread, self._world.bot_of(one))

    def dm(self, content: str = "", *, bot: Application | None = None, **more: Any) -> Message:
        """Write a direct message to a bot."""
        return self.say(self.dm_channel(bot), content, **more)

    def forward(self, message: Message, channel: Channel) -> Message:
        """Forward a message this person sees: the copy has no text of its own."""
        if not self.sees(message) or not permissions.can_speak(channel, self.user):
            raise Refused("nothing to forward, or not there")
        return posting.post(self._world, channel, self.user, Draft(forwarded=message))

    def edit(self, message: Message, content: str) -> None:
        """Change one's own message."""
        if message.author is not self.user:
            raise Refused("somebody else's message")
        allowed = {"parse": ["users", "roles", "everyone"], "replied_user": self.user.id in message.notified}
        posting.change(self._world, message, {"content": content, "allowed_mentions": allowed}, [])

    def delete(self, message: Message) -> None:
        """Delete one's own message (or dismiss an ephemeral one)."""
        mine = message.author is self.user or message.ephemeral_to is self.user
        if not mine and not permissions.may(message.channel, self.user, permissions.MANAGE_MESSAGES):
            raise Refused("somebody else's message")
        posting.remove(self._world, message)

    def react(self, message: Message, emoji: str, *, take_back: bool = False) -> None:
        """Put a reaction under a message."""
        react(self._world, message, self.id, emoji, take_back=take_back)

    def types(self, channel: Channel) -> None:
        """Start typing."""
        events.typing(self._world, channel, self.user)

    # Seeing

    def sees(self, message: Message) -> bool:
        """Whether the message is there for this person."""
        if message.deleted or not permissions.can_see(message.channel, self.user):
            return False
        return message.ephemeral_to is None or message.ephemeral_to is self.user

    def reads(self, channel: Channel) -> list[Message]:
        """All this person sees in a channel, oldest first."""
        return [channel.messages[key] for key in sorted(channel.messages) if self.sees(channel.messages[key])]

    async def hears(
        self,
        channel: Channel,
        *,
        after: Message | None = None,
        bot: Application | None = None,
        within: float = 2.0,
    ) -> Message:
        """The bot's next message in a channel that this person has not been given yet."""
        author = (bot or self._discord.bot).user

        def fresh() -> Message | None:
            spoken = self._world.spoken.get(channel.id, [])
            start = self._read.get(channel.id, 0)
            while start < len(spoken) and (spoken[start].deleted or spoken[start].id in self._heard):
                start += 1
            self._read[channel.id] = start
            for one in spoken[start:]:
                new = one.id not in self._heard and (after is None or one.id > after.id)
                if new and one.author is author and not one.loading and self.sees(one):
                    return one
            return None

        message = await self._world.until(fresh, within, f"a message of {author.name} to {self.user.name}")
        self._heard.add(message.id)
        return message

    async def hears_dm(self, *, bot: Application | None = None, within: float = 2.0) -> Message:
        """The bot's next direct message."""
        return await self.hears(self.dm_channel(bot), bot=bot, within=within)

    async def hears_nothing(
        self, channel: Channel, *, within: float = 0.1, bot: Application | None = None
    ) -> None:
        """Fails if the bot writes anything here that this person sees, for so many seconds."""
        try:
            message = await self.hears(channel, bot=bot, within=within)
        except TimeoutError:
            return
        raise AssertionError(f"message {message.id} came where there should be silence")

    async def sees_typing(
        self, channel: Channel, *, since: float = 0.0, bot: Application | None = None, within: float = 2.0
    ) -> float:
        """When the bot's first typing after ``since`` showed, on the world's steady clock."""
        author = (bot or self._discord.bot).user

        def typed() -> float | None:
            happened = self._world.happenings
            for one in happened[bisect_left(happened, since, key=lambda each: each.at) :]:
                if one.kind == "typing" and one.user is author and one.channel is channel:
                    return one.at
            return None

        return await self._world.until(typed, within, f"typing of {author.name}")

    # Using: see :class:`tests.standin.uses.Uses`

    def slash(self, channel: Channel, command: str, /, **options: Any) -> Use:
        """Use a slash command of the first bot: ``slash(channel, "memory list", category="hobby")``."""
        return self.uses.slash(self._discord.bot, channel, command, options)

    async def autocomplete(
        self, channel: Channel, command: str, focused: str, typed: str, /, **options: Any
    ) -> list[dict[str, Any]]:
        """The suggestions for one option while it is typed."""
        use = self.uses.typing(self._discord.bot, channel, command, focused, typed, options)
        return await use.choices()

    def menu(self, channel: Channel, name: str, target: Message | Person) -> Use:
        """Use a context menu of the first bot on a message or a person."""
        return self.uses.menu(
            self._discord.bot, channel, name, target.user if isinstance(target, Person) else target
        )

    def click(self, message: Message, button: str | None = None) -> Use:
        """Press a button, by its label, emoji or custom id; the only one if none is named."""
        return self.uses.click(message, button)

    def select(self, message: Message, values: Sequence[Any], menu: str | None = None) -> Use:
        """Choose in a select (the only one if none is named) by labels, values, people, roles, channels."""
        return self.uses.select(
            message, [one.user if isinstance(one, Person) else one for one in values], menu
        )

    def submit(self, use: Use, values: Mapping[str, Any]) -> Use:
        """Fill in the form a use has opened, by labels or custom ids, and send it."""
        return self.uses.submit(use, values)
