"""What she will ask about: one follow-up an event, born with it, due after its end.

Whether one may go out by itself is for the scheduler to say; here is only what is due, what
happens to it when its event changes, and how a reply in a chat asks it. What was asked once is
never asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Connection, Update, and_, bindparam, case, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.clock import as_utc
from memory.messages import Message
from memory.model import Flag, Kind, Memory, Precision
from memory.policy import MemoryPolicy
from memory.store.dialects import put
from memory.store.gate import one
from memory.store.schema import follow_ups
from memory.temporal import event_window

EVENING = time(18)
CLOSED = "closed"  # why it is undeliverable: kept as its reason
UNANSWERED = "unanswered"  # why it waits: until the person speaks
AFTER_LOSS = "after a loss"  # why it is not asked: about the one who is gone, or so soon after
REPLY_CLAIM = "reply|"
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


CLAIMED = str(FollowUpState.CLAIMED)
OPEN = (str(FollowUpState.PENDING), str(FollowUpState.UNDELIVERABLE))
_PUT = (str(FollowUpState.SENT), str(FollowUpState.ASKED))

_DUE = (
    select(follow_ups.c.memory_id)
    .where(
        follow_ups.c.user_id == bindparam("user"),
        follow_ups.c.persona_id == bindparam("persona"),
        follow_ups.c.state.in_(OPEN),
        follow_ups.c.due_at <= bindparam("now"),
        follow_ups.c.due_at > bindparam("stale"),
    )
    .order_by(follow_ups.c.due_at, follow_ups.c.memory_id)
)


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
    zone = _zone(memory.zone)
    last_day = (end - timedelta(microseconds=1)).astimezone(zone).date()
    evening = as_utc(datetime.combine(last_day, EVENING, zone))
    midnight = as_utc(datetime.combine(end.astimezone(zone).date(), time.min, zone))
    return evening if end == midnight else max(end, evening)


async def reschedule(
    connection: AsyncConnection, touched: Iterable[Memory], policy: MemoryPolicy, now: datetime
) -> None:
    """Bring follow-ups in line with what happened to their events, inside the same transaction.

    A new or moved event gets one (pending); an outcome told answers it; an archived event cancels
    it; a restored one revives it while it is still due. What was asked once stays asked. A claimed
    one is left to its holder, who looks at the event again before speaking.
    """
    newest = {memory.id: memory for memory in touched if memory.kind is Kind.EVENT}
    for memory in newest.values():
        query = select(follow_ups).where(follow_ups.c.memory_id == memory.id).with_for_update()
        row = (await connection.execute(query)).first()
        state = FollowUpState(row.state) if row else None
        due = due_at(memory, policy)
        if row is not None and due is not None and row.reason == AFTER_LOSS:
            if state is FollowUpState.CANCELLED:
                continue
            due = max(due, row.due_at)
        moved = row is not None and due is not None and due != row.due_at
        wanted, reason = _next_state(state, memory, due, moved)
        if wanted is None:
            continue
        if state is None and (_is_a_story(memory, policy) or await _asked_of_predecessor(connection, memory)):
            continue
        values: dict[str, Any] = {"due_at": due or (row.due_at if row else now), "state": str(wanted)}
        if wanted is not FollowUpState.CLAIMED:
            values["reason"] = reason
        if moved or wanted is not state:
            values["next_at"] = None
        await put(
            connection,
            follow_ups,
            memory_id=memory.id,
            user_id=memory.user_id,
            persona_id=memory.persona_id,
            updated_at=now,
            **values,
        )


async def expect(
    connection: AsyncConnection, brought: Iterable[Memory], policy: MemoryPolicy, now: datetime
) -> None:
    """Give events that were brought along from elsewhere a follow-up where they still lie ahead.

    What is over was perhaps asked there already.
    """
    ahead = [memory for memory in brought if (due_at(memory, policy) or now) > now]
    await reschedule(connection, ahead, policy, now)


def due_now(
    connection: Connection, user_id: str, persona_id: str, now: datetime, policy: MemoryPolicy
) -> tuple[str, ...]:
    """Return the ids of the events it is time to ask one person about, longest due first.

    What has been due for more than a week is let go: a question three weeks late is worse than none.
    """
    values = {"user": user_id, "persona": persona_id, "now": now, "stale": now - policy.stale_follow_up}
    return tuple(connection.scalars(_DUE, values))


async def claim_for_reply(
    connection: AsyncConnection, message_id: str, memory_ids: Collection[str], now: datetime
) -> tuple[str, ...]:
    """Claim what a reply is about to ask; returns the ids somebody else is asking or has asked meanwhile."""
    refused = []
    for memory_id in memory_ids:
        mine = follow_ups.c.memory_id == memory_id
        taken = await connection.execute(
            update(follow_ups)
            .where(mine, follow_ups.c.state.in_(OPEN))
            .values(
                state=CLAIMED,
                claimed_by=f"{REPLY_CLAIM}{message_id}",
                claimed_until=now,
                updated_at=now,
            )
        )
        if taken.rowcount == 0:
            row = (await connection.execute(select(follow_ups).where(mine))).first()
            if row is not None and row.claimed_by != f"{REPLY_CLAIM}{message_id}":
                refused.append(memory_id)
    return tuple(refused)


async def asked_in_reply(
    connection: AsyncConnection, message: Message, memory_ids: Collection[str], now: datetime
) -> None:
    """Note that a reply asked about these events: they are not asked again."""
    if not memory_ids:
        return
    await connection.execute(
        update(follow_ups)
        .where(
            follow_ups.c.memory_id.in_(list(memory_ids)),
            follow_ups.c.state.in_(OPEN) | (follow_ups.c.claimed_by == f"{REPLY_CLAIM}{message.id}"),
        )
        .values(
            state=str(FollowUpState.ASKED),
            place=str(message.place),
            reason="in a chat",
            claimed_by=None,
            claimed_until=None,
            updated_at=now,
        )
    )


async def release_reply(
    connection: AsyncConnection, message_id: str, now: datetime, spare: Collection[str] = ()
) -> None:
    """Give back what a reply had claimed and will not ask after all."""
    await connection.execute(
        released(now).where(
            follow_ups.c.claimed_by == f"{REPLY_CLAIM}{message_id}",
            follow_ups.c.memory_id.not_in(list(spare)),
        )
    )


async def hear(connection: AsyncConnection, message: Message, now: datetime) -> None:
    """Note that the person speaks: what she had sent is no longer unanswered.

    Their next words where she asked count as the answer, whatever they are; how the event went
    is read from them like from any other message. What waited for them to speak is looked at anew.
    """
    of_theirs = follow_ups.c.user_id == message.user_id
    unheard = and_(of_theirs, follow_ups.c.sent_at.is_not(None), follow_ups.c.heard_at.is_(None))
    waiting = and_(of_theirs, follow_ups.c.state.in_(OPEN), follow_ups.c.reason == UNANSWERED)
    answered = and_(
        of_theirs,
        follow_ups.c.persona_id == message.persona_id,
        follow_ups.c.state.in_(_PUT),
        follow_ups.c.place == str(message.place),
    )
    touched = await connection.execute(
        select(follow_ups.c.memory_id).where(or_(unheard, waiting, answered)).limit(1)
    )
    if touched.first() is None:
        return
    changes: tuple[tuple[ColumnElement[bool], dict[str, Any]], ...] = (
        (unheard, {"heard_at": now}),
        (waiting, {"next_at": None}),
        (answered, {"state": str(FollowUpState.ANSWERED), "reason": "replied", "updated_at": now}),
    )
    for which, values in changes:
        await connection.execute(update(follow_ups).where(which).values(**values))


async def counts(connection: AsyncConnection) -> dict[str, int]:
    """Return how many follow-ups are in each state: for ``/status``."""
    rows = await connection.execute(
        select(follow_ups.c.state, func.count().label("n")).group_by(follow_ups.c.state)
    )
    return {row.state: row.n for row in rows}


def released(now: datetime) -> Update:
    """Return the update that takes a claim off: open again, as it was before."""
    return (
        update(follow_ups)
        .where(follow_ups.c.state == CLAIMED)
        .values(
            state=case(
                (follow_ups.c.reason == CLOSED, str(FollowUpState.UNDELIVERABLE)),
                else_=str(FollowUpState.PENDING),
            ),
            claimed_by=None,
            claimed_until=None,
            prepared_at=None,
            updated_at=now,
        )
    )


def _next_state(
    state: FollowUpState | None, memory: Memory, due: datetime | None, moved: bool
) -> tuple[FollowUpState | None, str | None]:
    if state is FollowUpState.CLAIMED:
        return (state, None) if moved else (None, None)
    if memory.outcome is not None:
        if state in {FollowUpState.SENT, FollowUpState.ASKED}:
            return FollowUpState.ANSWERED, "answered"
        unasked = state in {FollowUpState.PENDING, FollowUpState.UNDELIVERABLE}
        return (FollowUpState.ANSWERED, "outcome told") if unasked else (None, None)
    if due is None:
        gone = state in {FollowUpState.PENDING, FollowUpState.UNDELIVERABLE}
        return (FollowUpState.CANCELLED, "archived or cancelled") if gone else (None, None)
    if state in {None, FollowUpState.CANCELLED} or (state is FollowUpState.PENDING and moved):
        return FollowUpState.PENDING, None
    if state is FollowUpState.UNDELIVERABLE and moved:
        return FollowUpState.PENDING, None
    return None, None


def _is_a_story(memory: Memory, policy: MemoryPolicy) -> bool:
    """Whether an event was over when it was told: the person's own story, not a question to come."""
    window = event_window(memory, policy)
    said = memory.created_at
    return window is not None and said is not None and window[1] <= said


async def _asked_of_predecessor(connection: AsyncConnection, memory: Memory) -> bool:
    """Whether she has asked already, before the event got other words: another date is another question."""
    before = await one(connection, memory.supersedes_id) if memory.supersedes_id is not None else None
    if before is None or (before.valid_from, before.valid_to) != (memory.valid_from, memory.valid_to):
        return False
    row = (await connection.execute(select(follow_ups).where(follow_ups.c.memory_id == before.id))).first()
    if row is None:
        return False
    if row.state == CLAIMED:
        return row.prepared_at is not None  # she may be saying it at this moment
    return row.state in {*_PUT, str(FollowUpState.ANSWERED), str(FollowUpState.SKIPPED)}


def _zone(name: str | None) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (LookupError, ValueError, OSError):
        return ZoneInfo("UTC")
