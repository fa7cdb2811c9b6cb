"""The inbox: every admitted message is written down before anything else happens to it.

Of a person who has paused, nothing that was said is written: neither their words nor hers, no
name, no turn. What stays is that there was a message (its id, when and where, whether it was
answered), without which it would be answered twice and count for no budget. The words live in the
process alone until they are answered. So a crash before the answer loses them: the next start
forgets the bare row, and a client that can look into a history (Discord) finds the message there
anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Speaker
from memory.extraction.types import Extraction, ZeroCause
from memory.follow_ups import asked_in_reply, claim_for_reply, hear, release_reply
from memory.messages import Message
from memory.people import person_in
from memory.places import Place
from memory.store.dialects import insert_if_absent
from memory.store.schema import inbox, turns
from memory.transcript import Transcript, add_turn

WITHHELD = Extraction(cause=ZeroCause.PAUSED, extractor="withheld")
"""Marks what was said by somebody who had paused: nothing of it is there to be read."""


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

    @property
    def withheld(self) -> bool:
        """Whether its words were not written down: its person had paused."""
        return self.extraction == WITHHELD


class Inbox(Transcript):
    """Messages on their way, and with them the turns of the conversations."""

    async def admit(self, message: Message, answer: bool = True) -> bool:
        """Write a message down with its turn; False where its id is known: nothing changes then.

        A higher revision of a known message (an edit) is taken in its place and observed anew. Of a
        person who has paused only the bare row is written.
        """
        async with self._database.write() as connection:
            paused = (await person_in(connection, message.user_id)).paused
            fresh = await insert_if_absent(
                connection,
                inbox,
                **(_columns(message) | (_withheld() if paused else {"observed": False})),
                received_at=self._clock.now(),
                state=str(ReplyState.RECEIVED if answer else ReplyState.IGNORED),
            )
            if fresh:
                if not paused:
                    await add_turn(
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
            kept = () if await _is_withheld(connection, message_id) else reply
            changed = {
                "state": str(ReplyState.REPLYING),
                "reply": {"parts": list(kept), "asked": list(asked)},
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
            withheld = await _is_withheld(connection, message.id)
            kept = [] if withheld else list(reply)
            changed = await connection.execute(
                update(inbox)
                .where(inbox.c.id == message.id, inbox.c.state != str(ReplyState.REPLIED))
                .values(state=str(ReplyState.REPLIED), reply={"parts": kept, "asked": list(asked)})
            )
            if changed.rowcount:
                await asked_in_reply(connection, message, asked, self._clock.now())
                if not withheld:
                    await add_turn(
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
        return await self._database.snapshot(_one, message_id)

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

    async def drop(self, message_id: str) -> None:
        """Drop a bare row whose words are lost: the message is as good as never heard."""
        async with self._database.write() as connection:
            await connection.execute(delete(inbox).where(inbox.c.id == message_id))

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

    async def _set(self, message_id: str, **values: Any) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(inbox).where(inbox.c.id == message_id).values(**values))

    async def _entries(self, *conditions: ColumnElement[bool]) -> tuple[Entry, ...]:
        return await self._database.snapshot(_entries, conditions)


def _one(connection: Connection, message_id: str) -> Entry | None:
    row = connection.execute(select(inbox).where(inbox.c.id == message_id)).first()
    return _entry(row) if row else None


def _entries(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> tuple[Entry, ...]:
    rows = connection.execute(select(inbox).where(*conditions).order_by(inbox.c.seq))
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
    paused = (await person_in(connection, message.user_id)).paused
    changed = _withheld() if paused else {"text": message.text, "observed": False, "extraction": None}
    edited = await connection.execute(
        update(inbox)
        .where(inbox.c.id == message.id, inbox.c.revision < message.revision)
        .values(revision=message.revision, **changed)
    )
    if edited.rowcount and paused:
        await connection.execute(delete(turns).where(turns.c.message_id == message.id))
    elif edited.rowcount:
        await connection.execute(
            update(turns)
            .where(turns.c.message_id == message.id, turns.c.speaker == str(Speaker.PERSON))
            .values(text=message.text)
        )
    return bool(edited.rowcount)


def _withheld() -> dict[str, Any]:
    """Return what stands in a row in place of what was said."""
    return {
        "text": "",
        "display_name": None,
        "observed": True,
        "extraction": WITHHELD.model_dump(mode="json"),
    }


async def _is_withheld(connection: AsyncConnection, message_id: str) -> bool:
    row = (await connection.execute(select(inbox.c.extraction).where(inbox.c.id == message_id))).first()
    return row is not None and row.extraction == WITHHELD.model_dump(mode="json")


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
