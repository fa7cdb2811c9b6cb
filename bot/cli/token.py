"""Discord's token as a command finds it, also where other settings are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import Line, SettingsError

if TYPE_CHECKING:
    from bot.cli.env import Env


def token_of(env: Env) -> tuple[str | None, tuple[Line, ...]]:
    """Return the token, None where it is not set, and everything that is wrong with the settings."""
    try:
        secret = env.settings.secrets.discord_token
    except SettingsError as error:
        from bot.settings.sources import read_dotenv

        found = read_dotenv(env.cwd, env.environ)[0].get("DISCORD_TOKEN", "").strip()
        return found or None, error.lines
    return (secret.get_secret_value() if secret is not None else None), ()
