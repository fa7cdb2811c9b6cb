"""``lily restore``: bring an archived memory back; what stands in its way changes places with it."""

from __future__ import annotations

from argparse import Namespace

from bot.cli.env import Env
from bot.cli.forget import ACTOR
from bot.house import open_store, settle_index
from memory.store import gate
from memory.store.errors import NoSuchMemory


async def run(arguments: Namespace, env: Env) -> int:
    """Restore it and tell what had to leave for it; a live one stays as it is."""
    async with open_store(env.settings, env.clock) as memory:
        async with memory.database.read() as connection:
            before = await gate.one(connection, arguments.id)
        if before is None:
            raise NoSuchMemory(env.catalog.text("commands.no_such_memory", id=arguments.id))
        restored = await memory.lifecycle.restore(arguments.id, ACTOR)
    await settle_index(env.settings, env.clock, command="restore")
    after = restored.memory
    if env.out.json:
        left = [one.model_dump(mode="json") for one in restored.archived]
        env.out.row({**after.model_dump(mode="json"), "left_for_it": left})
        return 0
    key = "commands.restore.done" if before.archived else "commands.restore.already"
    env.out.say(env.catalog.text(key, text=after.text, id=after.id))
    for one in restored.archived:
        reason = env.catalog.text(f"commands.reasons.{one.archived_reason}")
        env.out.say(env.catalog.text("commands.restore.left", text=one.text, id=one.id, reason=reason))
    return 0
