"""Recall: from a message to everything remembered for it. Reads through the live gate, writes nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import Connection

from llm.protocols import Vector
from memory.bereavement import tells_of_loss
from memory.clock import Clock
from memory.follow_ups import due_now
from memory.fusion import named_spans
from memory.lexical import scores_of_terms, terms_of_all
from memory.meant import which_event
from memory.messages import Message
from memory.model import Flag, Kind, Memory
from memory.policy import MemoryPolicy
from memory.profile import profile
from memory.ranking import Candidate, apply_reading, rank
from memory.reading import read_message
from memory.recollection import Reading, Recalled, Recollection
from memory.store import gate
from memory.store.database import Database
from memory.store.errors import IndexBusy, IndexUnavailable
from memory.store.index import VectorIndex
from memory.store.outbox import pending_of
from memory.store.revisions import Revisions, Stored
from memory.telling import corrected

log = logging.getLogger(__name__)

# How many ids the index proposes: twice the candidates that are ranked.
PROPOSALS = 40
# How far ahead an event is on somebody's mind whatever they speak of, and how many such are offered.
UPCOMING = timedelta(days=7)
UPCOMING_KEPT = 3


class Recall:
    """Remembers. The index proposes, SQL decides: every candidate is read from SQL through the gate.

    ``embedder`` names the vector space, whose thresholds apply. ``kept`` holds what was read before.
    """

    def __init__(
        self,
        database: Database,
        index: VectorIndex | None,
        embedder: str,
        clock: Clock,
        policy: MemoryPolicy,
        kept: Revisions | None = None,
    ) -> None:
        self._database = database
        self._index = index
        self._thresholds = policy.thresholds_for(embedder)
        self._clock = clock
        self._policy = policy
        self._kept = kept if kept is not None else Revisions()

    async def recall(
        self, message: Message, query: Vector | None, her_last_turn: str | None = None
    ) -> Recollection:
        """Return what is remembered for a message, in its place, now.

        ``query`` is the message's vector; without it (the embedder is away) recall goes by words
        alone. ``her_last_turn`` is there to read an answer by (「考得怎麼樣？」「爆了」). A dead
        index narrows nothing: every row is looked at then.
        """
        now = self._clock.now()
        stored, pending, due = await self._database.snapshot(_read, message, now, self._policy, self._kept)
        live = [item.memory for item in stored]
        # only what the gate let through and the index is known to hold is asked about
        mirrored = [memory.id for memory in live if memory.id not in pending]
        proposing = asyncio.create_task(self._propose(message.user_id, mirrored, query))
        try:
            await asyncio.sleep(0)  # the question is on its way: the words are read while Chroma looks
            reading = read_message(message.text, message.said_at, message.zone, her_last_turn)
            words = scores_of_terms(message.text, self._kept.terms(stored, terms_of_all))
            scores = {memory.id: score for memory, score in zip(live, words, strict=True)}
            meant = self._meant(reading, live, now)
            reading = corrected(reading, next((m for m in live if m.id == meant), None), now)
            wanted = {i for i, score in scores.items() if score > 0} | _said_in(live, reading, now) | {meant}
            about_them = profile(live, now, self._policy)
            asked = self._due(live, due, meant, now, message)
            upcoming = self._upcoming(live, meant, now, message)
            proposed = await proposing
        finally:
            proposing.cancel()
        considered = _considered(stored, proposed, pending, wanted)
        similarity = _similarities(considered, query)
        ranking = rank(
            message.text,
            reading,
            [
                Candidate(
                    memory=item.memory,
                    similarity=similarity.get(item.memory.id),
                    lexical=scores.get(item.memory.id, 0.0),
                    meant=item.memory.id == meant,
                )
                for item in considered
            ],
            now,
            self._policy,
            self._thresholds,
            language=message.language,
            zone=message.zone,
        )
        kept = apply_reading(ranking.kept, reading, meant, now, self._policy, message.language)
        return Recollection(
            now=now,
            zone=message.zone,
            language=message.language,
            place=message.place,
            profile=about_them,
            memories=kept,
            due=asked,
            audit=ranking.audit,
            reading=reading,
            upcoming=upcoming,
        )

    def _meant(self, reading: Reading, live: Sequence[Memory], now: datetime) -> str | None:
        event = which_event(reading, [m for m in live if m.kind is Kind.EVENT], now)
        return event.id if event else None

    def _due(
        self, live: Sequence[Memory], due: Sequence[str], meant: str | None, now: datetime, message: Message
    ) -> tuple[Recalled, ...]:
        """Return the events to ask about; the one this message speaks of is being told already.

        What is painful is asked in private only.
        """
        by_id = {memory.id: memory for memory in live if message.place.is_dm or not memory.sensitive}
        asked = [by_id[i] for i in due if i in by_id and i != meant]
        ranking = rank(
            "",
            Reading(),
            [Candidate(memory, meant=True) for memory in asked],
            now,
            self._policy,
            self._thresholds,
            kept=len(asked),
            language=message.language,
            zone=message.zone,
        )
        order = {memory.id: place for place, memory in enumerate(asked)}
        return tuple(sorted(ranking.kept, key=lambda one: order[one.memory.id]))

    def _upcoming(
        self, live: Sequence[Memory], meant: str | None, now: datetime, message: Message
    ) -> tuple[Recalled, ...]:
        """Return what is going on or lies ahead within days, soonest first; what is painful in private only.

        The event this message changes is left out: where it stands, the memories tell.
        """
        ahead = [
            memory
            for memory in live
            if memory.kind is Kind.EVENT
            and memory.id != meant
            and Flag.CANCELLED not in memory.flags
            and (message.place.is_dm or not memory.sensitive)
            and memory.valid_from is not None
            and memory.valid_from <= now + UPCOMING
            and now < (memory.valid_to or memory.valid_from)
        ]
        ahead.sort(key=lambda memory: (memory.valid_from or now, memory.id))
        chosen = ahead[:UPCOMING_KEPT]
        ranking = rank(
            "",
            Reading(),
            [Candidate(memory, meant=True) for memory in chosen],
            now,
            self._policy,
            self._thresholds,
            kept=len(chosen),
            language=message.language,
            zone=message.zone,
        )
        order = {memory.id: place for place, memory in enumerate(chosen)}
        return tuple(sorted(ranking.kept, key=lambda one: order[one.memory.id]))

    async def _propose(self, user_id: str, ids: Sequence[str], query: Vector | None) -> frozenset[str] | None:
        """Ask the index; None where there is none or it can't say."""
        if query is None:
            return frozenset()
        if self._index is None:
            return None
        try:
            found = frozenset(await self._index.nearest(user_id, ids, query, PROPOSALS))
            if ids and not found:
                log.warning("the index has lost memories; every row is read until 'lily reindex' fills it")
            return found
        except IndexBusy as error:
            log.debug("recall without the index (%s)", error)
        except IndexUnavailable as error:
            log.warning("recall without the index (%s)", error)
        return None


def _read(
    connection: Connection, message: Message, now: datetime, policy: MemoryPolicy, kept: Revisions
) -> tuple[tuple[Stored, ...], frozenset[str], tuple[str, ...]]:
    """Read what may be used for a message, what the index may not hold yet, and what is due.

    Beside a loss nothing is.
    """
    lost = tells_of_loss(message.text)
    return (
        gate.live(connection, message.user_id, message.persona_id, message.place, kept),
        pending_of(connection, message.user_id),
        () if lost else due_now(connection, message.user_id, message.persona_id, now, policy),
    )


def _considered(
    stored: Sequence[Stored],
    proposed: frozenset[str] | None,
    pending: Collection[str],
    wanted: Collection[str | None],
) -> tuple[Stored, ...]:
    """Choose the rows that are scored exactly: proposed, not yet indexed, wanted for words or time, events.

    An index that proposes fewer than it should has lost something: then every row is looked at.
    """
    ids = {item.memory.id for item in stored}
    if proposed is None or len(proposed & ids) < min(PROPOSALS, len(ids - set(pending))):
        return tuple(stored)
    chosen = proposed | set(pending) | set(wanted)
    return tuple(item for item in stored if item.memory.id in chosen or item.memory.kind is Kind.EVENT)


def _said_in(live: Sequence[Memory], reading: Reading, now: datetime) -> set[str | None]:
    """Return what was said in a time the message names (上週我說了什麼): meaning alone may not find it."""
    spans = named_spans(reading.times, now)
    if not spans:
        return set()
    return {
        memory.id
        for memory in live
        if memory.created_at is not None and any(start <= memory.created_at < end for start, end in spans)
    }


def _similarities(items: Iterable[Stored], query: Vector | None) -> dict[str, float]:
    """Return the cosine of each row's own vector to the query; rows of another length have none."""
    if query is None:
        return {}
    fitting = [item for item in items if item.vector.shape == query.shape]
    if not fitting:
        return {}
    products = np.stack([item.vector for item in fitting]) @ query
    return {item.memory.id: float(value) for item, value in zip(fitting, products, strict=True)}
