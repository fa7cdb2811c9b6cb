"""What the host is told before anything else: the invite link, and everything that is missing, at once."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.discord.application import PERMISSIONS, invite_link
from tests.bot.discord.harness import town
from tests.llm.standin import closed_port
from tests.standin import StandIn, environment
from tests.standin.redirect import API

ENGLISH = {"LANG": "en_US.UTF-8"}
BROKEN = {"LILY_MEMORY__CAP_PER_PERSON": "lots"}


async def ran(place: StandIn, folder: Path, *argv: str, **more: str) -> tuple[int, str, str]:
    """Run ``lily`` to its end as a host would, against the stand-in: code, output, what it noted."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *argv, "--data", str(folder),
        env=environment(place) | ENGLISH | more,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, noted = await asyncio.wait_for(process.communicate(), 90.0)
    return process.returncode or 0, out.decode(), noted.decode()


async def doctored(place: StandIn, folder: Path, **more: str) -> tuple[int, list[tuple[str, str, str]]]:
    """Run ``lily doctor``: its code, and what it says about settings and Discord."""
    code, out, _ = await ran(place, folder, "doctor", "--json", **more)
    rows: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    told = [(row["check"], row["status"], row["detail"]) for row in rows]
    return code, [one for one in told if one[0] in {"settings", "discord", "invite", "needs"}]


def let_down(place: StandIn) -> None:
    """Switch off, or on, everything she can't live with."""
    place.bot.privileged = 0
    place.bot.endpoint_url = "https://example.org/interactions"
    place.bot.requires_code_grant = True


def test_the_invite_link_asks_for_the_rights_and_commands_she_needs() -> None:
    asked = parse_qs(urlsplit(invite_link(42)).query)
    assert asked["client_id"] == ["42"]
    assert asked["scope"] == ["bot applications.commands"]
    assert discord.Permissions(int(asked["permissions"][0])) == PERMISSIONS


async def test_doctor_asks_discord_and_prints_the_invite_link(tmp_path: Path) -> None:
    async with town() as place:
        code, told = await doctored(place.discord, tmp_path)
        assert code == 0
        assert [(check, status) for check, status, _ in told] == [
            ("settings", "fine"), ("discord", "fine"), ("invite", "fine"), ("needs", "fine"),
        ]  # fmt: skip
        assert told[2][2] == invite_link(place.discord.bot.id)
        assert "servers: 1" in told[1][2]


async def test_doctor_tells_everything_that_is_missing_a_line_each(tmp_path: Path) -> None:
    async with town() as place:
        let_down(place.discord)
        everyone = place.server.everyone
        everyone.permissions &= ~discord.Permissions(read_message_history=True).value
        code, told = await doctored(place.discord, tmp_path, **BROKEN)
        assert code == 2
        wrong = [detail for _, status, detail in told if status == "wrong"]
        for line, words in zip(
            wrong,
            ("cap_per_person", "Message Content Intent", "example.org", "Code Grant", "read_message_history"),
            strict=True,
        ):
            assert words in line
        assert "Harbour" in wrong[-1]


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        ({"DISCORD_TOKEN": "wrong"}, "wrong", "does not know this token"),
        ({API: "nobody"}, "note", "can't be reached"),
    ],
    ids=["wrong token", "no network"],
)
async def test_doctor_says_in_one_line_that_it_could_not_ask(
    tmp_path: Path, more: dict[str, str], status: str, words: str
) -> None:
    more = {name: closed_port() if value == "nobody" else value for name, value in more.items()}
    async with town() as place:
        code, told = await doctored(place.discord, tmp_path, **more)
        assert code == (1 if status == "wrong" else 0)
        ((check, found, detail),) = told[1:]
        assert (check, found) == ("discord", status)
        assert words in detail


async def test_run_refuses_with_every_missing_setting_and_intent_at_once(tmp_path: Path) -> None:
    async with town() as place:
        let_down(place.discord)
        code, _, noted = await ran(place.discord, tmp_path, "run", **BROKEN)
        assert code == 2
        for words in ("cap_per_person", "Message Content Intent", "example.org", "Code Grant"):
            assert words in noted
        code, _, noted = await ran(place.discord, tmp_path, "run")
        assert code == 1
        for words in (
            "Message Content Intent",
            "example.org",
            "Code Grant",
            invite_link(place.discord.bot.id),
        ):
            assert words in noted
        assert "Traceback" not in noted
