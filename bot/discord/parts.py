"""What she is made of on Discord, as her commands are given it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.discord.budget import Budget
from bot.discord.delivery import Delivery
from bot.discord.gateway import LilyClient, ShardedLilyClient
from bot.discord.learned import Learned
from bot.discord.listening import Listener
from bot.discord.meter import Meter
from bot.discord.servers import Servers
from bot.discord.talk import Talk
from bot.house import House


@dataclass(frozen=True, slots=True)
class Parts:
    """The open house and everything that talks to Discord for it."""

    house: House
    client: LilyClient | ShardedLilyClient
    servers: Servers
    listener: Listener
    delivery: Delivery
    learned: Learned
    talk: Talk
    budget: Budget
    meter: Meter
