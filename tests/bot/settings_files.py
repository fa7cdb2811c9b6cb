"""Settings files of a test: written, and loaded or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import Settings, load_settings
from memory.catalog import load_catalog

ENGLISH = load_catalog("bot", "en")


def lines(tmp_path: Path, config: str = "", dotenv: str = "", **environ: str) -> list[str]:
    """Return what is said about the settings; it must be refused."""
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(None, environ, tmp_path)
    return caught.value.texts(ENGLISH)


def load(tmp_path: Path, config: str = "", dotenv: str = "", **environ: str) -> Settings:
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
    return load_settings(None, environ, tmp_path)
