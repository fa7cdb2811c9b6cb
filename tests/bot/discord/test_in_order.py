from __future__ import annotations

import asyncio

from bot.discord.in_order import InOrder


async def test_what_came_first_is_done_first_and_other_channels_do_not_wait() -> None:
    order, done, gate = InOrder(), [], asyncio.Event()

    async def work(channel: int, name: str, waits: bool) -> None:
        async with order.hold(channel):
            if waits:
                await gate.wait()
            done.append(name)
            if name == "elsewhere":
                gate.set()

    await asyncio.gather(
        work(1, "first", True), work(1, "second", False), work(1, "third", False), work(2, "elsewhere", False)
    )
    assert done == ["elsewhere", "first", "second", "third"]


async def test_nothing_is_kept_of_a_channel_nobody_waits_for() -> None:
    order = InOrder()
    async with order.hold(1):
        pass
    assert (order._locks, order._waiting) == ({}, {})
