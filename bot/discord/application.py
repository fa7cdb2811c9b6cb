"""What Discord knows of her application: how she is invited, and what is switched off that she needs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot.errors import Line

log = logging.getLogger(__name__)

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    read_message_history=True,
    attach_files=True,
    embed_links=True,
)
SCOPES = ("bot", "applications.commands")
MOST_SERVERS = 200
SECONDS = 15.0
"""How long Discord may take to tell all this."""

_TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


class WrongToken(Exception):
    """Discord knows no bot of this token."""


class NotReached(Exception):
    """Discord could not be asked; the message is a short cause."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A server where her role lacks rights she needs."""

    name: str
    rights: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Application:
    """What was found. ``lacks_content``: without it she is told of messages and not what is in them."""

    name: str
    link: str
    servers: int
    lacks_content: bool = False
    endpoint: str | None = None
    needs_code: bool = False
    lacking: tuple[Lacking, ...] = ()

    @property
    def fatal(self) -> tuple[Line, ...]:
        """What keeps her from being online at all."""
        return (Line.of("run.no_intent"),) if self.lacks_content else ()

    @property
    def problems(self) -> tuple[Line, ...]:
        """Everything that is wrong, a line each, with what to do; the fatal first."""
        lines = list(self.fatal)
        if self.endpoint is not None:
            lines.append(Line.of("run.endpoint", url=self.endpoint))
        if self.needs_code:
            lines.append(Line.of("run.needs_code"))
        for one in self.lacking:
            lines.append(Line.of("run.lacks_rights", server=one.name, rights=", ".join(one.rights)))
        return tuple(lines)


def invite_link(application_id: int) -> str:
    """Return the link that brings her to a server with the rights and commands she needs."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def application_of(info: discord.AppInfo, guilds: Sequence[Mapping[str, Any]] = ()) -> Application:
    """Return what Discord's answers say. ``guilds`` are the bot's servers as the REST API tells them."""
    flags = info.flags
    return Application(
        name=info.name,
        link=invite_link(info.id),
        servers=len(guilds) or info.approximate_guild_count,
        lacks_content=not (flags.gateway_message_content or flags.gateway_message_content_limited),
        endpoint=info.interactions_endpoint_url or None,
        needs_code=info.bot_require_code_grant,
        lacking=tuple(one for guild in guilds if (one := _lacking(guild)) is not None),
    )


async def ask_discord(token: str) -> Application:
    """Ask Discord about the application of a token, without going online.

    Raises :class:`WrongToken`, or :class:`NotReached` where there is no network or Discord is down.
    """
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with asyncio.timeout(SECONDS):
            await client.login(token)
            info = client.application or await client.application_info()
            return application_of(info, await client.http.get_guilds(MOST_SERVERS))
    except discord.LoginFailure:
        raise WrongToken from None
    except _TROUBLE as error:
        log.info("Discord could not be asked: %s", type(error).__name__)
        raise NotReached(_cause(error)) from None
    finally:
        await client.close()


def _lacking(guild: Mapping[str, Any]) -> Lacking | None:
    """Return what her role lacks on a server as a whole; single channels may still differ."""
    held = discord.Permissions(int(guild["permissions"]))
    if held.administrator:
        return None
    rights = tuple(name for name, needed in PERMISSIONS if needed and not getattr(held, name))
    return Lacking(str(guild["name"]), rights) if rights else None


def _cause(error: Exception) -> str:
    if isinstance(error, discord.HTTPException):
        return f"HTTP {error.status}"
    return getattr(error, "strerror", None) or type(error).__name__
