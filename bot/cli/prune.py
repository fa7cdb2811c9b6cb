"""``lily prune``: what expiry and the cap would archive; ``--apply`` archives it."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter

from bot.cli.env import Env
from bot.cli.forget import ACTOR
from bot.cli.language import interface_language
from bot.house import open_store, settle_index
from bot.terminal.tables import WHOLE, Tables


async def run(arguments: Namespace, env: Env) -> int:
    """Show the plan, by reason and row by row; with ``--apply`` carry it out."""
    settings = env.settings
    async with open_store(settings, env.clock) as memory:
        plan = await memory.lifecycle.prune_plan(arguments.user)
        done = await memory.lifecycle.prune(plan, ACTOR) if arguments.apply else ()
    if done:
        await settle_index(settings, env.clock, command="prune")
    gone = {one.id for one in done}
    if env.out.json:
        for one, reason in plan:
            env.out.row(
                {
                    "id": one.id,
                    "user_id": one.user_id,
                    "text": one.text,
                    "category": one.category,
                    "reason": reason,
                    "archived": one.id in gone,
                }
            )
        return 0
    if not plan:
        env.out.say(env.catalog.text("commands.prune.nothing"))
        return 0
    tables = Tables(env.catalog, interface_language(env.environ), env.clock.now(), settings.persona.zone)
    columns, rows = tables.memories([one for one, _ in plan])
    env.out.table(columns, rows, whole=WHOLE)
    for reason, count in sorted(Counter(reason for _, reason in plan).items()):
        named = env.catalog.text(f"commands.reasons.{reason}")
        env.out.say(env.catalog.text("commands.prune.count", reason=named, count=count))
    key = "commands.prune.done" if arguments.apply else "commands.prune.dry"
    env.out.say(env.catalog.text(key, count=len(done) if arguments.apply else len(plan)))
    return 0
