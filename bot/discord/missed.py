"""What was said while she was away: the newest of each conversation is answered, the rest is observed."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord
from sqlalchemy import select

from bot.discord.hearing import decide
from bot.discord.ids import CLIENT
from bot.discord.listening import Listener
from bot.discord.shards import Shards
from bot.discord.talk import Talk
from memory.erasure import last_erasure
from memory.messages import Message
from memory.places import DM
from memory.store.database import Database
from memory.store.lease import CLOCKS_DIFFER
from memory.store.schema import inbox

log = logging.getLogger(__name__)

MOST_A_CHANNEL = 100
DM_DAYS = 7
MOST_DMS = 200
"""Discord does not list open DMs: those of people who wrote lately are looked into."""

_TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Missed:
    """A message found in a channel's history, and whether she replied to it already."""

    message: Message
    said: discord.Message
    replied: bool


class CatchUp:
    """Looks through what was said in the last while. What is known in the inbox is left alone.

    Nothing from before the last erasure is looked at: of whoever was erased, nothing is known any more.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        listener: Listener,
        talk: Talk,
        window: timedelta,
        shards: Shards,
    ) -> None:
        self._client = client
        self._database = database
        self._listener = listener
        self._talk = talk
        self._window = window
        self._shards = shards

    async def run(self, now: datetime, people: Collection[str] = ()) -> int:
        """Take up what was missed; returns how many messages were found that nobody had heard.

        ``people``: in whose DMs something may be, besides those who wrote lately.
        """
        if not self._window:
            return 0
        since = now - self._window
        erased = await last_erasure(self._database)
        if erased is not None:  # what an erased person said before is in the channels still
            since = max(since, erased + CLOCKS_DIFFER)
        found: list[Missed] = []
        async for channel in self._channels(since, people):
            try:
                found.extend(await self._look(channel, since))
            except _TROUBLE as error:
                log.info("channel %s can't be looked through: %s", channel.id, type(error).__name__)
        by_conversation: dict[str, list[Missed]] = {}
        for one in sorted(found, key=lambda one: one.message.said_at):
            by_conversation.setdefault(one.message.conversation, []).append(one)
        for missed in by_conversation.values():
            await self._take(missed)
        return len(found)

    async def _take(self, missed: Sequence[Missed]) -> None:
        *earlier, newest = missed
        await self._talk.observe_missed([one.message for one in earlier])
        if newest.replied:
            await self._talk.observe_missed([newest.message])
        else:
            await self._talk.answer_missed(newest.message, newest.said)

    async def _look(self, channel: Any, since: datetime) -> list[Missed]:
        said: list[discord.Message] = []
        answered: set[int] = set()
        async for one in channel.history(after=since, limit=MOST_A_CHANNEL, oldest_first=True):
            if self._client.user is not None and one.author.id == self._client.user.id:
                if one.reference is not None and one.reference.message_id is not None:
                    answered.add(one.reference.message_id)
            elif decide(await self._listener.hear(one)).answer:
                said.append(one)
        messages = [(await self._listener.read(one), one) for one in said]
        known = await self._known([message.id for message, _ in messages])
        return [
            Missed(message, one, one.id in answered) for message, one in messages if message.id not in known
        ]

    async def _channels(self, since: datetime, people: Collection[str]) -> AsyncIterator[Any]:
        """Yield where something was said since then and where she may read it."""
        oldest = discord.utils.time_snowflake(since)
        for guild in self._client.guilds:
            channels: list[Any] = [*guild.text_channels, *guild.voice_channels, *guild.threads]
            for channel in channels:
                recent = channel.last_message_id is not None and channel.last_message_id >= oldest
                if recent and channel.permissions_for(guild.me).read_message_history:
                    yield channel
        if not self._shards.hold(DM):
            return
        known = await self._people_of_dms(since - timedelta(days=DM_DAYS))
        for user_id in dict.fromkeys([*map(int, people), *known]):
            try:
                user = self._client.get_user(user_id) or await self._client.fetch_user(user_id)
                yield user.dm_channel or await user.create_dm()
            except _TROUBLE as error:
                log.info("the DM with %d can't be opened: %s", user_id, type(error).__name__)

    async def _people_of_dms(self, since: datetime) -> list[int]:
        query = (
            select(inbox.c.user_id)
            .where(inbox.c.client == CLIENT, inbox.c.place == str(DM), inbox.c.said_at >= since)
            .distinct()
            .limit(MOST_DMS)
        )
        async with self._database.read() as connection:
            return [int(row[0]) for row in await connection.execute(query)]

    async def _known(self, ids: Sequence[str]) -> frozenset[str]:
        async with self._database.read() as connection:
            found = await connection.execute(select(inbox.c.id).where(inbox.c.id.in_(list(ids))))
            return frozenset(row[0] for row in found)
