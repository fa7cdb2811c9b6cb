"""Follow-ups that go out by themselves: decided, claimed, put into words, said once, noted.

The database says what is due and who has claimed it, so it makes no difference who wakes this up,
how late, or how many do. At most once comes before at least once: what may have been said is looked
for in her own history before anything is said again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncConnection

from llm.protocols import Speaker
from memory import follow_up_book as book
from memory import follow_up_claims as claims
from memory.clock import Clock
from memory.follow_up_book import FollowUp, Standing
from memory.follow_ups import FollowUpState
from memory.inbox import Inbox
from memory.messages import Message
from memory.people import Person
from memory.places import Place
from memory.store.database import Database
from persona.follow_up import Occasion
from scheduler.manners import Action, Circumstances, Customs, Decision, Reason, decide, place_for
from scheduler.notifier import Delivered, Delivery, Letter, NotDelivered, Notifier, Undeliverable
from scheduler.settling import Settler, letter_of, retry_at
from scheduler.steps import FollowUpStep, OnFollowUpStep, ignore_step

log = logging.getLogger(__name__)

# What was decided longer ago than this is decided anew: the process may have slept in between.
FRESH = timedelta(minutes=1)
# How long a delivery may take before it counts as open.
DELIVERY_SECONDS = 60.0
# How many turns of the place are looked at, so that she doesn't say the same twice in a row.
LOOKED_BACK = 8

_DROPPED = {
    Reason.OUTCOME_TOLD: FollowUpState.ANSWERED,
    Reason.EVENT_GONE: FollowUpState.CANCELLED,
    Reason.STALE: FollowUpState.SKIPPED,
}


SpeaksIn = Callable[[str, Place], Awaitable[bool]]


class Composer(Protocol):
    """Puts a follow-up into words. A model's failure is its own affair: it has other words then."""

    async def compose(self, occasion: Occasion) -> str:
        """Return the message; "" where there are no words for it at all."""
        ...


@dataclass(frozen=True, slots=True)
class Said:
    """One follow-up that went out."""

    memory_id: str
    user_id: str
    place: Place
    text: str
    state: FollowUpState = FollowUpState.SENT


class FollowUps:
    """Carries due follow-ups out of the house: those of one character, or of all.

    ``speaks_in``: whether a character may begin to speak in a place. Where she may not (somebody
    else speaks on that server now) she asks in the DM.
    ``language`` is the house's, for people who have not chosen. ``holder`` names this scheduler in
    its claims. ``at_once``: at most so many a call, so that an evening for which many were waiting
    goes out over some minutes.
    """

    def __init__(
        self,
        *,
        database: Database,
        inbox: Inbox,
        persona_id: str | None = None,
        composer: Composer,
        notifier: Notifier,
        clock: Clock,
        customs: Customs,
        language: str = "zh-TW",
        lease: timedelta = timedelta(minutes=10),
        at_once: int = 20,
        holder: str | None = None,
        on_step: OnFollowUpStep = ignore_step,
        speaks_in: SpeaksIn | None = None,
    ) -> None:
        self._database = database
        self._inbox = inbox
        self._persona_id = persona_id
        self._composer = composer
        self._notifier = notifier
        self._clock = clock
        self._customs = customs
        self._language = language
        self._lease = lease
        self._at_once = at_once
        self._holder = holder or uuid4().hex
        self._on_step = on_step
        self._speaks_in = speaks_in
        self._settler = Settler(database, notifier, clock, lease, self._holder, on_step)

    async def start(self) -> None:
        """Look at everything anew: the rules of the house may have changed while it was closed."""
        async with self._database.write() as connection:
            await book.look_again(connection)

    async def run_due(self) -> tuple[Said, ...]:
        """Settle what an earlier run left, and say what is due and may be said now."""
        async with self._database.read() as connection:
            work = await book.work(connection, self._persona_id, self._clock.now(), self._lease)
        for memory_id in work.lapsed:
            await self._settler.settle(memory_id)
        said: list[Said] = []
        for user_id in work.people:
            if len(said) >= self._at_once:
                break
            chosen = await self._choose(user_id)
            done = await self._say(*chosen) if chosen is not None else None
            if done is not None:
                said.append(done)
        return tuple(said)

    async def _choose(self, user_id: str) -> tuple[FollowUp, Person] | None:
        """Look at everything due for one person; claim the one that may go out now, if any."""
        async with self._database.write() as connection:
            now = self._clock.now()
            standing = await book.standing(connection, user_id, now)
            on_their_way = len(standing.claimed)
            chosen = None
            for line in await book.due_of(connection, self._persona_id, user_id, now):
                decision = decide(now, await self._circumstances(line, standing, on_their_way), self._customs)
                if decision.action is Action.SEND:
                    chosen = await claims.claim(connection, line, self._holder, now, self._lease)
                    on_their_way += 1
                elif decision.action is Action.WAIT:
                    await claims.put_off(connection, line, decision.reason, decision.again, now)
                else:
                    await self._drop(connection, line, decision)
        if chosen is not None:
            self._on_step(FollowUpStep.CLAIMED)
        return (chosen, standing.person) if chosen is not None else None

    async def _say(self, line: FollowUp, person: Person) -> Said | None:
        text = await self._words(line, person)
        self._on_step(FollowUpStep.COMPOSED)
        ready = await self._prepare(line, text)
        if ready is None:
            return None
        self._on_step(FollowUpStep.PREPARED)
        letter = letter_of(ready)
        if not timedelta(0) <= self._clock.now() - letter.prepared_at < FRESH:
            await self._give_back(ready, "overtaken")
            return None
        delivery = await self._deliver(ready, letter)
        if delivery is None:
            return None
        self._on_step(FollowUpStep.DELIVERED)
        async with self._database.write() as connection:
            if isinstance(delivery, Undeliverable):
                state, now = FollowUpState.UNDELIVERABLE, self._clock.now()
                log.info("follow-up %s: undeliverable (%s)", ready.memory_id, delivery.cause)
                await claims.settle(connection, ready, state, Reason.UNDELIVERABLE, now)
            else:
                await claims.sent(connection, ready, self._clock.now())
        self._on_step(FollowUpStep.SENT)
        said = Said(letter.memory_id, letter.user_id, letter.place, letter.text)
        return said if isinstance(delivery, Delivered) else None

    async def _words(self, line: FollowUp, person: Person) -> str:
        """Return the words for a claimed follow-up; "" where there are none, whatever the reason."""
        if line.event is None:
            return ""
        now = self._clock.now()
        place = await self._place(line)
        where = Message(line.nonce, line.user_id, line.persona_id, "", now, place).conversation
        turns = await self._inbox.recent_turns(where, LOOKED_BACK)
        occasion = Occasion(
            memory=line.event,
            now=now,
            zone=person.zone or self._customs.default_zone,
            language=person.language or self._language,
            place=place,
            recent_replies=tuple(turn.text for turn in turns if turn.speaker is Speaker.CHARACTER),
        )
        try:
            return (await self._composer.compose(occasion)).strip()
        except Exception as error:  # one event nobody has words for must not silence all the others
            log.error("follow-up %s: no words (%s)", line.memory_id, type(error).__name__)
            return ""

    async def _prepare(self, line: FollowUp, text: str) -> FollowUp | None:
        """Look once more, now that the words are there, and write down what is about to be said."""
        async with self._database.write() as connection:
            now = self._clock.now()
            standing = await book.standing(connection, line.user_id, now)
            current = await claims.held(connection, line, now)
            if current is None:
                return None
            others = len(standing.claimed - {line.memory_id})
            decision = decide(now, await self._circumstances(current, standing, others), self._customs)
            if decision.action is Action.DROP:
                await self._drop(connection, current, decision)
            elif decision.action is Action.WAIT or decision.place is None:
                await claims.give_back(connection, current, decision.reason, decision.again, now)
            elif not text:
                await claims.give_back(connection, current, "no words", retry_at(current, now), now)
            elif decision.place != await self._place(line):
                await claims.give_back(connection, current, "the place has changed", now, now)
            else:
                return await claims.prepare(connection, current, decision.place, text, now, self._lease)
        return None

    async def _deliver(self, line: FollowUp, letter: Letter) -> Delivery | None:
        """Say it; None where it was not said, or nobody knows: then the claim stays until it lapses."""
        try:
            async with asyncio.timeout(DELIVERY_SECONDS):
                return await self._notifier.deliver(letter)
        except NotDelivered as error:
            log.warning("follow-up %s: not delivered (%s)", line.memory_id, error)
            await self._give_back(line, "not delivered")
        except Exception as error:  # whatever a channel raises: it may have been said all the same
            log.warning("follow-up %s: open whether it was said (%s)", line.memory_id, type(error).__name__)
        return None

    async def _give_back(self, line: FollowUp, reason: str) -> None:
        now = self._clock.now()
        async with self._database.write() as connection:
            await claims.give_back(connection, line, reason, retry_at(line, now), now)

    async def _drop(self, connection: AsyncConnection, line: FollowUp, decision: Decision) -> None:
        state = _DROPPED[decision.reason]
        await claims.settle(connection, line, state, decision.reason, self._clock.now())

    async def _place(self, line: FollowUp) -> Place:
        """Return where to ask."""
        return place_for(await self._places(line), line.event is not None and line.event.sensitive)

    async def _places(self, line: FollowUp) -> tuple[Place, ...]:
        """Return where the event was told; nowhere (so that the DM is left) where another one speaks now."""
        places = _places(line)
        if self._speaks_in is None or not places or await self._speaks_in(line.persona_id, places[-1]):
            return places
        return ()

    async def _circumstances(self, line: FollowUp, standing: Standing, on_their_way: int) -> Circumstances:
        event = line.event
        return Circumstances(
            memory_id=line.memory_id,
            due_at=line.due_at,
            person=standing.person,
            places=await self._places(line),
            sensitive=event is not None and event.sensitive,
            told=event is not None and event.outcome is not None,
            gone=line.gone,
            closed=line.state is FollowUpState.UNDELIVERABLE,
            last_words=standing.last_words,
            being_answered=standing.being_answered,
            sent=standing.sent,
            unanswered=standing.unanswered,
            on_their_way=on_their_way,
        )


def _places(line: FollowUp) -> tuple[Place, ...]:
    return tuple(Place.parse(place) for place in line.event.places) if line.event is not None else ()
