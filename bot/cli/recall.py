"""``lily recall``: what would be remembered for a text, and why this and not that.

It reads only, beside a running bot: every row of the person is looked at in SQL, the index is left
alone. ``--at`` may lie in the past or the future: the clock stands there.
"""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from bot.cast import chosen_on
from bot.cli.env import Env
from bot.cli.language import interface_language
from bot.cli.values import in_zone
from bot.house import open_reader
from bot.replay.runner import recalled_answer
from bot.terminal.tables import Tables
from memory.clock import SettableClock
from memory.context import render_context
from memory.messages import Message
from memory.recollection import Recollection


async def run(arguments: Namespace, env: Env) -> int:
    """Print what would be used and what became of every other candidate."""
    settings = env.settings
    clock = SettableClock(env.clock.now())
    text = " ".join(arguments.text)
    async with open_reader(settings, clock) as reader:
        person = await reader.memory.people.get(arguments.user)
        zone = person.zone or settings.persona.zone
        if arguments.at is not None:
            clock.set(in_zone(arguments.at, ZoneInfo(zone)))
        guild = arguments.place.guild
        chosen = await chosen_on(reader.memory.database, guild) if guild is not None else None
        message = Message(
            id="recall",
            user_id=arguments.user,
            persona_id=chosen or settings.persona.character,
            text=text,
            said_at=clock.now(),
            place=arguments.place,
            zone=zone,
            language=person.language or settings.persona.language,
            client="recall",
        )
        query = await reader.memory.embedder.embed_query(text)
        recollection = await reader.recall.recall(message, query)
        context = render_context(recollection, reader.memory.policy)
    if env.out.json:
        env.out.row(_answer(recollection, context))
    else:
        _show(recollection, context, env)
    return 0


def _answer(recollection: Recollection, context: str) -> dict[str, Any]:
    return {
        "at": recollection.now,
        "place": str(recollection.place),
        "recalled": [recalled_answer(one) for one in recollection.memories],
        "profile": [{"id": one.id, "text": one.text} for one in recollection.profile],
        "due": [recalled_answer(one) for one in recollection.due],
        "audit": [asdict(line) for line in recollection.audit],
        "context": context,
    }


def _show(recollection: Recollection, context: str, env: Env) -> None:
    tables = Tables(env.catalog, interface_language(env.environ), recollection.now, recollection.zone)
    if recollection.audit:
        env.out.table(*tables.choices(recollection))
    else:
        env.out.say(env.catalog.text("commands.recall.nothing"))
    if recollection.due:
        env.out.table(*tables.recalled(recollection.due), title=env.catalog.text("commands.recall.due"))
    env.out.say(env.catalog.text("commands.recall.context"))
    env.out.say(context)
