"""Staying connected: a start loop around a client that gives up on its first failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, repeat
from typing import Any, Protocol

import aiohttp
import discord

from bot.discord.buttons import Presser, is_readable
from bot.errors import UserError
from bot.settings.sections import DiscordSettings

log = logging.getLogger(__name__)

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""Seconds between tries to connect; the last one goes on."""

LIVED = 60.0
"""Seconds after which a connection counts as one that worked: the pauses begin anew."""

_SESSION = frozenset({"READY", "RESUMED"})
"""Events a connection is of no use without: where one can't be read, it is begun anew."""

_BAD_TOKEN = 4004
_TROUBLE = (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError, TimeoutError)


class Ears(Protocol):
    """What listens to a client."""

    async def ready(self) -> None:
        """Take notice of a new session."""
        ...

    async def said(self, message: discord.Message) -> None:
        """Take notice of a message."""
        ...

    async def edited(self, event: discord.RawMessageUpdateEvent) -> None:
        """Take notice of an edit."""
        ...

    async def typing(self, event: discord.RawTypingEvent) -> None:
        """Take notice that somebody types."""
        ...

    async def deleted(self, event: discord.RawMessageDeleteEvent) -> None:
        """Take notice of a deletion."""
        ...

    async def joined(self, guild: discord.Guild) -> None:
        """Take notice of a new server."""
        ...


class _Listening:
    """What the single and the sharded client have in common."""

    ears: Ears
    presser: Presser

    async def on_ready(self) -> None:
        """Take notice of a new session."""
        await self.ears.ready()

    async def on_message(self, message: discord.Message) -> None:
        """Hear a message."""
        await self.ears.said(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """Hear an edit."""
        await self.ears.edited(event)

    async def on_raw_typing(self, event: discord.RawTypingEvent) -> None:
        """Take notice that somebody types."""
        await self.ears.typing(event)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """Hear a deletion."""
        await self.ears.deleted(event)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Hear of an invitation to a server."""
        await self.ears.joined(guild)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take in what the library drops: forms of another run, buttons of another make."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.presser.submit(interaction)
        elif interaction.type is discord.InteractionType.component and not is_readable(interaction):
            await self.presser.unread(interaction)


class LilyClient(_Listening, discord.Client):
    """One connection."""


class ShardedLilyClient(_Listening, discord.AutoShardedClient):
    """Several connections."""


def build_client(settings: DiscordSettings, **options: Any) -> LilyClient | ShardedLilyClient:
    """Return a client that hears messages and mentions nobody. ``options`` go to discord.py."""
    intents = discord.Intents.none()
    intents.guilds = intents.messages = intents.message_content = intents.typing = True
    shared: dict[str, Any] = {
        "intents": intents,
        "allowed_mentions": discord.AllowedMentions.none(),
        "max_messages": 2000,
        "member_cache_flags": discord.MemberCacheFlags.none(),
        "chunk_guilds_at_startup": False,
        **options,
    }
    if settings.shard_ids and settings.shard_count != 1:
        shared["shard_ids"] = list(settings.shard_ids)
    client = (
        LilyClient(**shared)
        if settings.shard_count == 1
        else ShardedLilyClient(shard_count=settings.shard_count, **shared)
    )
    parsers = client._connection.parsers
    parsers |= {name: partial(_read, name, parse) for name, parse in parsers.items() if name not in _SESSION}
    return client


def _read(name: str, parse: Callable[[Any], None], data: Any) -> None:
    """Read an event; the library would end the connection over one in a shape it doesn't know."""
    try:
        parse(data)
    except Exception:
        log.exception("an event %s could not be read", name)


async def stay_connected(
    client: discord.Client,
    token: str,
    prepare: Callable[[], Awaitable[None]],
    on_trouble: Callable[[], None] = lambda: None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Log in and listen until cancelled or closed, come what may.

    ``prepare`` runs after each login, ``on_trouble`` before each pause.

    Raises :class:`bot.errors.UserError` where trying again is of no use: a wrong token, a missing intent.
    """
    loop = asyncio.get_running_loop()
    pauses = _pauses()
    logged_in = False
    while True:
        begun = loop.time()
        try:
            if not logged_in:
                await client.login(token)
                logged_in = True
                await prepare()
            await client.connect()
            if client.is_closed():
                return
        except UserError:
            raise
        except discord.LoginFailure:
            raise UserError.of("run.bad_token") from None
        except discord.PrivilegedIntentsRequired:
            raise UserError.of("run.no_intent") from None
        except discord.ConnectionClosed as error:
            if error.code == _BAD_TOKEN:
                raise UserError.of("run.bad_token") from None
            log.warning("the gateway closed the connection with code %s", error.code)
        except _TROUBLE as error:
            log.warning("Discord can't be reached: %s", type(error).__name__)
        except Exception:
            # the library dies of a gateway that fails at first, and of a frame it can't read
            log.exception("the connection to Discord broke")
        if loop.time() - begun > LIVED:
            pauses = _pauses()
        await _hang_up(client)
        if client.is_closed() or not logged_in:
            await client.http.close()
            client.http.connector = discord.utils.MISSING  # a closed one would be used again
            client.clear()
            logged_in = False
        on_trouble()
        await sleep(next(pauses))


def _pauses() -> Iterator[float]:
    return chain(PAUSES, repeat(PAUSES[-1]))


async def _hang_up(client: discord.Client) -> None:
    """Close what is left of a connection, its heartbeat with it."""
    websocket = getattr(client, "ws", None)
    if websocket is not None and websocket.open:
        with suppress(*_TROUBLE, asyncio.CancelledError):
            await websocket.close(code=4000)
