"""The turns of the conversations: what was said lately, as a prompt shows it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Speaker, Turn
from memory.clock import Clock
from memory.messages import Message
from memory.store.database import Database
from memory.store.schema import turns


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
        async with self._database.read() as connection:
            query = select(turns).where(turns.c.conversation == conversation)
            rows = await connection.execute(query.order_by(turns.c.seq.desc()).limit(limit))
            found = [Turn(Speaker(row.speaker), row.text, row.name) for row in rows]
        return tuple(reversed(found))

    async def turns_to_answer(self, message: Message, limit: int) -> tuple[Turn, ...]:
        """Return the last turns as a reply to a message needs them: its own stands at the end.

        What others said after it waits for replies of its own and is left out; what she said
        meanwhile, to those before it, is there.
        """
        hers = turns.c.speaker == str(Speaker.CHARACTER)
        own = (turns.c.message_id == message.id) & ~hers
        async with self._database.read() as connection:
            at = (await connection.execute(select(turns.c.seq).where(own))).scalar()
            query = select(turns).where(turns.c.conversation == message.conversation)
            if at is not None:
                query = query.where((turns.c.seq <= at) | hers).order_by((turns.c.seq == at).desc())
            rows = list(await connection.execute(query.order_by(turns.c.seq.desc()).limit(limit)))
        rows.sort(key=lambda row: (row.seq == at, row.seq))
        return tuple(Turn(Speaker(row.speaker), row.text, row.name) for row in rows)

    async def her_turn_before(self, message: Message) -> str | None:
        """Return what she said last before a message in its conversation: to read an answer by."""
        async with self._database.read() as connection:
            at = (
                await connection.execute(
                    select(turns.c.seq).where(
                        turns.c.message_id == message.id, turns.c.speaker == str(Speaker.PERSON)
                    )
                )
            ).scalar()
            query = select(turns.c.text, turns.c.speaker, turns.c.user_id).where(
                turns.c.conversation == message.conversation
            )
            if at is not None:
                query = query.where(turns.c.seq < at)
            row = (await connection.execute(query.order_by(turns.c.seq.desc()).limit(1))).first()
        if row is None or row.speaker != str(Speaker.CHARACTER) or row.user_id != message.user_id:
            return None
        return str(row.text)

    async def last_said(self, message: Message) -> datetime | None:
        """Return when the last turn before a message was said in its conversation; None for the first."""
        async with self._database.read() as connection:
            query = select(turns.c.at).where(
                turns.c.conversation == message.conversation, turns.c.message_id != message.id
            )
            at = (await connection.execute(query.order_by(turns.c.seq.desc()).limit(1))).scalar()
        return at if isinstance(at, datetime) else None

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
