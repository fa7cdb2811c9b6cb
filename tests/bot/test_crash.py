"""``kill -9`` at every step between admission, reply, observation and index."""

from __future__ import annotations

import asyncio
import signal
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from memory.clock import SettableClock
from memory.steps import Step, ignore_step
from tests.support.crash_child import SCRIPT, Outside, conversations, lines
from tests.support.world import START, open_world

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("passes", [0, 1])
@pytest.mark.parametrize("step", list(Step))
async def test_after_a_kill_nothing_is_lost_and_nothing_is_doubled(tmp_path, step, passes):
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.crash_child", str(tmp_path), step, str(passes), cwd=ROOT
    )
    assert await child.wait() == -signal.SIGKILL
    admitted = lines(tmp_path / "admitted.txt")
    clock = SettableClock(START)
    clock.advance(timedelta(minutes=10))
    async with open_world(tmp_path / "data", clock=clock) as world:
        talk = conversations(world, ignore_step)
        await talk.resume(Outside(tmp_path), "chat")
        await world.service.outbox.drain()
        texts = list(SCRIPT)
        told = [fact.text for i in admitted for fact in SCRIPT[texts[int(i.split(":")[1])]]]
        stored = sorted(m.text for m in await world.all())
        assert stored == sorted(told)
        names = [m for m in await world.all() if not m.archived and m.attribute == "name"]
        assert len(names) == min(1, sum("叫小" in text for text in told))
        delivered = lines(tmp_path / "delivered.txt")
        assert sorted(delivered) == sorted(set(delivered))
        assert set(delivered) <= set(admitted)
        assert admitted[-1:] == delivered[-1:]
        assert await world.service.inbox.unobserved() == ()
        assert await world.service.inbox.unanswered() == ()
        indexed = await world.service.index.contents()
        assert {i: (row["rev"], row["archived"]) for i, row in indexed.items()} == {
            m.id: (m.rev, m.archived) for m in await world.all()
        }
