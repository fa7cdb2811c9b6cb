"""``lily erase``: remove everything kept about a person for good, and prove it."""

from __future__ import annotations

from argparse import Namespace

from bot.cli.env import Env
from bot.errors import UsageError
from bot.house import open_memory_alone


async def run(arguments: Namespace, env: Env) -> int:
    """Erase, search for what was there, and tell what was removed. Holds the folder meanwhile."""
    if arguments.confirm != arguments.user:
        raise UsageError.of("commands.not_confirmed", user=arguments.user, confirm=arguments.confirm)
    async with open_memory_alone(env.settings, env.clock, command="erase", check_embedder=False) as memory:
        erased = await memory.eraser.erase(arguments.user)
    if env.out.json:
        env.out.row(
            {
                "user_id": arguments.user,
                "removed": erased.removed,
                "traces": erased.traces,
                "files": erased.files,
                "verified": True,
            }
        )
        return 0
    columns = env.catalog.get("commands.tables.erased.columns")
    env.out.table(
        columns, [(env.catalog.text(f"commands.erase.what.{k}"), v) for k, v in erased.removed.items()]
    )
    env.out.say(
        env.catalog.text(
            "commands.erase.verified", user=arguments.user, traces=erased.traces, files=erased.files
        )
    )
    return 0
