"""A simulated year: nothing early, late, doubled, at night or in the wrong place, nothing forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.year import open_year


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_year_of_follow_ups_goes_without_a_fault(tmp_path: Path, seed: int) -> None:
    async with open_year(tmp_path, seed=seed, people=24, events=90, chats_each=3) as year:
        report = await year.run()
    told = "\n".join(report.lines())
    assert not report.faults, told
    assert report.open == 0, told
    assert report.kills > 3, told
    assert report.sent > 15, told
    assert sum(report.ends.values()) >= 90, told
