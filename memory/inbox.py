"""The inbox: every admitted message is written down before anything else happens to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Speaker, Turn
from memory.clock import Clock
from memory.extraction.types import Extraction
from memory.follow_ups import asked_in_reply, claim_for_reply, hear, release_reply
from memory.messages import Message
from memory.places import Place
from memory.store.database import Database
from memory.store.dialects import insert_if_absent
from memory.store.schema import inbox, turns


class ReplyState(StrEnum):
    """How far the reply to a message has come. ``ignored``: it is only to be observed."""

    RECEIVED = "received"
    REPLYING = "replying"
    REPLIED = "replied"
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True)
class Entry:
    """A message in the inbox. ``reply``: what she said or was about to say; ``asked``: what it asks about."""

    seq: int
    message: Message
    state: ReplyState
    observed: bool
    reply: tuple[str, ...] | None
    asked: tuple[str, ...]
    extraction: Extraction | None
    received_at: datetime


class Inbox:
    """Messages on their way, and the turns of the conversations."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def admit(self, message: Message, answer: bool = True) -> bool:
        """Write a message down with its turn; False where its id is known: nothing changes then.

        A higher revision of a known message (an edit) is taken in its place and observed anew.
        """
        async with self._database.write() as connection:
            fresh = await insert_if_absent(
                connection,
                inbox,
                **_columns(message),
                received_at=self._clock.now(),
                state=str(ReplyState.RECEIVED if answer else ReplyState.IGNORED),
                observed=False,
            )
            if fresh:
                await _add_turn(
                    connection,
                    message,
                    Speaker.PERSON,
                    message.text,
                    at=message.said_at,
                    name=message.display_name,
                )
                await hear(connection, message, self._clock.now())
                return True
            return await _revise(connection, message)

    async def revise(self, message: Message) -> bool:
        """Take a higher revision in place of a known message; False where none is known, or it is no news."""
        async with self._database.write() as connection:
            return await _revise(connection, message)

    async def replying(
        self, message_id: str, reply: Sequence[str], asked: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Write down what she is about to say, and claim the events it asks about, before she says it.

        Returns those that somebody else is asking or has asked meanwhile: where they were due, a reply
        without them is better.
        """
        async with self._database.write() as connection:
            changed = {
                "state": str(ReplyState.REPLYING),
                "reply": {"parts": list(reply), "asked": list(asked)},
            }
            mine = update(inbox).where(inbox.c.id == message_id).values(**changed)
            first = await connection.execute(mine.where(inbox.c.state != str(ReplyState.REPLYING)))
            if first.rowcount == 0:  # an earlier draft of this reply: what that one had claimed is given back
                await connection.execute(mine)
                await release_reply(connection, message_id, self._clock.now(), spare=asked)
            return await claim_for_reply(connection, message_id, asked, self._clock.now())

    async def replied(self, message: Message, reply: Sequence[str], asked: Sequence[str] = ()) -> None:
        """Write down that she said it, with her turn and what it asked about, in one transaction."""
        async with self._database.write() as connection:
            changed = await connection.execute(
                update(inbox)
                .where(inbox.c.id == message.id, inbox.c.state != str(ReplyState.REPLIED))
                .values(state=str(ReplyState.REPLIED), reply={"parts": list(reply), "asked": list(asked)})
            )
            if changed.rowcount:
                await asked_in_reply(connection, message, asked, self._clock.now())
                await _add_turn(
                    connection, message, Speaker.CHARACTER, "\n".join(reply), at=self._clock.now()
                )

    async def count(self, message_id: str, **amounts: int) -> None:
        """Add numbers to what is kept with the reply to a message (what it cost); once it is replied."""
        async with self._database.write() as connection:
            query = select(inbox.c.reply).where(inbox.c.id == message_id).with_for_update()
            row = (await connection.execute(query)).first()
            if row is None:
                return
            kept = {"parts": [], "asked": [], **(row.reply or {})}
            for name, amount in amounts.items():
                kept[name] = int(kept.get(name, 0)) + amount
            await connection.execute(update(inbox).where(inbox.c.id == message_id).values(reply=kept))

    async def opened(self, message: Message, text: str) -> bool:
        """Write down how she opens a conversation before its first ``message``; False where it has turns."""
        async with self._database.write() as connection:
            known = await connection.execute(
                select(turns.c.seq).where(turns.c.conversation == message.conversation).limit(1)
            )
            if known.first() is not None:
                return False
            await _add_turn(connection, message, Speaker.CHARACTER, text, at=self._clock.now())
            return True

    async def ignore(self, message_id: str) -> None:
        """Settle a message without an answer: too old to be answered, still observed."""
        async with self._database.write() as connection:
            await connection.execute(
                update(inbox).where(inbox.c.id == message_id).values(state=str(ReplyState.IGNORED))
            )
            await release_reply(connection, message_id, self._clock.now())

    async def keep_extraction(self, message: Message, extraction: Extraction) -> None:
        """Keep what was read out of this revision, so that a second try reads nothing else."""
        async with self._database.write() as connection:
            await connection.execute(
                update(inbox)
                .where(inbox.c.id == message.id, inbox.c.revision == message.revision)
                .values(extraction=extraction.model_dump(mode="json"))
            )

    async def waits_for(self, message_id: str, cause: str | None) -> None:
        """Note what an observation waits for (a cause code), or that it no longer waits."""
        await self._set(message_id, waiting_for=cause)

    async def get(self, message_id: str) -> Entry | None:
        """Return one entry."""
        async with self._database.read() as connection:
            row = (await connection.execute(select(inbox).where(inbox.c.id == message_id))).first()
        return _entry(row) if row else None

    async def unanswered(self) -> tuple[Entry, ...]:
        """Return what was admitted and not yet answered, oldest first: what a restart finds."""
        return await self._entries(inbox.c.state.in_([str(ReplyState.RECEIVED), str(ReplyState.REPLYING)]))

    async def unobserved(
        self, user_id: str | None = None, persona_id: str | None = None
    ) -> tuple[Entry, ...]:
        """Return what is still to be observed, in the order it was said."""
        conditions: list[ColumnElement[bool]] = [inbox.c.observed.is_(False)]
        if user_id is not None:
            conditions.append(inbox.c.user_id == user_id)
        if persona_id is not None:
            conditions.append(inbox.c.persona_id == persona_id)
        return await self._entries(*conditions)

    async def people_waiting(self, since: datetime) -> tuple[tuple[str, str], ...]:
        """Return whose messages wait to be observed since before a moment, by person and character.

        One from the future was received by a clock that has gone back since: it counts as well.
        """
        late = or_(inbox.c.received_at <= since, inbox.c.received_at > self._clock.now())
        query = select(inbox.c.user_id, inbox.c.persona_id).where(inbox.c.observed.is_(False), late)
        async with self._database.read() as connection:
            rows = await connection.execute(query.distinct().order_by(inbox.c.user_id, inbox.c.persona_id))
            return tuple((row.user_id, row.persona_id) for row in rows)

    async def personas(self, user_id: str) -> frozenset[str]:
        """Return the characters a person has spoken to."""
        async with self._database.read() as connection:
            query = select(inbox.c.persona_id).where(inbox.c.user_id == user_id).distinct()
            return frozenset(row.persona_id for row in await connection.execute(query))

    async def waiting(self) -> int:
        """Return how many messages are not yet observed."""
        async with self._database.read() as connection:
            found = await connection.execute(
                select(func.count()).select_from(inbox).where(inbox.c.observed.is_(False))
            )
            return int(found.scalar_one())

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

    async def withdraw(self, message_id: str, *, unanswered: bool) -> None:
        """Take a message back (it was deleted): its turn goes, and what was not yet read of it never is.

        ``unanswered``: it still waited for its answer and gets none.
        """
        async with self._database.write() as connection:
            changed = {"state": str(ReplyState.IGNORED)} if unanswered else {}
            await connection.execute(
                update(inbox).where(inbox.c.id == message_id).values(text="", observed=True, **changed)
            )
            await connection.execute(
                delete(turns).where(turns.c.message_id == message_id, turns.c.speaker == str(Speaker.PERSON))
            )

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

    async def prune_turns(self, older_than: timedelta) -> int:
        """Drop turns nobody reads any more: a prompt takes the last few only."""
        async with self._database.write() as connection:
            gone = await connection.execute(delete(turns).where(turns.c.at < self._clock.now() - older_than))
            return gone.rowcount

    async def _set(self, message_id: str, **values: Any) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(inbox).where(inbox.c.id == message_id).values(**values))

    async def _entries(self, *conditions: Any) -> tuple[Entry, ...]:
        async with self._database.read() as connection:
            rows = await connection.execute(select(inbox).where(*conditions).order_by(inbox.c.seq))
            return tuple(_entry(row) for row in rows)


async def mark_observed(connection: AsyncConnection, message: Message) -> bool:
    """Mark a revision observed inside the transaction of its changes; False where it already was."""
    marked = await connection.execute(
        update(inbox)
        .where(
            inbox.c.id == message.id,
            inbox.c.revision == message.revision,
            inbox.c.observed.is_(False),
        )
        .values(observed=True, waiting_for=None)
    )
    return bool(marked.rowcount == 1)


async def _revise(connection: AsyncConnection, message: Message) -> bool:
    edited = await connection.execute(
        update(inbox)
        .where(inbox.c.id == message.id, inbox.c.revision < message.revision)
        .values(text=message.text, revision=message.revision, observed=False, extraction=None)
    )
    if edited.rowcount:
        await connection.execute(
            update(turns)
            .where(turns.c.message_id == message.id, turns.c.speaker == str(Speaker.PERSON))
            .values(text=message.text)
        )
    return bool(edited.rowcount)


def _columns(message: Message) -> dict[str, Any]:
    return {
        "id": message.id,
        "revision": message.revision,
        "user_id": message.user_id,
        "persona_id": message.persona_id,
        "conversation": message.conversation,
        "place": str(message.place),
        "client": message.client,
        "text": message.text,
        "display_name": message.display_name,
        "zone": message.zone,
        "language": message.language,
        "said_at": message.said_at,
    }


def _entry(row: Row[Any]) -> Entry:
    message = Message(
        id=row.id,
        user_id=row.user_id,
        persona_id=row.persona_id,
        text=row.text,
        said_at=row.said_at,
        place=Place.parse(row.place),
        revision=row.revision,
        zone=row.zone,
        language=row.language,
        display_name=row.display_name,
        client=row.client,
    )
    return Entry(
        seq=row.seq,
        message=message,
        state=ReplyState(row.state),
        observed=row.observed,
        reply=tuple(row.reply["parts"]) if row.reply is not None else None,
        asked=tuple(row.reply["asked"]) if row.reply is not None else (),
        extraction=Extraction.model_validate(row.extraction) if row.extraction else None,
        received_at=row.received_at,
    )


async def _add_turn(
    connection: AsyncConnection,
    message: Message,
    speaker: Speaker,
    text: str,
    *,
    at: datetime,
    name: str | None = None,
) -> None:
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
