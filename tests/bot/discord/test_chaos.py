from __future__ import annotations

from pathlib import Path

from tests.bot.discord.chaos import Chaos
from tests.standin import StandIn


async def test_a_bad_day_ends_with_every_line_answered_once_and_none_mixed_up(tmp_path: Path) -> None:
    async with StandIn() as discord:
        report = await Chaos(discord, people=50, servers=5, seed=7).run(tmp_path, 240)
    assert report.faults == []
    assert report.memories == report.messages
    assert report.replies + report.merged == report.messages
    assert len(report.trouble) > 8
    assert report.most_waiting < 100
    assert report.tasks_after <= report.tasks_before + 5
