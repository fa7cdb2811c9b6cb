"""Her online in a thread of its own, for the fuzzing: raw gateway frames come in over the socket."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import strategies as st

from bot.discord import gateway
from tests.bot.discord.harness import SOON, Lily, Town, answer_to, online, town
from tests.faults.lines import answered, short_pauses
from tests.faults.targets import Target
from tests.faults.wire import SAID, connection_of, frames, good_events, hostile_events, put, session_of


class Live:
    """A town with her in it; after a fault it is left and another one is entered."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._stack = AsyncExitStack()
        self._place: Town
        self._lily: Lily
        self.events: st.SearchStrategy[list[dict[str, Any]]]

    def __enter__(self) -> Self:
        self._thread.start()
        self._run(self._enter())
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def targets(self) -> tuple[Target, ...]:
        """What can be given to her: events in no shape Discord knows, and frames that are no events."""
        return (
            Target("gateway events", self.events, self.events_hold, costly=True),
            Target("gateway frames", st.lists(frames, min_size=1, max_size=3), self.frames_hold, costly=True),
        )

    def events_hold(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Send events; the connection stays, and the next message is answered once."""

        async def check() -> None:
            session, before = session_of(self._place), self._place.discord.gateway.identified
            connection = connection_of(self._place)
            for event in events:
                session.seq += 1
                await put(connection, {**event, "s": session.seq})
            await self._answers()
            assert self._place.discord.gateway.identified == before, "the session was begun anew"

        self._hold(check())

    def frames_hold(self, given: Sequence[str | bytes]) -> None:
        """Send frames; a connection may end over them, and the next message is answered once."""

        async def check() -> None:
            for frame in given:
                connected = await self._place.discord.world.until(self._connected, SOON, "a connection")
                assert connected
                await put(connection_of(self._place), frame)
            await self._answers()
            await self._place.discord.world.until(self._connected, SOON, "a connection")

        self._hold(check())

    def _connected(self) -> bool:
        return any(one.connection is not None for one in self._place.discord.gateway.sessions)

    async def _answers(self) -> None:
        person = self._place.ann  # of a stranger nothing could be caught up: bots can list no direct messages
        said = person.dm("在嗎")
        await answer_to(person, said)
        await self._lily.settled()
        assert answered(person).count(said.id) == 1, "answered more than once"

    def _hold(self, check: Coroutine[Any, Any, None]) -> None:
        try:
            self._run(check)
        except Exception:
            self._run(self._anew())
            raise

    async def _anew(self) -> None:
        await self._stack.aclose()
        await self._enter()

    async def _enter(self) -> None:
        stack = self._stack = AsyncExitStack()
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(gateway, "PAUSES", (0.01,))
        stack.enter_context(short_pauses())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self._place = await stack.enter_async_context(town(keeps_to_what_is_published=False))
        self._lily = await stack.enter_async_context(
            online(
                self._place.discord, folder, scheduled=False,
                messages_per_person_per_day=1_000_000, tokens_per_person_per_day=1_000_000_000,
            )
        )  # fmt: skip
        said = self._place.ann.dm(SAID)
        await answer_to(self._place.ann, said)
        self.events = st.lists(hostile_events(good_events(self._place, said)), min_size=1, max_size=10)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()
