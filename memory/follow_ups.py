"""What she will ask about: one follow-up an event, born with it, due after its end.

Whether one may go out by itself is for the scheduler to say; here is only what is due, and what
became of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.clock import as_utc
from memory.model import Flag, Kind, Memory, Precision
from memory.policy import MemoryPolicy
from memory.store.dialects import put
from memory.store.schema import follow_ups
from memory.temporal import event_window

EVENING = time(18)
_CLOCK = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART})


class FollowUpState(StrEnum):
    """What became of a follow-up."""

    PENDING = "pending"
    CLAIMED = "claimed"
    SENT = "sent"
    ASKED = "asked"
    ANSWERED = "answered"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    UNDELIVERABLE = "undeliverable"


def due_at(memory: Memory, policy: MemoryPolicy) -> datetime | None:
    """Return when an event may be asked about, in UTC; None where there is nothing to ask.

    After the end of a clock time (two hours after its start where it has none); a day or longer:
    18:00 of its last day in the person's zone; undated: three days after it was said.
    """
    if memory.kind is not Kind.EVENT or memory.outcome is not None or memory.archived:
        return None
    if Flag.CANCELLED in memory.flags or Flag.RECURRING in memory.flags:
        return None
    window = event_window(memory, policy)
    if window is None:
        said = memory.confirmed_at
        return None if said is None else as_utc(said) + policy.undated_follow_up
    _, end = window
    if memory.precision in _CLOCK:
        return end
    zone = ZoneInfo(memory.zone or "UTC")
    last_day = (end - timedelta(microseconds=1)).astimezone(zone).date()
    return as_utc(datetime.combine(last_day, EVENING, zone))


async def reschedule(
    connection: AsyncConnection, touched: Iterable[Memory], policy: MemoryPolicy, now: datetime
) -> None:
    """Bring follow-ups in line with what happened to their events, inside the same transaction.

    A new or moved event gets one (pending); an outcome told answers it; an archived event cancels
    it; a restored one revives it while it is still due. What was asked once stays asked.
    """
    for memory in touched:
        if memory.kind is not Kind.EVENT:
            continue
        row = (
            await connection.execute(select(follow_ups).where(follow_ups.c.memory_id == memory.id))
        ).first()
        state = FollowUpState(row.state) if row else None
        due = due_at(memory, policy)
        wanted, reason = _next_state(state, memory, due)
        if wanted is None:
            continue
        moment = due or (row.due_at if row else now)
        # an event that was over when it was told is the person's own story, not a question to come
        if state is None and memory.valid_to is not None and memory.valid_to <= now:
            continue
        await put(
            connection,
            follow_ups,
            memory_id=memory.id,
            user_id=memory.user_id,
            persona_id=memory.persona_id,
            due_at=moment,
            state=str(wanted),
            reason=reason,
            updated_at=now,
        )


async def due_now(
    connection: AsyncConnection, user_id: str, persona_id: str, now: datetime
) -> tuple[str, ...]:
    """Return the ids of the events it is time to ask one person about, longest due first."""
    rows = await connection.execute(
        select(follow_ups.c.memory_id)
        .where(
            follow_ups.c.user_id == user_id,
            follow_ups.c.persona_id == persona_id,
            follow_ups.c.state.in_([str(FollowUpState.PENDING), str(FollowUpState.UNDELIVERABLE)]),
            follow_ups.c.due_at <= now,
        )
        .order_by(follow_ups.c.due_at, follow_ups.c.memory_id)
    )
    return tuple(row.memory_id for row in rows)


async def mark(
    connection: AsyncConnection,
    memory_id: str,
    state: FollowUpState,
    now: datetime,
    reason: str | None = None,
) -> bool:
    """Move a follow-up on; False where it is already settled."""
    moved = await connection.execute(
        update(follow_ups)
        .where(
            follow_ups.c.memory_id == memory_id,
            follow_ups.c.state.in_(
                [str(s) for s in (FollowUpState.PENDING, FollowUpState.CLAIMED, FollowUpState.UNDELIVERABLE)]
            ),
        )
        .values(state=str(state), updated_at=now, reason=reason)
    )
    return bool(moved.rowcount == 1)


def _next_state(
    state: FollowUpState | None, memory: Memory, due: datetime | None
) -> tuple[FollowUpState | None, str | None]:
    open_states = {FollowUpState.PENDING, FollowUpState.UNDELIVERABLE}
    if memory.outcome is not None:
        told = {*open_states, FollowUpState.SENT, FollowUpState.ASKED}
        return (FollowUpState.ANSWERED, "outcome told") if state in told else (None, None)
    if due is None:
        return (FollowUpState.CANCELLED, "archived or cancelled") if state in open_states else (None, None)
    if state in {None, FollowUpState.PENDING, FollowUpState.CANCELLED}:
        return FollowUpState.PENDING, None
    return None, None
