"""Pointing discord.py at the stand-in: in this process, or in a child that runs the bot unchanged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

if TYPE_CHECKING:
    from tests.standin.server import StandIn

API, GATEWAY = "STANDIN_DISCORD_API", "STANDIN_DISCORD_GATEWAY"
SITE = Path(__file__).parent / "site"
"""A folder whose ``sitecustomize`` reads the two variables above when a Python starts."""


@contextmanager
def redirected(discord: StandIn) -> Iterator[None]:
    """For clients of this process, while it lasts."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = discord.api, yarl.URL(discord.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


def environment(discord: StandIn, token: str | None = None) -> dict[str, str]:
    """This process's environment, with what a child needs to talk to the stand-in."""
    paths = [str(SITE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {
        API: discord.api,
        GATEWAY: discord.gateway_url,
        "PYTHONPATH": os.pathsep.join(paths),
        "DISCORD_TOKEN": token or discord.bot.token,
    }
