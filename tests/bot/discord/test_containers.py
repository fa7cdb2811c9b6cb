from __future__ import annotations

import re
from pathlib import Path

import yaml

from bot.settings import load_settings

ROOT = Path(__file__).parents[3]


def test_the_compose_file_sets_what_the_settings_know(tmp_path: Path) -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    given = {
        name: re.sub(r"\$\{\w+:\?[^}]*\}", "secret", value)
        for name, value in services["lily"]["environment"].items()
    }
    settings = load_settings(None, given, tmp_path)
    assert settings.storage.chroma == "http://chroma:8000"
    assert settings.storage.database_url is not None
    assert settings.storage.database_url.get_secret_value().endswith("@postgres:5432/lily")
    assert {"postgres", "chroma"} <= services["lily"]["depends_on"].keys() <= services.keys()


def test_the_container_has_every_package_and_does_not_run_as_root() -> None:
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    copied = {line.split()[1] for line in lines if line.startswith("COPY ") and "--from" not in line}
    assert {"llm", "memory", "persona", "scheduler", "bot", "pyproject.toml"} <= copied
    assert "USER lily" in lines
    assert lines.index("USER lily") > lines.index("FROM docker.io/library/python:3.12-slim")
