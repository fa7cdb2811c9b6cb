"""Claims on follow-ups: taken, kept, given back, settled. Each function works in the caller's transaction.

A claim is a conditional update, so of two schedulers, in one process or two, only one gets it.
What was claimed is settled by its holder, or by whoever takes the claim over once it has lapsed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Update, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Speaker
from memory.follow_up_book import FollowUp, lapsed, line_of
from memory.follow_ups import (
    CLAIMED,
    CLOSED,
    OPEN,
    REPLY_CLAIM,
    FollowUpState,
    asked_in_reply,
    released,
)
from memory.inbox import ReplyState
from memory.messages import Message
from memory.places import DM, Place
from memory.store.schema import follow_ups, inbox, turns


async def claim(
    connection: AsyncConnection, line: FollowUp, holder: str, now: datetime, lease: timedelta
) -> FollowUp | None:
    """Claim an open follow-up; None where somebody was faster."""
    taken = await connection.execute(
        update(follow_ups)
        .where(follow_ups.c.memory_id == line.memory_id, follow_ups.c.state == str(FollowUpState.PENDING))
        .values(
            state=CLAIMED,
            claimed_by=holder,
            claimed_until=now + lease,
            attempts=follow_ups.c.attempts + 1,
            prepared_at=None,
            text=None,
            updated_at=now,
        )
    )
    if taken.rowcount != 1:
        return None
    return replace(
        line,
        state=FollowUpState.CLAIMED,
        claimed_by=holder,
        claimed_until=now + lease,
        attempts=line.attempts + 1,
        prepared_at=None,
        text=None,
    )


async def held(connection: AsyncConnection, line: FollowUp, now: datetime) -> FollowUp | None:
    """Return a claimed follow-up as it is now; None where the claim has lapsed or is somebody else's."""
    current = await line_of(connection, line.memory_id)
    if current is None or not _same_claim(current, line):
        return None
    return current if current.claimed_until is not None and now < current.claimed_until else None


async def prepare(
    connection: AsyncConnection, line: FollowUp, place: Place, text: str, now: datetime, lease: timedelta
) -> FollowUp | None:
    """Write down what is about to be said and where; from here on it may have been said."""
    done = await connection.execute(
        _mine(line).values(
            place=str(place), text=text, prepared_at=now, claimed_until=now + lease, updated_at=now
        )
    )
    if done.rowcount != 1:
        return None
    return replace(line, place=place, text=text, prepared_at=now, claimed_until=now + lease)


async def sent(connection: AsyncConnection, line: FollowUp, now: datetime) -> None:
    """Note that it was said, whatever happened to the event meanwhile; it becomes a turn of hers."""
    noted = await connection.execute(
        update(follow_ups)
        .where(follow_ups.c.memory_id == line.memory_id)
        .values(
            state=str(FollowUpState.SENT),
            reason=None,
            sent_at=line.prepared_at or now,
            claimed_by=None,
            claimed_until=None,
            next_at=None,
            updated_at=now,
        )
    )
    if noted.rowcount == 0:
        return  # erased meanwhile: nothing about this person is written any more
    place = line.place or DM
    where = Message(line.nonce, line.user_id, line.persona_id, "", now, place).conversation
    known = await connection.execute(select(turns.c.seq).where(turns.c.message_id == line.nonce))
    if known.first() is None:
        await connection.execute(
            insert(turns).values(
                conversation=where,
                user_id=line.user_id,
                persona_id=line.persona_id,
                message_id=line.nonce,
                speaker=str(Speaker.CHARACTER),
                text=line.text or "",
                at=line.prepared_at or now,
            )
        )


async def give_back(
    connection: AsyncConnection, line: FollowUp, reason: str, next_at: datetime | None, now: datetime
) -> None:
    """Take the claim off: it was surely not said, and may be looked at again at ``next_at``."""
    await connection.execute(
        released(now)
        .where(follow_ups.c.memory_id == line.memory_id, follow_ups.c.claimed_by == line.claimed_by)
        .values(next_at=next_at, reason=reason, text=None)
    )


async def put_off(
    connection: AsyncConnection, line: FollowUp, reason: str, next_at: datetime | None, now: datetime
) -> None:
    """Note why an open follow-up waits, and until when."""
    if line.state is FollowUpState.UNDELIVERABLE:
        reason = CLOSED
    await connection.execute(
        update(follow_ups)
        .where(follow_ups.c.memory_id == line.memory_id, follow_ups.c.state.in_(OPEN))
        .values(next_at=next_at, reason=reason, updated_at=now)
    )


async def settle(
    connection: AsyncConnection,
    line: FollowUp,
    state: FollowUpState,
    reason: str,
    now: datetime,
    maybe_said: bool = False,
) -> None:
    """Close an open or claimed follow-up. ``maybe_said``: it counts among what she has sent."""
    values: dict[str, Any] = {
        "state": str(state),
        "reason": reason,
        "claimed_by": None,
        "claimed_until": None,
        "next_at": None,
        "updated_at": now,
    }
    if maybe_said:
        values["sent_at"] = line.prepared_at or now
    await connection.execute(
        update(follow_ups)
        .where(
            follow_ups.c.memory_id == line.memory_id,
            follow_ups.c.state.in_([*OPEN, CLAIMED]),
            or_(follow_ups.c.claimed_by.is_(None), follow_ups.c.claimed_by == line.claimed_by),
        )
        .values(**values)
    )


async def take_over(
    connection: AsyncConnection, line: FollowUp, holder: str, now: datetime, lease: timedelta
) -> FollowUp | None:
    """Take over a lapsed claim to settle it; None where somebody else has."""
    done = await connection.execute(
        _mine(line).where(lapsed(now, lease)).values(claimed_by=holder, claimed_until=now + lease)
    )
    return replace(line, claimed_by=holder, claimed_until=now + lease) if done.rowcount == 1 else None


async def settle_reply(
    connection: AsyncConnection, line: FollowUp, now: datetime, patience: timedelta
) -> bool:
    """Settle what a reply in a chat has claimed, by what became of the reply; False while that is open.

    After ``patience`` nobody will come back to the reply: then it is let go as uncertain.
    """
    message_id = (line.claimed_by or "").removeprefix(REPLY_CLAIM)
    row = (await connection.execute(select(inbox).where(inbox.c.id == message_id))).first()
    state = ReplyState(row.state) if row is not None else None
    if (
        row is not None
        and state is ReplyState.REPLIED
        and line.memory_id in (row.reply or {}).get("asked", ())
    ):
        place = Place.parse(row.place)
        message = Message(row.id, row.user_id, row.persona_id, "", row.said_at, place)
        await asked_in_reply(connection, message, [line.memory_id], now)
    elif row is None or state is not ReplyState.REPLYING:
        await connection.execute(released(now).where(follow_ups.c.memory_id == line.memory_id))
    elif line.claimed_until is not None and line.claimed_until <= now - patience:
        await settle(connection, line, FollowUpState.SKIPPED, "uncertain", now, maybe_said=True)
    else:
        return False
    return True


def _mine(line: FollowUp) -> Update:
    """Return an update of exactly the claim that was read."""
    return update(follow_ups).where(
        follow_ups.c.memory_id == line.memory_id,
        follow_ups.c.state == CLAIMED,
        follow_ups.c.claimed_by == line.claimed_by,
        follow_ups.c.claimed_until == line.claimed_until,
    )


def _same_claim(one_line: FollowUp, other: FollowUp) -> bool:
    return one_line.state is FollowUpState.CLAIMED and one_line.claimed_by == other.claimed_by
