"""A stand-in Discord on a local port for the real discord.py: people to play, trouble to make.

>>> async with StandIn() as discord, ...:
...     ming = discord.person("ming")
...     server = discord.server("Harbour", [ming])
...     with redirected(discord):
...         ...                                  # start a discord.py client with discord.bot.token
...         ming.say(server.general, "hi", mention=discord.bot)
...         reply = await ming.hears(server.general)
"""

from __future__ import annotations

from tests.standin.errors import Refused, Unanswered
from tests.standin.model import Channel, Message, Role
from tests.standin.people import Person
from tests.standin.places import Server
from tests.standin.published import Published
from tests.standin.redirect import environment, redirected
from tests.standin.server import StandIn
from tests.standin.uses import Use

__all__ = [
    "Channel",
    "Message",
    "Person",
    "Published",
    "Refused",
    "Role",
    "Server",
    "StandIn",
    "Unanswered",
    "Use",
    "environment",
    "redirected",
]
