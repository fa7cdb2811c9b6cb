"""Work about a person, broken off because they are about to be erased."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from bot.peoples_work import PeoplesWork


async def test_it_gives_what_the_work_gives_and_raises_what_it_raises() -> None:
    async def five() -> int:
        return 5

    async def broken() -> int:
        raise KeyError("x")

    works = PeoplesWork()
    assert await works.of("ming", five()) == 5
    with pytest.raises(KeyError):
        await works.of("ming", broken())


async def test_only_what_is_about_the_person_is_broken_off_and_who_waits_for_it_goes_on() -> None:
    begun, go_on, ended = asyncio.Event(), asyncio.Event(), []

    async def held(who: str) -> str:
        try:
            begun.set()
            await go_on.wait()
        finally:
            ended.append(who)
        return who

    works = PeoplesWork()
    mine, theirs = (asyncio.create_task(works.of(who, held(who))) for who in ("ming", "ann"))
    await begun.wait()
    await works.break_off("ming")
    assert ended == ["ming"]
    go_on.set()
    assert (await mine, await theirs) == (None, "ann")


async def test_who_waits_for_it_can_be_cancelled_like_anybody() -> None:
    ended = asyncio.Event()

    async def held() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    waiting = asyncio.create_task(PeoplesWork().of("ming", held()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended.is_set()


async def test_of_a_round_what_is_still_to_be_done_about_the_person_is_left_out() -> None:
    works, done = PeoplesWork(), []

    async def work(who: str, number: int) -> int:
        done.append((who, number))
        if number == 1:
            breaking = asyncio.create_task(works.break_off("ming"))
            await asyncio.sleep(0)
            await breaking
        return number

    people = [("ming", 0), ("ann", 1), ("ming", 2), ("ann", 3)]
    found = await works.one_by_one((who, partial(work, who, number)) for who, number in people)
    assert done == [("ming", 0), ("ann", 1), ("ann", 3)]
    assert found == [0, 1, 3]
