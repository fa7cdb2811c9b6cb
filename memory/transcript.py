"""The turns of the conversations: what was said lately, as a prompt shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Speaker, Turn
from memory.clock import Clock
from memory.messages import Message
from memory.store.database import Database
from memory.store.schema import turns


@dataclass(frozen=True, slots=True)
class LeadUp:
    """What led up to a message in its conversation.

    ``hers``: what she said last before it to this person, to read an answer by. ``turns``: the last
    ones as a reply needs them, oldest first, its own at the end: what others said after it waits for
    replies of its own and is left out; what she said meanwhile, to those before it, is there.
    ``last_at``: when the last turn that is not its own was said; None for the first.
    """

    hers: str | None = None
    turns: tuple[Turn, ...] = ()
    last_at: datetime | None = None


class Transcript:
    """Reads and drops turns; they are written with the messages they belong to."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def opened(self, message: Message, text: str) -> bool:
        """Write down how she opens a conversation before its first ``message``; False where it has turns."""
        async with self._database.write() as connection:
            known = await connection.execute(
                select(turns.c.seq).where(turns.c.conversation == message.conversation).limit(1)
            )
            if known.first() is not None:
                return False
            await add_turn(connection, message, Speaker.CHARACTER, text, at=self._clock.now())
            return True

    async def recent_turns(self, conversation: str, limit: int) -> tuple[Turn, ...]:
        """Return the last turns of a conversation, oldest first."""
        return await self._database.snapshot(_recent, conversation, limit)

    async def lead_up(self, message: Message, limit: int) -> LeadUp:
        """Return what led up to a message, with the last turns up to ``limit`` to answer it by."""
        return await self._database.snapshot(_lead_up, message, limit)

    async def her_turn_before(self, message: Message) -> str | None:
        """Return what she said last before a message in its conversation: to read an answer by."""
        return await self._database.snapshot(_hers_before, message)

    async def forget_turns(self, conversation: str, user_id: str | None = None) -> int:
        """Drop the turns of a conversation (the person's wish); returns how many.

        ``user_id``: only what this person said there and she answered to it.
        """
        chosen = turns.c.conversation == conversation
        if user_id is not None:
            chosen &= turns.c.user_id == user_id
        async with self._database.write() as connection:
            gone = await connection.execute(delete(turns).where(chosen))
            return gone.rowcount


async def add_turn(
    connection: AsyncConnection,
    message: Message,
    speaker: Speaker,
    text: str,
    *,
    at: datetime,
    name: str | None = None,
) -> None:
    """Write down one turn."""
    await connection.execute(
        insert(turns).values(
            conversation=message.conversation,
            user_id=message.user_id,
            persona_id=message.persona_id,
            message_id=message.id,
            speaker=str(speaker),
            name=name,
            text=text,
            at=at,
        )
    )


def _recent(connection: Connection, conversation: str, limit: int) -> tuple[Turn, ...]:
    query = select(turns).where(turns.c.conversation == conversation)
    rows = connection.execute(query.order_by(turns.c.seq.desc()).limit(limit)).all()
    return tuple(_turn(row) for row in reversed(rows))


def _lead_up(connection: Connection, message: Message, limit: int) -> LeadUp:
    return LeadUp(
        hers=_hers_before(connection, message),
        turns=_to_answer(connection, message, limit),
        last_at=_last_at(connection, message),
    )


def _own(connection: Connection, message: Message) -> int | None:
    """Return where a message stands among the turns."""
    spoken = turns.c.speaker == str(Speaker.PERSON)
    return connection.scalar(select(turns.c.seq).where(turns.c.message_id == message.id, spoken))


def _hers_before(connection: Connection, message: Message) -> str | None:
    query = select(turns.c.text, turns.c.speaker, turns.c.user_id).where(
        turns.c.conversation == message.conversation
    )
    at = _own(connection, message)
    if at is not None:
        query = query.where(turns.c.seq < at)
    row = connection.execute(query.order_by(turns.c.seq.desc()).limit(1)).first()
    if row is None or row.speaker != str(Speaker.CHARACTER) or row.user_id != message.user_id:
        return None
    return str(row.text)


def _to_answer(connection: Connection, message: Message, limit: int) -> tuple[Turn, ...]:
    query = select(turns).where(turns.c.conversation == message.conversation)
    at = _own(connection, message)
    if at is not None:
        hers = turns.c.speaker == str(Speaker.CHARACTER)
        query = query.where((turns.c.seq <= at) | hers).order_by((turns.c.seq == at).desc())
    rows = list(connection.execute(query.order_by(turns.c.seq.desc()).limit(limit)))
    rows.sort(key=lambda row: (row.seq == at, row.seq))
    return tuple(_turn(row) for row in rows)


def _last_at(connection: Connection, message: Message) -> datetime | None:
    query = select(turns.c.at).where(
        turns.c.conversation == message.conversation, turns.c.message_id != message.id
    )
    return connection.scalar(query.order_by(turns.c.seq.desc()).limit(1))


def _turn(row: Row[Any]) -> Turn:
    return Turn(Speaker(row.speaker), row.text, row.name)
