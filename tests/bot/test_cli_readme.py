from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from bot.cli.app import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```text\n\$ ((?:LILY_\w+=\S+ )*)lily (.+)\n((?:.*\n)*?)```", README, re.MULTILINE)


def plain(text: str) -> list[str]:
    """Return the lines that say something, without what a table fills up with."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [line for line in lines if line.strip("─ ")]


def test_the_readme_shows_commands() -> None:
    assert len(BLOCKS) >= 2


@pytest.mark.parametrize(("variables", "command", "shown"), BLOCKS, ids=[block[1] for block in BLOCKS])
def test_a_command_of_the_readme_prints_what_is_shown(
    tmp_path: Path,
    variables: str,
    command: str,
    shown: str,
) -> None:
    environ = dict(assignment.split("=", 1) for assignment in variables.split())
    out, err = io.StringIO(), io.StringIO()
    run(shlex.split(command), environ=environ, cwd=tmp_path, stdout=out, stderr=err)
    assert plain(out.getvalue() + err.getvalue()) == plain(shown)
