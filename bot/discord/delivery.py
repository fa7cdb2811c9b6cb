"""Where her replies go: in order, once, whatever Discord answers; and looked for after a crash."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import aiohttp
import discord

from bot.discord.ids import snowflake
from bot.discord.splitting import split
from memory.inbox import Inbox
from memory.messages import Message

log = logging.getLogger(__name__)

PAUSES = (1.0, 2.0, 4.0, 8.0)
"""Seconds before each new try at sending; a nonce keeps a try that did arrive from being doubled."""

_LOOKED_THROUGH = 200
_KEPT = 2000
_NO_HISTORY = 160002  # a reply needs the right to read the message history
_SILENT = discord.AllowedMentions.none()


class Undeliverable(Exception):
    """Nothing can be said there: no permission, no channel, a closed DM. ``code`` is Discord's."""

    def __init__(self, code: int) -> None:
        super().__init__(f"Discord refused with {code}")
        self.code = code


class Delivery:
    """Says replies on Discord. Everything is addressed by id, so it works before a gateway is up."""

    def __init__(
        self,
        client: discord.Client,
        inbox: Inbox,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._inbox = inbox
        self._sleep = sleep
        self._said: OrderedDict[str, str] = OrderedDict()

    def has_said(self, message: Message) -> bool:
        """Whether this process has said something in answer to a message lately: known without asking."""
        return message.id in self._said

    def forget(self, user_id: str) -> None:
        """Drop what is kept here about a person."""
        for key in [key for key, whose in self._said.items() if whose == user_id]:
            del self._said[key]

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Say a reply, in parts where it is long. :class:`Undeliverable` where it can not be said."""
        await self._say(message, list(enumerate(parts_of(reply))))

    async def add(self, message: Message, text: str, mark: str, view: discord.ui.View | None = None) -> None:
        """Say something of the house's own after a reply; ``mark`` tells it from the reply's parts."""
        target = await self.target(message)
        await self._send(target, text, f"{snowflake(message)}-{mark}", None, view)

    async def has_replied(self, message: Message) -> bool:
        """Look for her reply to a message; what a crash kept her from saying of it is said now."""
        target = await self.target(message)
        after = discord.Object(snowflake(message))
        hers: list[str] = []
        found = False
        with suppress(discord.NotFound, discord.Forbidden):
            async for sent in target.history(after=after, limit=_LOOKED_THROUGH, oldest_first=True):
                if self._client.user is None or sent.author.id != self._client.user.id:
                    continue
                answers = sent.reference is not None and sent.reference.message_id == after.id
                found = found or answers
                if found:
                    hers.append(sent.content.strip())
        entry = await self._inbox.get(message.id)
        if found and entry is not None and entry.reply:
            parts = enumerate(parts_of(entry.reply))
            await self._say(message, [(n, part) for n, part in parts if part.strip() not in hers])
        return found

    async def target(self, message: Message) -> Any:
        """Return where a message came from, as something that sends. :class:`Undeliverable`."""
        place = message.place
        if place.channel is not None:
            guild = int(place.guild) if place.guild else None
            return self._client.get_partial_messageable(int(place.channel), guild_id=guild)
        number = int(message.user_id)
        try:
            user = self._client.get_user(number) or await self._client.fetch_user(number)
            return user.dm_channel or await user.create_dm()
        except (discord.NotFound, discord.Forbidden) as error:
            raise Undeliverable(error.code) from error

    async def _say(self, message: Message, parts: Sequence[tuple[int, str]]) -> None:
        target = await self.target(message)
        number = snowflake(message)
        for index, part in parts:
            reference = None
            if index == 0:
                reference = discord.MessageReference(
                    message_id=number, channel_id=target.id, fail_if_not_exists=False
                )
            await self._send(target, part, f"{number}-{index}", reference)
            self._said[message.id] = message.user_id
            if len(self._said) > _KEPT:
                self._said.popitem(last=False)

    async def _send(
        self,
        target: Any,
        text: str,
        nonce: str,
        reference: discord.MessageReference | None,
        view: discord.ui.View | None = None,
    ) -> None:
        more: dict[str, Any] = {} if view is None else {"view": view}
        for pause in (*PAUSES, None):
            if reference is not None:
                more["reference"] = reference
            try:
                await target.send(text, nonce=nonce, allowed_mentions=_SILENT, **more)
            except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as error:
                if isinstance(error, discord.HTTPException) and error.code == _NO_HISTORY:
                    reference = more.pop("reference", None) and None
                    continue
                if not _passes(error):
                    raise Undeliverable(getattr(error, "code", 0)) from error
                if pause is None:
                    raise
                log.info("sending %s failed (%s), tried again", nonce, type(error).__name__)
                await self._sleep(pause)
            else:
                return


class Settling:
    """The same for what an earlier run left: where nothing can be said any more, the matter is closed."""

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Say a reply, if it still can be said."""
        try:
            await self._delivery.deliver(message, reply)
        except Undeliverable as error:
            log.warning("message %s can't be answered any more: code %d", message.id, error.code)

    async def has_replied(self, message: Message) -> bool:
        """Look for her reply; where nothing can be said there is nothing left to answer."""
        try:
            return await self._delivery.has_replied(message)
        except Undeliverable:
            return True


def parts_of(reply: Sequence[str]) -> list[str]:
    """Return a reply as the messages it is sent in; a message of blanks alone can't be sent."""
    return [part.shown for text in reply for part in split(text) if part.shown.strip()]


def _passes(error: Exception) -> bool:
    """Whether a failure may pass by itself: the server's trouble or the network's, not a refusal."""
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status >= 500 or error.status == 429
