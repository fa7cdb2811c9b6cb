"""What waits in the inbox for a model or a disk is taken up again, whether or not its person writes again."""

from __future__ import annotations

import logging
from bisect import bisect_right
from datetime import timedelta

from memory.clock import Clock
from memory.inbox import Inbox
from memory.observe import Observer
from memory.store.errors import StaleRevision

log = logging.getLogger(__name__)

LEFT_ALONE = timedelta(minutes=1)
"""What came in this lately is being observed by whoever heard it."""

ENOUGH = 3
"""After so many people in a row whose messages still have to wait, the rest waits for the next ring."""


class Waiting:
    """Goes through the people whose messages wait, a round a ring, going on where the last one broke off."""

    def __init__(self, inbox: Inbox, observer: Observer, clock: Clock) -> None:
        self._inbox = inbox
        self._observer = observer
        self._clock = clock
        self._last: tuple[str, str] = ("", "")

    async def observe(self) -> int:
        """Observe what can be observed now; returns how many messages."""
        people = await self._inbox.people_waiting(self._clock.now() - LEFT_ALONE)
        begin = bisect_right(people, self._last)
        done = in_vain = 0
        for person in (*people[begin:], *people[:begin]):
            self._last = person
            try:
                observed = await self._observer.observe_person(*person)
            except StaleRevision:  # somebody changes the same rows over and over: next time
                continue
            taken = sum(one.waiting is None for one in observed.values())
            done += taken
            in_vain = 0 if taken or not observed else in_vain + 1
            if in_vain >= ENOUGH:
                break
        return done
