"""``lily forget``: take one memory out of use, reversibly."""

from __future__ import annotations

from argparse import Namespace

from bot.cli.env import Env
from bot.house import open_store, settle_index
from memory.store import gate
from memory.store.errors import NoSuchMemory

ACTOR = "host:command line"


async def run(arguments: Namespace, env: Env) -> int:
    """Archive it as forgotten; an archived one stays as it is."""
    async with open_store(env.settings, env.clock) as memory:
        async with memory.database.read() as connection:
            before = await gate.one(connection, arguments.id)
        if before is None:
            raise NoSuchMemory(env.catalog.text("commands.no_such_memory", id=arguments.id))
        after = await memory.lifecycle.forget(arguments.id, ACTOR)
    await settle_index(env.settings, env.clock, command="forget")
    if env.out.json:
        env.out.row(after.model_dump(mode="json"))
    else:
        key = "commands.forget.already" if before.archived else "commands.forget.done"
        env.out.say(env.catalog.text(key, text=after.text, id=after.id))
    return 0
