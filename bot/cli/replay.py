"""``lily replay``: a script of dated lines through the whole pipeline."""

from __future__ import annotations

from argparse import Namespace

from bot.cli.env import Env
from bot.cli.language import interface_language
from bot.cli.rows import lines_of
from bot.house import open_house
from bot.replay import Replay, read_script
from bot.replay.transcript import Transcript
from memory.clock import SettableClock


async def run(arguments: Namespace, env: Env) -> int:
    """Check the whole script, then run it; one answer a line."""
    lines = read_script(lines_of(env.cwd / arguments.file, arguments.file), arguments.file)
    settings = env.settings
    clock = SettableClock(lines[0].at)
    async with open_house(settings, clock, command="replay") as house:
        language = settings.persona.language
        transcript = Transcript(
            env.catalog,
            house.character.name_in(language),
            settings.persona.zone,
            interface_language(env.environ),
        )
        async for answer in Replay(house, clock).run(lines):
            if env.out.json:
                env.out.row(answer)
            else:
                for line in transcript.lines(answer):
                    env.out.say(line)
            env.out.stdout.flush()
    return 0
