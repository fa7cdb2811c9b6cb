"""``lily memories``: what she remembers about a person, now or on an earlier day."""

from __future__ import annotations

from argparse import Namespace
from zoneinfo import ZoneInfo

from bot.cli.env import Env
from bot.cli.language import interface_language
from bot.cli.values import in_zone
from bot.house import open_store
from bot.terminal.tables import WHOLE, Tables
from memory.store import gate

_ARCHIVED = {"live": False, "archived": True, "all": None}


async def run(arguments: Namespace, env: Env) -> int:
    """List them, newest first; finding none is no failure."""
    settings = env.settings
    archived = _ARCHIVED[arguments.state]
    now = env.clock.now()
    async with open_store(settings, env.clock) as memory:
        person = await memory.people.get(arguments.user)
        zone = person.zone or settings.persona.zone
        async with memory.database.read() as connection:
            if arguments.as_of is not None:
                now = in_zone(arguments.as_of, ZoneInfo(zone))
                found = await gate.as_of(connection, arguments.user, now, archived=archived)
            else:
                found = await gate.owned(connection, arguments.user, archived=archived)
    found = gate.newest_first(found)
    if env.out.json:
        for one in found:
            env.out.row(one.model_dump(mode="json"))
    elif not found:
        env.out.say(env.catalog.text("commands.memories.none", user=arguments.user))
    else:
        tables = Tables(env.catalog, interface_language(env.environ), now, zone)
        env.out.table(*tables.memories(found), whole=WHOLE)
    return 0
