"""What comes from the gateway in no shape Discord knows: she lives on and answers the next message once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.discord import gateway
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, town
from tests.faults.lines import answered, log_of
from tests.faults.wire import SAID, connection_of, frames, good_events, hostile_events, put, session_of


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect anew at once instead of after seconds."""
    monkeypatch.setattr(gateway, "PAUSES", (0.01,))


async def for_all(
    strategy: st.SearchStrategy[Any], check: Callable[[Any], Awaitable[None]], examples: int
) -> None:
    """Give a check that runs on this loop so many examples."""
    loop = asyncio.get_running_loop()

    def holds(value: Any) -> None:
        asyncio.run_coroutine_threadsafe(_awaited(check, value), loop).result()

    bounded = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    await asyncio.to_thread(bounded(given(strategy)(holds)))


async def _awaited(check: Callable[[Any], Awaitable[None]], value: Any) -> None:
    await check(value)


async def lives_on(place: Town, lily: Lily) -> None:
    """Hold her to it that the next message is answered, once."""
    said = place.ming.dm("在嗎")
    await answer_to(place.ming, said)
    await lily.settled()
    assert answered(place.ming).count(said.id) == 1


def says_nothing(folder: Path) -> None:
    """Hold the log to it that no word of a person is in it, nor a traceback with its words."""
    log = log_of(folder)
    assert SAID not in log and "Traceback" not in log


async def test_an_event_in_no_shape_is_left_alone_and_the_connection_stays(tmp_path: Path) -> None:
    async with (
        town(keeps_to_what_is_published=False) as place,
        online(place.discord, tmp_path, scheduled=False) as lily,
    ):
        await answer_to(place.ann, said := place.ann.dm(SAID))

        async def check(events: list[dict[str, Any]]) -> None:
            session = session_of(place)
            connection = connection_of(place)
            for event in events:
                session.seq += 1
                await put(connection, event | {"s": session.seq})
            await lives_on(place, lily)

        await for_all(st.lists(hostile_events(good_events(place, said)), min_size=6, max_size=10), check, 8)
        assert place.discord.gateway.identified == 1
        assert lily.notes.count("online") == 1
    says_nothing(tmp_path)


async def test_a_frame_that_is_none_costs_a_connection_at_most(tmp_path: Path) -> None:
    async with (
        town(keeps_to_what_is_published=False) as place,
        online(place.discord, tmp_path, scheduled=False) as lily,
    ):

        async def check(frame: str | bytes) -> None:
            await put(connection_of(place), frame)
            await lives_on(place, lily)
            await place.discord.world.until(
                lambda: any(one.connection for one in place.discord.gateway.sessions), SOON
            )

        await for_all(frames, check, 12)
    says_nothing(tmp_path)


async def test_a_second_ready_says_nothing_twice(tmp_path: Path) -> None:
    async with (
        town(keeps_to_what_is_published=False) as place,
        online(place.discord, tmp_path, scheduled=False) as lily,
    ):
        await answer_to(place.ming, first := place.ming.dm("我叫小明"))
        for times in (2, 3):
            place.discord.gateway._ready(session_of(place))
            await place.discord.world.until(lambda: lily.notes.count("online") == times, SOON, "a session")  # noqa: B023
        await lives_on(place, lily)
        assert answered(place.ming).count(first.id) == 1
    says_nothing(tmp_path)
