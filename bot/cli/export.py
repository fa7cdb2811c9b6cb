"""``lily export``: everything kept about a person, as JSON Lines."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from bot.cli.env import Env
from bot.cli.output import json_line
from bot.errors import UsageError
from bot.house import open_store
from memory.transfer import export_lines


async def run(arguments: Namespace, env: Env) -> int:
    """Write to ``--out``, else to stdout."""
    async with open_store(env.settings, env.clock) as memory:
        lines = [
            json_line(row) async for row in export_lines(memory.database, arguments.user, env.clock.now())
        ]
    if arguments.out is None:
        for line in lines:
            env.out.say(line)
    else:
        _write(env.cwd / arguments.out.expanduser(), lines, arguments.out)
        env.out.note(env.catalog.text("commands.export.written", count=len(lines), file=arguments.out))
    if len(lines) == 1:
        env.out.note(env.catalog.text("commands.export.nobody", user=arguments.user))
    return 0


def _write(path: Path, lines: list[str], shown: Path) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError.of("files.unwritable", file=shown, cause=error.strerror) from None
