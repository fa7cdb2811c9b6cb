"""Discord gone for a while, a session that is not valid any more, a token revoked, an intent taken away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.discord import delivery, gateway
from bot.errors import WRONG_USAGE, UserError
from memory.catalog import load_catalog
from tests.bot.discord.harness import SOON, answer_to, online, tells, town
from tests.faults.lines import answered, log_of, witness


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once instead of after seconds."""
    monkeypatch.setattr(gateway, "PAUSES", (0.01, 0.02, 0.05))
    monkeypatch.setattr(delivery, "PAUSES", (0.01, 0.01))


async def test_away_for_a_while_the_host_is_told_once_and_what_was_said_is_answered(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells(lily, place.ming, "我叫小明")
        place.discord.outages.refuse(1)
        place.discord.outages.cut()
        said = place.ming.dm("我對花生過敏")
        await answer_to(place.ming, said)
        await lily.settled()
        assert lily.notes.count("unreachable") <= 1
        assert "使用者對花生過敏" in await lily.texts(place.ming)
        assert answered(place.ming).count(said.id) == 1
        witness(
            "Discord",
            "the connection is cut, the gateway refuses for a while",
            screen="Discord can't be reached; trying on, details are in the log",
            person="her answer, late and once",
            after="by itself",
        )


async def test_an_invalid_session_is_begun_anew(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        place.discord.outages.invalidate()
        await place.discord.world.until(lambda: lily.notes.count("online") == 2, SOON, "a new session")
        said = place.ming.dm("在嗎")
        await answer_to(place.ming, said)
        assert answered(place.ming) == [said.id]


async def test_an_answer_that_could_not_be_sent_is_sent_once_discord_takes_it(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        await tells(lily, place.ming, "我叫小明")
        trouble = place.discord.faults.fail(503, times=1_000_000, method="POST", path="/channels/*/messages")
        said = place.ming.dm("我對花生過敏")
        await place.discord.world.until(lambda: "waits in the inbox" in log_of(tmp_path), SOON, "giving up")
        assert trouble.hits >= 3
        place.discord.faults.clear()
        await answer_to(place.ming, said)  # nothing is restarted, nobody writes again
        async with asyncio.timeout(SOON):
            while await lily.house.memory.inbox.unanswered():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert answered(place.ming).count(said.id) == 1
        witness(
            "Discord",
            "its REST API fails for longer than a reply is tried",
            log=(tmp_path, "waits in the inbox"),
            person="her answer, late and once",
            after="the same process says it",
        )


@pytest.mark.parametrize(("code", "names"), [(4004, "DISCORD_TOKEN"), (4014, "Message Content")])
async def test_what_only_the_admin_can_mend_ends_the_run_with_one_line(
    tmp_path: Path, code: int, names: str
) -> None:
    async with town() as place:
        with pytest.raises(UserError) as told:
            async with online(place.discord, tmp_path) as lily:
                said = place.ming.dm("我叫小明")
                await answer_to(place.ming, said)
                place.discord.outages.close(code)
                async with asyncio.timeout(SOON):
                    while lily.notes[-1] != "stopping":  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
        (line,) = told.value.texts(load_catalog("bot", "en"))
        assert names in line and told.value.exit_code in {1, WRONG_USAGE}
        what = {4004: "the token is revoked (4004)", 4014: "an intent is taken away (4014)"}[code]
        witness(
            "Discord",
            what,
            screen=f"{line} (exit code {told.value.exit_code})",
            person="she is offline",
            after="a start, once the admin has mended it",
        )
    assert "Traceback" not in log_of(tmp_path)
