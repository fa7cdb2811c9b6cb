"""``lily run``: Lily on Discord, until Ctrl-C or a signal to end."""

from __future__ import annotations

import asyncio
import signal
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from bot.cli.env import Env
from bot.cli.token import token_of
from bot.errors import Line, SettingsError
from bot.house import open_house
from bot.settings.policy import prices


async def run(arguments: Namespace, env: Env) -> int:
    """Be online until told to stop; everything that is missing is told at once."""
    token = await _token(env)
    from bot.discord.gateway import build_client
    from bot.discord.health import measured, serving_health
    from bot.discord.meter import Meter
    from bot.discord.scheduled import run_scheduled
    from bot.discord.service import Service

    settings = env.settings
    stop, meter = asyncio.Event(), Meter(prices(settings))

    def note(key: str, values: dict[str, object]) -> None:
        shown = {name: _in_words(value, env) for name, value in values.items()}
        env.out.note(env.catalog.text(f"discord.run.{key}", **shown))

    with _signals(stop):
        async with open_house(
            settings, env.clock, command="run", usage=meter.sink, index_apart=True
        ) as house:
            if arguments.only_schedule:
                await run_scheduled(house, token, stop, note, meter)
                return 0
            service = Service(house, build_client(settings.discord), note, meter)
            parts = service.parts
            numbers = partial(measured, parts)
            async with serving_health(settings.ops, parts.client.is_ready, house.watch, numbers):
                await service.run(token, stop, scheduled=not arguments.no_schedule)
    return 0


async def _token(env: Env) -> str:
    """Return Discord's token. Where anything is wrong, everything that is is told together.

    Raises :class:`SettingsError`.
    """
    token, problems = token_of(env)
    if token is not None and not problems:
        return token
    if token is None:
        raise SettingsError([*problems, Line.of("run.no_token")])
    from bot.discord.application import NotReached, WrongToken, ask_discord

    try:
        problems = (*problems, *(await ask_discord(token)).problems)
    except WrongToken:
        problems = (*problems, Line.of("run.bad_token"))
    except NotReached:
        pass  # what is wrong here is told all the same
    raise SettingsError(problems)


def _in_words(value: object, env: Env) -> object:
    return value.text(env.catalog) if isinstance(value, Line) else value


@contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    """Let Ctrl-C and a signal to end ask for an orderly stop; a second one ends at once."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def ask() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
        stop.set()

    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        with suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, ask)
    try:
        yield
    finally:
        for number in signals:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)
