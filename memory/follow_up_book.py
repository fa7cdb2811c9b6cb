"""The book of follow-ups as the scheduler reads it: who is due, and how each person stands with her.

Every function works inside the caller's transaction.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.follow_ups import CLAIMED, OPEN, FollowUpState
from memory.inbox import ReplyState
from memory.model import Flag, Memory
from memory.people import Person, locked_person
from memory.places import DM, Place
from memory.store.gate import some
from memory.store.lease import CLOCKS_DIFFER
from memory.store.schema import follow_ups, inbox, turns

# So far back reaches what may still fall on a person's today, wherever they are.
_LATELY = timedelta(days=3)
# A message is being answered this long after it came in; what is older was given up.
_ANSWERING = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One line of the book with its event; ``event`` None only where a row was written by hand."""

    memory_id: str
    user_id: str
    persona_id: str
    due_at: datetime
    state: FollowUpState
    attempts: int
    claimed_by: str | None
    claimed_until: datetime | None
    place: Place | None
    text: str | None
    prepared_at: datetime | None
    sent_at: datetime | None
    reason: str | None
    next_at: datetime | None
    event: Memory | None = None

    @property
    def nonce(self) -> str:
        """What marks its message wherever it is said; the same at every try."""
        return hashlib.sha256(f"follow-up\x1f{self.memory_id}".encode()).hexdigest()[:24]

    @property
    def gone(self) -> bool:
        """Whether there is nothing to ask about any more."""
        return self.event is None or self.event.archived or Flag.CANCELLED in self.event.flags


@dataclass(frozen=True, slots=True)
class Standing:
    """How a person stands with her just now; their row is held until the transaction ends."""

    person: Person
    last_words: datetime | None
    being_answered: bool
    sent: tuple[datetime, ...]
    unanswered: int
    claimed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to do now: whose follow-ups to look at, the longest due first, and lapsed claims."""

    people: tuple[str, ...]
    lapsed: tuple[str, ...]


async def work(connection: AsyncConnection, persona_id: str | None, now: datetime, lease: timedelta) -> Work:
    """Return what there is to do for one character, or for all."""
    rows = (
        await connection.execute(
            select(follow_ups.c.memory_id, follow_ups.c.user_id, follow_ups.c.state)
            .where(
                _of(persona_id),
                or_(and_(*_ripe(now)), and_(follow_ups.c.state == CLAIMED, lapsed(now, lease))),
            )
            .order_by(follow_ups.c.due_at, follow_ups.c.memory_id)
        )
    ).all()
    return Work(
        people=tuple(dict.fromkeys(row.user_id for row in rows if row.state != CLAIMED)),
        lapsed=tuple(row.memory_id for row in rows if row.state == CLAIMED),
    )


def lapsed(now: datetime, lease: timedelta) -> ColumnElement[bool]:
    """Return the condition that a claim has run out, or was written by a clock that has since gone back."""
    ahead = now + lease + CLOCKS_DIFFER  # further than another machine's clock may be
    return or_(follow_ups.c.claimed_until <= now, follow_ups.c.claimed_until > ahead)


async def line_of(connection: AsyncConnection, memory_id: str) -> FollowUp | None:
    """Return the follow-up of one event as it is now."""
    found = await read_lines(connection, lines().where(follow_ups.c.memory_id == memory_id))
    return found[0] if found else None


async def due_of(
    connection: AsyncConnection, persona_id: str | None, user_id: str, now: datetime
) -> tuple[FollowUp, ...]:
    """Return one person's follow-ups that are to be looked at now, the longest due first."""
    query = lines().where(_of(persona_id), follow_ups.c.user_id == user_id, *_ripe(now))
    return await read_lines(connection, query)


async def of_person(connection: AsyncConnection, user_id: str) -> tuple[FollowUp, ...]:
    """Return all of one person's follow-ups, the earliest due first: the owner's view."""
    return await read_lines(connection, lines().where(follow_ups.c.user_id == user_id))


async def standing(connection: AsyncConnection, user_id: str, now: datetime) -> Standing:
    """Read how a person stands with her, and hold their row."""
    person = await locked_person(connection, user_id)
    last_words = (
        select(inbox.c.said_at).where(inbox.c.user_id == user_id).order_by(inbox.c.said_at.desc()).limit(1)
    )
    being_answered = (
        select(inbox.c.seq)
        .where(
            inbox.c.user_id == user_id,
            inbox.c.said_at > now - _ANSWERING,
            inbox.c.state.in_([str(ReplyState.RECEIVED), str(ReplyState.REPLYING)]),
        )
        .limit(1)
    )
    talk = (
        await connection.execute(
            select(last_words.scalar_subquery().label("at"), being_answered.scalar_subquery().label("open"))
        )
    ).one()
    hers = list(
        await connection.execute(
            select(follow_ups.c.memory_id, follow_ups.c.state, follow_ups.c.sent_at, follow_ups.c.heard_at)
            .where(
                follow_ups.c.user_id == user_id,
                or_(
                    follow_ups.c.state == CLAIMED,
                    follow_ups.c.sent_at > now - _LATELY,
                    and_(follow_ups.c.sent_at.is_not(None), follow_ups.c.heard_at.is_(None)),
                ),
            )
            .order_by(follow_ups.c.memory_id)
        )
    )
    return Standing(
        person=person,
        last_words=talk.at,
        being_answered=talk.open is not None,
        sent=tuple(row.sent_at for row in hers if row.sent_at is not None),
        unanswered=sum(row.sent_at is not None and row.heard_at is None for row in hers),
        claimed=frozenset(row.memory_id for row in hers if row.state == CLAIMED),
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked a person in their DM by herself, and when there was last a word after that, if any."""

    persona_id: str
    last_word: datetime | None = None


async def asked_lately(connection: AsyncConnection, user_id: str, since: datetime) -> Asked | None:
    """Return which character was the last to ask in a person's DM by herself, since a moment.

    What is being said at this very moment counts: its answer may be faster than the note that it was said.
    """
    said = (str(FollowUpState.CLAIMED), str(FollowUpState.SENT), str(FollowUpState.ANSWERED))
    rows = await read_lines(
        connection,
        select(follow_ups)
        .where(
            follow_ups.c.user_id == user_id,
            follow_ups.c.place == str(DM),
            follow_ups.c.prepared_at > since,
            follow_ups.c.state.in_(said),
        )
        .order_by(follow_ups.c.prepared_at.desc())
        .limit(1),
    )
    if not rows:
        return None
    line = rows[0]
    question = select(turns.c.conversation, turns.c.seq).where(turns.c.message_id == line.nonce)
    turn = (await connection.execute(question)).first()
    if turn is None:
        return Asked(line.persona_id)
    later = (
        select(turns.c.at)
        .where(turns.c.conversation == turn.conversation, turns.c.seq > turn.seq)
        .order_by(turns.c.seq.desc())
        .limit(1)
    )
    return Asked(line.persona_id, (await connection.execute(later)).scalar())


async def look_again(connection: AsyncConnection) -> None:
    """Let everything open be looked at anew: the house has just started, its rules may have changed."""
    await connection.execute(
        update(follow_ups)
        .where(follow_ups.c.state.in_(OPEN), follow_ups.c.attempts == 0)
        .values(next_at=None)
    )


def _of(persona_id: str | None) -> ColumnElement[bool]:
    return true() if persona_id is None else follow_ups.c.persona_id == persona_id


def _ripe(now: datetime) -> tuple[Any, ...]:
    return (
        follow_ups.c.state.in_(OPEN),
        follow_ups.c.due_at <= now,
        or_(follow_ups.c.next_at.is_(None), follow_ups.c.next_at <= now),
    )


def lines() -> Select[Any]:
    """Return the query over the whole book, the earliest due first."""
    return select(follow_ups).order_by(follow_ups.c.due_at, follow_ups.c.memory_id)


async def read_lines(connection: AsyncConnection, query: Select[Any]) -> tuple[FollowUp, ...]:
    """Read lines with their events."""
    rows: Sequence[Row[Any]] = (await connection.execute(query)).all()
    events = await some(connection, [row.memory_id for row in rows]) if rows else {}
    return tuple(
        _line(row, events[row.memory_id].memory if row.memory_id in events else None) for row in rows
    )


def _line(row: Row[Any], event: Memory | None) -> FollowUp:
    return FollowUp(
        memory_id=row.memory_id,
        user_id=row.user_id,
        persona_id=row.persona_id,
        due_at=row.due_at,
        state=FollowUpState(row.state),
        attempts=row.attempts,
        claimed_by=row.claimed_by,
        claimed_until=row.claimed_until,
        place=Place.parse(row.place) if row.place is not None else None,
        text=row.text,
        prepared_at=row.prepared_at,
        sent_at=row.sent_at,
        reason=row.reason,
        next_at=row.next_at,
        event=event,
    )
