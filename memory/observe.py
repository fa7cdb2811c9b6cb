"""Observing a message: extract, ground, compare, make room; the changes are one transaction.

Messages of one person to one character are observed in the order they were said, one at a time.
What was read out of a message is kept, so that a second try reads nothing else; ids are derived
from it, so that a second try stores nothing twice. Where a compared row changed meanwhile, the
comparison is made anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from llm.errors import ModelError
from llm.protocols import Embedder
from memory.bereavement import leave_in_peace, may_hold_loss
from memory.capacity import evictions
from memory.clock import Clock
from memory.comparing import Comparer
from memory.dating import date_fact
from memory.extraction.types import Change, Extraction, ExtractionRequest, Extractor, Fact, ZeroCause
from memory.follow_ups import reschedule
from memory.identifiers import memory_id
from memory.inbox import Entry, Inbox, mark_observed
from memory.lexical import embedding_text
from memory.messages import Message
from memory.model import ArchivedReason, Flag, Kind, Memory
from memory.people import People
from memory.plan import Draft, Plan, Skipped
from memory.policy import MemoryPolicy
from memory.steps import OnStep, Step, ignore_step
from memory.store import gate
from memory.store.database import Database
from memory.store.errors import StaleRevision
from memory.store.gate import Stored
from memory.store.lease import Leases
from memory.store.outbox import Outbox
from memory.store.writer import Writer
from memory.temporal import expiry_of

log = logging.getLogger(__name__)

_TRIES = 8

AT_ONCE = 16
"""People whose messages are observed side by side; the others' wait in the inbox, where nothing is lost."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a message changed. ``cause`` says why there was no fact; ``waiting`` what it waits for."""

    written: tuple[Memory, ...] = ()
    archived: tuple[Memory, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    cause: ZeroCause | None = None
    waiting: str | None = None


class Observer:
    """Turns the messages of the inbox into memories."""

    def __init__(
        self,
        *,
        database: Database,
        inbox: Inbox,
        people: People,
        leases: Leases,
        outbox: Outbox,
        embedder: Embedder,
        extractor: Extractor,
        fallback_extractor: Extractor,
        comparer: Comparer,
        fallback_comparer: Comparer,
        clock: Clock,
        policy: MemoryPolicy,
        on_step: OnStep = ignore_step,
    ) -> None:
        self._database = database
        self._inbox = inbox
        self._people = people
        self._leases = leases
        self._outbox = outbox
        self._embedder = embedder
        self._extractor = extractor
        self._fallback_extractor = fallback_extractor
        self._comparer = comparer
        self._fallback_comparer = fallback_comparer
        self._clock = clock
        self._policy = policy
        self._on_step = on_step
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def observe_person(self, user_id: str, persona_id: str) -> dict[str, Observation]:
        """Observe everything a person has said and that is not yet observed, by message id.

        Stops at the first message that has to wait for a model: what was said later is compared
        with what it holds.
        """
        done: dict[str, Observation] = {}
        async with self._turns, self._leases.hold(f"observe|{persona_id}|{user_id}"):
            for entry in await self._inbox.unobserved(user_id, persona_id):
                observation = await self._observe(entry)
                done[entry.message.id] = observation
                if observation.waiting is not None:
                    break
        self._outbox.wake()
        return done

    async def _observe(self, entry: Entry) -> Observation:
        message = entry.message
        overdue = self._clock.now() - entry.received_at >= self._policy.judge_wait
        try:
            extraction = entry.extraction or await self._extract(message, overdue)
            if entry.extraction is None:
                await self._inbox.keep_extraction(message, extraction)
                self._on_step(Step.EXTRACTED)
            return await self._remember(message, extraction, overdue)
        except ModelError as error:
            cause = type(error).__name__
            log.warning("message %s waits in the inbox: %s", message.id, cause)
            await self._inbox.waits_for(message.id, cause)
            return Observation(waiting=cause)

    async def _extract(self, message: Message, overdue: bool) -> Extraction:
        if (await self._people.get(message.user_id)).paused:
            return Extraction(cause=ZeroCause.PAUSED, extractor="none")
        request = ExtractionRequest(
            text=message.text,
            said_at=message.said_at,
            zone=message.zone,
            language=message.language,
            her_last_turn=await self._inbox.her_turn_before(message),
        )
        extractor = self._fallback_extractor if overdue else self._extractor
        try:
            return await extractor.extract(request)
        except ModelError as error:
            if error.transient:
                raise
            # asking again would give the same: the rules read it, and the log says so
            log.warning("message %s: %s from the extractor, read by rules", message.id, type(error).__name__)
            return await self._fallback_extractor.extract(request)

    async def _remember(self, message: Message, extraction: Extraction, overdue: bool) -> Observation:
        drafts = await self._drafts(message, extraction)
        comparer = self._fallback_comparer if overdue else self._comparer
        for attempt in range(_TRIES):
            async with self._database.read() as connection:
                held = await gate.comparable(connection, message.user_id, message.persona_id)
            plan = await comparer.plan(message, drafts, held)
            self._on_step(Step.COMPARED)
            try:
                observation = await self._commit(message, plan, extraction)
            except StaleRevision as error:
                if attempt == _TRIES - 1:
                    raise
                log.info("message %s: compared anew (%s)", message.id, error)
            else:
                self._on_step(Step.OBSERVED)
                return observation
        raise AssertionError("unreachable")

    async def _drafts(self, message: Message, extraction: Extraction) -> tuple[Draft, ...]:
        memories = [self._draft(message, fact, number) for number, fact in enumerate(extraction.facts)]
        vectors = await self._embedder.embed_documents([embedding_text(m.text) for m in memories])
        return tuple(
            Draft(fact, memory, vector)
            for fact, memory, vector in zip(extraction.facts, memories, vectors, strict=True)
        )

    def _draft(self, message: Message, fact: Fact, ordinal: int) -> Memory:
        dating = date_fact(fact, message)
        off = fact.change is Change.CANCELLED and fact.kind is Kind.EVENT
        return Memory(
            id=memory_id(message.id, message.revision, ordinal),
            user_id=message.user_id,
            persona_id=message.persona_id,
            places=(str(message.place),),
            text=fact.text,
            language=fact.language,
            quote=fact.quote,
            subject=fact.subject,
            category=fact.category,
            kind=fact.kind,
            attribute=fact.attribute,
            created_at=message.said_at,
            updated_at=message.said_at,
            valid_from=dating.valid_from,
            valid_to=dating.valid_to,
            precision=dating.precision,
            zone=message.zone,
            when_text=dating.when_text,
            expires_at=expiry_of(
                fact.category, fact.kind, message.said_at, dating.valid_to, self._policy, message.zone
            ),
            outcome=fact.outcome if fact.kind is Kind.EVENT else None,
            sensitive=fact.sensitive,
            flags=(*dating.flags, Flag.CANCELLED) if off else dating.flags,
            source=message.id,
        )

    async def _commit(self, message: Message, plan: Plan, extraction: Extraction) -> Observation:
        now = self._clock.now()
        async with self._database.write() as connection:
            if not await mark_observed(connection, message):
                return Observation(cause=extraction.cause)  # somebody else has observed it
            writer = Writer(connection, now, f"observer:{extraction.extractor}"[:160])
            before: Sequence[Stored] | None = None
            if may_hold_loss(message.text):
                before = await gate.comparable(connection, message.user_id, message.persona_id)
            written, archived = await plan.apply(writer)
            live = [
                item.memory for item in await gate.comparable(connection, message.user_id, message.persona_id)
            ]
            leaving = evictions(live, now, self._policy, spare={memory.id for memory in written})
            for memory in leaving:
                archived.append(await writer.archive(memory, ArchivedReason.EVICTED))
            if len(live) - len(leaving) > self._policy.cap_per_person:
                log.warning("message %s: over the cap, and nothing may be evicted", message.id)
            stories = _told_as_over(message, extraction)
            asked_about = [memory for memory in writer.touched if memory.id not in stories]
            await reschedule(connection, asked_about, self._policy, now)
            if before is not None:
                archived.extend(await leave_in_peace(writer, message, [item.memory for item in before]))
        return Observation(tuple(written), tuple(archived), plan.skipped, extraction.cause)


def _told_as_over(message: Message, extraction: Extraction) -> frozenset[str]:
    """Return the ids of events new to her and told as over: she asks there and then, or never."""
    return frozenset(
        memory_id(message.id, message.revision, number)
        for number, fact in enumerate(extraction.facts)
        if fact.change is Change.DONE
    )
