"""``lily import``: memories from a file, every line checked before anything is taken in."""

from __future__ import annotations

import contextlib
from argparse import Namespace

from bot.cli.env import Env
from bot.cli.rows import lines_of
from bot.errors import Line, UsageError
from bot.house import open_memory_alone
from bot.settings import memory_policy
from memory.store.errors import IndexUnavailable
from memory.transfer import TransferError, parse_lines


async def run(arguments: Namespace, env: Env) -> int:
    """Take in what is not there yet; a second run adds nothing."""
    settings = env.settings
    text = list(lines_of(env.cwd / arguments.file, arguments.file))
    try:
        lines = parse_lines(text, settings.persona.character, memory_policy(settings))
    except TransferError as error:
        problems = [Line.of("commands.import_problem", file=arguments.file, cause=p) for p in error.problems]
        raise UsageError(problems) from None
    if not any(line.strip() for line in text):
        raise UsageError.of("files.empty", file=arguments.file)
    async with open_memory_alone(settings, env.clock, command="import") as memory:
        imported = await memory.importer.take(lines)
        with contextlib.suppress(IndexUnavailable):
            await memory.outbox.drain()
    if env.out.json:
        env.out.row({"added": len(imported.added), "known": imported.known})
    else:
        env.out.say(env.catalog.text("commands.import.done", added=len(imported.added), known=imported.known))
    return 0
