"""From a Discord message to what the decision rests on, and to a message of the house."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress

import discord

from bot.cast import Voice
from bot.discord.hearing import Heard
from bot.discord.ids import CLIENT, message_key
from bot.discord.places import place_of
from bot.discord.servers import Servers
from bot.discord.wording import language_of, plain_text
from memory.messages import Message
from memory.people import People
from memory.places import Place

_SAID_BY_PEOPLE = frozenset({discord.MessageType.default, discord.MessageType.reply})
_THREADS_KEPT = 1000


class Listener:
    """Reads Discord messages for one bot.

    ``speaks``: who speaks in a place to a person; ``name``: what the bot is called where that is not asked.
    """

    def __init__(
        self,
        client: discord.Client,
        servers: Servers,
        people: People,
        *,
        speaks: Callable[[Place, str], Awaitable[Voice]],
        name: str,
        zone: str,
        language: str,
    ) -> None:
        self._client = client
        self._servers = servers
        self._people = people
        self._speaks = speaks
        self._name = name
        self._zone = zone
        self._language = language
        self._grew_from_hers: OrderedDict[int, bool] = OrderedDict()

    async def hear(self, said: discord.Message) -> Heard:
        """Return what the decision about a message rests on. Asks Discord only about threads, once each."""
        me = self._client.user
        channel = said.channel
        guild = said.guild
        heard = Heard(
            by_herself=me is not None and said.author.id == me.id,
            by_webhook=said.webhook_id is not None,
            by_bot=said.author.bot,
            is_system=said.type not in _SAID_BY_PEOPLE or said.author.system,
            is_empty=not (said.content.strip() or has_attached(said)),
            in_dm=isinstance(channel, discord.DMChannel),
            in_group=guild is None and not isinstance(channel, discord.DMChannel),
            mentions_everyone=said.mention_everyone,
            mentions_her=self._mentions_her(said),
            replies_to_her=await self._replies_to_her(said),
        )
        if guild is None or heard.by_bot or heard.mentions_her or heard.replies_to_her:
            return heard
        active = await self._servers.is_active(guild.id, channel.id)
        hers = isinstance(channel, discord.Thread) and await self._is_her_thread(channel)
        return Heard(
            **{
                name: getattr(heard, name)
                for name in Heard.__dataclass_fields__
                if name not in {"in_active_channel", "in_her_thread"}
            },
            in_active_channel=active,
            in_her_thread=hers,
        )

    async def read(self, said: discord.Message, revision: int = 0) -> Message:
        """Return a message as the house keeps it: the person's words, place, zone, language, and to whom."""
        person = await self._people.get(str(said.author.id))
        zone = person.zone or self._zone
        default = person.language or self._language
        place, user_id = place_of(said.channel), str(said.author.id)
        voice = await self._speaks(place, user_id)
        text = self.words(said, zone, voice.character.name_in(default))
        return Message(
            id=message_key(said.id),
            user_id=user_id,
            persona_id=voice.id,
            text=text,
            said_at=said.created_at,
            place=place,
            revision=revision,
            zone=zone,
            language=person.language or language_of(text, default),
            display_name=said.author.display_name,
            client=CLIENT,
        )

    def words(self, said: discord.Message, zone: str, her_name: str | None = None) -> str:
        """Return the words of a message as they are read: markup, mentions and timestamps resolved."""
        return plain_text(
            said.content,
            her_ids=self._her_ids(said.guild),
            her_name=her_name or self._name,
            names=_names(said),
            zone=zone,
        )

    def _her_ids(self, guild: discord.Guild | None) -> frozenset[int]:
        ids = {self._client.user.id} if self._client.user else set()
        role = guild.self_role if guild is not None else None
        return frozenset(ids | ({role.id} if role is not None else set()))

    def _mentions_her(self, said: discord.Message) -> bool:
        """Whether she is mentioned in the words themselves, by her name or her own role.

        A reply pings without a mention in its words; that is :meth:`_replies_to_her`.
        """
        ids = self._her_ids(said.guild)
        return bool(ids & {*said.raw_mentions, *said.raw_role_mentions})

    async def _replies_to_her(self, said: discord.Message) -> bool:
        reference = said.reference
        if reference is None or said.type is not discord.MessageType.reply or self._client.user is None:
            return False
        answered = reference.resolved or reference.cached_message
        if isinstance(answered, discord.DeletedReferencedMessage) or reference.message_id is None:
            return False
        if answered is None:
            with suppress(discord.HTTPException):
                answered = await said.channel.fetch_message(reference.message_id)
        return isinstance(answered, discord.Message) and answered.author.id == self._client.user.id

    async def _is_her_thread(self, thread: discord.Thread) -> bool:
        me = self._client.user
        if me is None:
            return False
        if thread.owner_id == me.id or await self._servers.is_active(thread.guild.id, thread.parent_id):
            return True
        if thread.id not in self._grew_from_hers:
            self._grew_from_hers[thread.id] = await self._starts_with_her(thread, me.id)
            if len(self._grew_from_hers) > _THREADS_KEPT:
                self._grew_from_hers.popitem(last=False)
        return self._grew_from_hers[thread.id]

    async def _starts_with_her(self, thread: discord.Thread, her_id: int) -> bool:
        """Whether a thread grew from a message of hers: such a thread has that message's id."""
        starter = thread.starter_message
        parent = thread.parent
        if starter is None and isinstance(parent, discord.TextChannel):
            with suppress(discord.HTTPException):
                starter = await parent.fetch_message(thread.id)
        return starter is not None and starter.author.id == her_id


def has_attached(said: discord.Message) -> bool:
    """Whether anything came with a message: files, stickers, forwarded messages, a poll."""
    return bool(said.attachments or said.stickers or said.message_snapshots or said.poll is not None)


def _names(said: discord.Message) -> dict[int, str]:
    names = {user.id: user.display_name for user in said.mentions}
    names |= {role.id: role.name for role in said.role_mentions}
    return names | {channel.id: channel.name for channel in said.channel_mentions}
