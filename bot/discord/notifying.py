"""How a follow-up is said on Discord: in its place, to its person, at most once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import aiohttp
import discord

from bot.discord.splitting import split
from scheduler.notifier import Delivered, Delivery, Letter, NotDelivered, Undeliverable

_LOOKED_THROUGH = 200
# Discord stamps messages by its own clock: one said just now may be older than the house's "now".
_CLOCKS_DIFFER = timedelta(minutes=10)
_TOO_MANY = 429


class DiscordNotifier:
    """Says follow-ups. In a channel they are addressed to their person, and nobody else is pinged.

    ``online``: whether anything can be said now; without it, once the gateway is up.
    """

    def __init__(self, client: discord.Client, online: Callable[[], bool] | None = None) -> None:
        self._client = client
        self._online = online or client.is_ready

    async def deliver(self, letter: Letter) -> Delivery:
        """Say it; see :class:`scheduler.notifier.Notifier` for what is raised.

        A server's error leaves open whether it was said; being told to wait, or no connection at
        all, does not.
        """
        if not self._online():
            raise NotDelivered("not online")
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(int(letter.user_id))]
        )
        try:
            target = await self._target(letter)
            for number, part in enumerate(_parts(letter)):
                nonce = letter.nonce if number == 0 else f"{letter.nonce[:20]}-{number}"
                await target.send(part, nonce=nonce, allowed_mentions=mentions)
        except discord.HTTPException as error:
            if error.status == _TOO_MANY:
                raise NotDelivered("told to wait") from error
            if error.status >= 500:
                raise
            return Undeliverable(str(error.code))
        except aiohttp.ClientConnectorError as error:
            raise NotDelivered("no connection") from error
        return Delivered()

    async def find(self, letter: Letter) -> bool:
        """Whether her own history since it was prepared holds it."""
        target = await self._target(letter)
        wanted = _parts(letter)[0].strip()
        since = letter.prepared_at - _CLOCKS_DIFFER
        history = target.history(after=since, limit=_LOOKED_THROUGH, oldest_first=True)
        async for sent in history:
            hers = self._client.user is not None and sent.author.id == self._client.user.id
            if hers and sent.content.strip() == wanted:
                return True
        return False

    async def _target(self, letter: Letter) -> Any:
        place, number = letter.place, int(letter.user_id)
        if place.channel is not None:
            guild = int(place.guild) if place.guild else None
            return self._client.get_partial_messageable(int(place.channel), guild_id=guild)
        user = self._client.get_user(number) or await self._client.fetch_user(number)
        return user.dm_channel or await user.create_dm()


def _parts(letter: Letter) -> list[str]:
    text = letter.text if letter.place.is_dm else f"<@{letter.user_id}> {letter.text}"
    return [part.shown for part in split(text)]
