"""The container's files name what there is: what is copied is let in, what is run is a command."""

from __future__ import annotations

import io
import json
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.cli.output import Output
from bot.cli.parser import build_parser
from memory.catalog import load_catalog

CHECKOUT = Path(__file__).parents[2]
CONTAINERFILE = (CHECKOUT / "Containerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((CHECKOUT / "compose.yaml").read_text(encoding="utf-8"))


def copied() -> list[str]:
    """Return what the image takes from the checkout."""
    lines = re.findall(r"^COPY (?!--from)(.+)$", CONTAINERFILE, re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


def test_everything_that_is_copied_is_there_and_let_in() -> None:
    let_in = [
        line[1:] for line in (CHECKOUT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    ]
    assert len(copied()) >= 10
    for source in copied():
        assert (CHECKOUT / source).exists()
        assert any(fnmatch(source, pattern) for pattern in let_in), source
    assert not any(fnmatch(".env", pattern) for pattern in let_in)


@pytest.mark.parametrize("command", ["CMD", "[run, --no-schedule]", "[run, --only-schedule]"])
def test_what_the_container_runs_is_a_command_of_hers(command: str) -> None:
    def exec_form(name: str) -> list[str]:
        found = re.search(rf"^{name} (\[.*\])$", CONTAINERFILE, re.MULTILINE)
        assert found is not None
        words: list[str] = json.loads(found[1])
        return words

    assert command == "CMD" or command in (CHECKOUT / "compose.yaml").read_text(encoding="utf-8")
    words = exec_form("CMD") if command == "CMD" else yaml.safe_load(command)
    program, *first = exec_form("ENTRYPOINT")
    parser = build_parser(load_catalog("bot", "en"), Output(io.StringIO(), io.StringIO()))
    arguments = parser.parse_args([*first, *words])
    assert program == "lily"
    assert (arguments.command, str(arguments.data)) == ("run", "/data")


def test_every_secret_the_compose_file_asks_for_stands_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+):\?", (CHECKOUT / "compose.yaml").read_text(encoding="utf-8")))
    example = (CHECKOUT / ".env.example").read_text(encoding="utf-8")
    assert asked == {"POSTGRES_PASSWORD"}
    assert all(re.search(rf"^{name}=$", example, re.MULTILINE) for name in asked)


def test_every_service_waits_for_and_mounts_what_the_file_declares() -> None:
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert {mount.partition(":")[0] for mount in service["volumes"]} <= set(COMPOSE["volumes"])
    assert "healthcheck" in services["postgres"]
