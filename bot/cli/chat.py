"""``lily chat``: talk with her in the terminal."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace

from bot.cli.env import Env
from bot.cli.language import interface_language
from bot.house import open_house
from bot.terminal.chat import LOCAL_USER, Chat
from bot.terminal.orders import Orders
from bot.terminal.reading import Typed
from bot.terminal.screen import Screen
from memory.catalog import DEFAULT_LANGUAGE
from memory.clock import OffsetClock


async def run(arguments: Namespace, env: Env) -> int:
    """Chat until the person leaves; leaving in whatever way is no failure.

    Where neither the person nor the host has chosen a language, it is that of the terminal.
    """
    settings = env.settings
    clock = OffsetClock(env.clock)
    catalog = env.catalog
    async with open_house(settings, clock, command="chat") as house:
        person = await house.memory.people.get(LOCAL_USER)
        zone = person.zone or settings.persona.zone
        spoken = interface_language(env.environ)
        language = spoken if settings.persona.language == DEFAULT_LANGUAGE else settings.persona.language
        screen = Screen(env.out, house.character, person.language or language)
        orders = Orders(
            house,
            clock,
            screen,
            catalog,
            user_id=LOCAL_USER,
            zone=zone,
            language=spoken,
        )
        chosen = person.language
        chat = Chat(house, clock, screen, catalog, orders, zone=zone, language=language, chosen=chosen)
        try:
            await chat.open()
            await chat.talk(Typed(sys.stdin, catalog.text("terminal.chat.prompt"), await chat.earlier()))
        except asyncio.CancelledError:
            await chat.interrupted()
    return 0
