"""Settling claims whose holder is gone: was it said? Her own history answers, else it is let go."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from memory import follow_up_claims as claims
from memory.clock import Clock
from memory.follow_up_book import FollowUp, line_of
from memory.follow_ups import REPLY_CLAIM, FollowUpState
from memory.places import DM
from memory.store.database import Database
from scheduler.notifier import Letter, Notifier
from scheduler.steps import FollowUpStep, OnFollowUpStep

log = logging.getLogger(__name__)

FIRST_RETRY = timedelta(minutes=5)
LONGEST_RETRY = timedelta(hours=6)
# How long a claim is kept that nobody can settle: then it is let go, as something she may have said.
PATIENCE = timedelta(days=1)


class Settler:
    """Takes lapsed claims over and settles them; of two schedulers, one gets each."""

    def __init__(
        self,
        database: Database,
        notifier: Notifier,
        clock: Clock,
        lease: timedelta,
        holder: str,
        on_step: OnFollowUpStep,
    ) -> None:
        self._database = database
        self._notifier = notifier
        self._clock = clock
        self._lease = lease
        self._holder = holder
        self._on_step = on_step

    async def settle(self, memory_id: str) -> None:
        """Settle the claim on one event, if it has lapsed."""
        async with self._database.read() as connection:
            line = await line_of(connection, memory_id)
        if line is None:
            return
        if (line.claimed_by or "").startswith(REPLY_CLAIM):
            async with self._database.write() as connection:
                await claims.settle_reply(connection, line, self._clock.now(), PATIENCE)
            return
        async with self._database.write() as connection:
            mine = await claims.take_over(connection, line, self._holder, self._clock.now(), self._lease)
        if mine is None:
            return
        self._on_step(FollowUpStep.TAKEN_OVER)
        said = await self._was_said(mine)
        async with self._database.write() as connection:
            now = self._clock.now()
            if said is True:
                await claims.sent(connection, mine, now)
            elif said is False:
                await claims.give_back(connection, mine, "not said", retry_at(mine, now), now)
            elif mine.prepared_at is not None and now >= mine.prepared_at + PATIENCE:
                log.warning("follow-up %s: nobody can tell whether it was said; let go", mine.memory_id)
                skipped = FollowUpState.SKIPPED
                await claims.settle(connection, mine, skipped, "uncertain", now, maybe_said=True)
        self._on_step(FollowUpStep.SETTLED)

    async def _was_said(self, line: FollowUp) -> bool | None:
        """Return whether it was said; None where the history can't be seen just now."""
        if line.prepared_at is None:
            return False
        try:
            return await self._notifier.find(letter_of(line))
        except Exception as error:  # whatever a channel raises, the answer is "not known"
            log.warning("follow-up %s: history not seen (%s)", line.memory_id, type(error).__name__)
            return None


def letter_of(line: FollowUp) -> Letter:
    """Return the letter of a prepared follow-up."""
    if line.prepared_at is None:
        raise ValueError(f"{line.memory_id} has not been prepared")
    return Letter(
        memory_id=line.memory_id,
        user_id=line.user_id,
        place=line.place or DM,
        text=line.text or "",
        nonce=line.nonce,
        prepared_at=line.prepared_at,
    )


def retry_at(line: FollowUp, now: datetime) -> datetime:
    """Return when to try again after a failure: later after each one."""
    failures: int = min(max(line.attempts - 1, 0), 10)
    return now + min(FIRST_RETRY * (1 << failures), LONGEST_RETRY)
