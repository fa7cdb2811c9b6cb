"""``lily reindex``: make the index agree with SQL again, or move the store to another embedder."""

from __future__ import annotations

from argparse import Namespace

from bot.cli.env import Env
from bot.errors import Line, SettingsError
from bot.house import open_memory_alone
from bot.settings import EmbedderName, Settings

_GEMINI_KEY = "GEMINI_API_KEY"


async def run(arguments: Namespace, env: Env) -> int:
    """Drop and refill the index; with ``--embedder`` embed every text anew first."""
    settings = env.settings
    name = EmbedderName(arguments.embedder) if arguments.embedder else None
    if name is not None:
        _check(settings, name)
    async with open_memory_alone(
        settings, env.clock, command="reindex", embedder=name, check_embedder=False
    ) as memory:
        done = await memory.reindexer.reindex(memory.embedder if name else None)
    if env.out.json:
        env.out.row({"memories": done.memories, "embedded": done.embedded})
    else:
        env.out.say(env.catalog.text("commands.reindex.done", memories=done.memories, embedded=done.embedded))
    if name is not None and name is not settings.models.embedder:
        env.out.note(env.catalog.text("commands.reindex.settings", name=name))
    return 0


def _check(settings: Settings, name: EmbedderName) -> None:
    """Refuse an embedder the settings can't reach, before anything is opened."""
    if name is EmbedderName.GEMINI and settings.secrets.gemini_api_key is None:
        raise SettingsError(
            [Line.of("settings.needs_secret", field="--embedder", value=name, secret=_GEMINI_KEY)]
        )
    if name is EmbedderName.OPENAI and not settings.models.openai.embedder:
        raise SettingsError(
            [Line.of("settings.needs_name", field="models.openai.embedder", other="--embedder")]
        )
