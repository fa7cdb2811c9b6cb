"""A real process killed at each step: when another one takes over, it has been said exactly once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory.follow_ups import FollowUpState
from scheduler.steps import FollowUpStep
from tests.scheduler.street import open_street

ROOT = Path(__file__).parents[2]


def child(folder: Path, fatal: str, minutes: int) -> int:
    command = [sys.executable, "-m", "tests.scheduler.crash_child", str(folder), fatal, str(minutes)]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode


@pytest.mark.parametrize("step", [FollowUpStep.CLAIMED, FollowUpStep.PREPARED, FollowUpStep.DELIVERED])
async def test_killed_at_any_step_it_is_said_once(tmp_path: Path, step: FollowUpStep) -> None:
    async with open_street(tmp_path) as before:
        await before.willing()
        exam = await before.plan()
    assert child(tmp_path, step.value, 0) == -9
    assert child(tmp_path, "", 11) == 0
    assert child(tmp_path, "", 22) == 0
    assert len((tmp_path / "said.txt").read_text().split()) == 1
    async with open_street(tmp_path) as after:
        assert (await after.line(exam)).state is FollowUpState.SENT
