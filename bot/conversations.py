"""One message end to end: admit, recall, reply, deliver, observe. Whatever crashes, nothing is said twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Protocol

from bot.peoples_work import PeoplesWork
from llm.errors import ModelError
from llm.protocols import Embedder, Speaker, Turn, Vector
from memory.clock import Clock
from memory.context import render_context
from memory.extraction.rules import OfflineExtractor
from memory.extraction.types import ExtractionRequest, Fact
from memory.inbox import Entry, ReplyState
from memory.messages import Message
from memory.observe import Observation
from memory.places import Place
from memory.recollection import Recollection
from memory.service import MemoryService
from memory.steps import OnStep, Step, ignore_step
from memory.text import fold
from persona.character import Character
from persona.companion import Companion
from persona.lore import lore_for
from persona.situation import NOTHING, Beside, Reply, Situation

log = logging.getLogger(__name__)

LORE_LINES = 3
CATCH_UP = timedelta(hours=1)

AT_ONCE = 32
"""Replies under way side by side. Of five hundred begun together none would be done before all are."""


class Channel(Protocol):
    """Where a reply goes: Discord, a terminal, a replay."""

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Say the reply, in order."""
        ...

    async def has_replied(self, message: Message) -> bool:
        """Whether a reply to that message is already there: asked after a crash, before answering again."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """What became of one message. ``reply`` is empty where it had been admitted before."""

    message: Message
    reply: tuple[str, ...] = ()
    recollection: Recollection | None = None
    context: str = ""
    observation: Observation | None = None
    error: str | None = None


class Conversations:
    """Carries messages through the house; one reply at a time in each conversation.

    A message names the character it was said to: she alone answers it, or nobody once she is gone.
    """

    def __init__(
        self,
        memory: MemoryService,
        companion_of: Callable[[str], Awaitable[Companion | None]],
        embedder: Embedder,
        clock: Clock,
        *,
        recent_turns: int,
        heard_here: Callable[[Place], bool] = lambda _place: True,
        at_once: int = AT_ONCE,
        on_step: OnStep = ignore_step,
    ) -> None:
        self._memory = memory
        self._companion_of = companion_of
        self._embedder = embedder
        self._clock = clock
        self._recent_turns = recent_turns
        self._heard_here = heard_here
        self._turns = asyncio.Semaphore(at_once)
        self._on_step = on_step
        self._saying: set[str] = set()
        self._taken_up = PeoplesWork()
        self._opened_at = clock.now()
        self._rules = OfflineExtractor()

    async def handle(self, message: Message, channel: Channel) -> Exchange:
        """Admit a message, answer it, observe it. One that is known already is left alone."""
        if not await self._memory.inbox.admit(message):
            return Exchange(message)
        self._on_step(Step.ADMITTED)
        exchange = await self.answer(message, channel)
        observation = await self.observe(message)
        return Exchange(
            message, exchange.reply, exchange.recollection, exchange.context, observation, exchange.error
        )

    async def observe(self, message: Message) -> Observation | None:
        """Observe what this person has said so far; returns what this message changed."""
        observed = await self._memory.observer.observe_person(message.user_id, message.persona_id)
        return observed.get(message.id)

    async def answer(self, message: Message, channel: Channel, beside: Beside = NOTHING) -> Exchange:
        """Reply to an admitted message, unless that has happened already.

        ``beside``: what it replies to and what came with it, for this reply alone.
        """
        async with self._turns, self._memory.leases.hold(f"reply|{message.conversation}"):
            entry = await self._memory.inbox.get(message.id)
            if entry is None or entry.state in {ReplyState.REPLIED, ReplyState.IGNORED}:
                return Exchange(message)
            companion = await self._companion_of(message.persona_id)
            if companion is None:
                log.warning("message %s is not answered: its character is not installed", message.id)
                await self._memory.inbox.ignore(message.id)
                return Exchange(message)
            # its words are in no row: nothing that is kept is used for it either
            compose = self._compose_alone if entry.withheld else self._compose
            recollection, context, reply = await compose(message, companion, beside)
            self._on_step(Step.RECALLED)
            said = (reply.text,)
            taken = await self._memory.inbox.replying(message.id, said, reply.asked)
            if {one.memory.id for one in recollection.due} & set(taken):
                # she asks the same elsewhere at this moment: a reply without it is better
                recollection, context, reply = await compose(message, companion, beside)
                said = (reply.text,)
                await self._memory.inbox.replying(message.id, said, reply.asked)
            self._on_step(Step.WRITTEN_DOWN)
            self._saying.add(message.id)
            try:
                await channel.deliver(message, said)
                self._on_step(Step.DELIVERED)
                await self._memory.inbox.replied(message, said, reply.asked)
            finally:
                self._saying.discard(message.id)
            self._on_step(Step.REPLIED)
        return Exchange(message, said, recollection, context, error=str(reply.error) if reply.error else None)

    async def resume(self, channel: Channel, client: str) -> tuple[Exchange, ...]:
        """Take up what an earlier run or an outage left: answer the newest of each conversation, observe all.

        A reply that was about to be said is looked for first; what is older than an hour, or has
        been followed by something newer, is only observed. Only the messages of ``client`` are
        answered, where ``heard_here`` says so: nothing else is this process's to speak in.
        """
        entries = [entry for entry in await self._left_by(client) if not entry.withheld]
        newest = {entry.message.conversation: entry.message.id for entry in entries}
        exchanges = await self._taken_up.one_by_one(
            (entry.message.user_id, partial(self._settle, entry.message, channel, newest))
            for entry in entries
        )
        people = {(e.message.user_id, e.message.persona_id) for e in await self._memory.inbox.unobserved()}
        await self._taken_up.one_by_one(
            (one[0], partial(self._memory.observer.observe_person, *one)) for one in sorted(people)
        )
        return tuple(one for one in exchanges if one is not None)

    async def let_go(self, user_id: str) -> None:
        """Break off what is being taken up of a person who is about to be erased."""
        await self._taken_up.break_off(user_id)

    async def let_go_of_withheld(self, client: str) -> tuple[Message, ...]:
        """Forget the bare rows of paused people's messages that an earlier run left without an answer.

        Returns them. Their words were never written down; a client with a history finds them there anew.
        """
        left = [
            entry.message
            for entry in await self._left_by(client)
            if entry.withheld and entry.received_at < self._opened_at
        ]
        for message in left:
            await self._memory.inbox.drop(message.id)
        return tuple(left)

    async def _left_by(self, client: str) -> list[Entry]:
        """Return what is unanswered and this process's to speak to, oldest first."""
        return [
            entry
            for entry in await self._memory.inbox.unanswered()
            if entry.message.client == client and self._heard_here(entry.message.place)
        ]

    async def _settle(self, message: Message, channel: Channel, newest: dict[str, str]) -> Exchange | None:
        entry = await self._memory.inbox.get(message.id)
        if entry is None or message.id in self._saying:  # erased meanwhile, or being said
            return None
        if entry.state is ReplyState.REPLYING and await channel.has_replied(message):
            await self._memory.inbox.replied(message, entry.reply or (), entry.asked)
            return None
        too_old = self._clock.now() - entry.received_at > CATCH_UP
        if too_old or newest[message.conversation] != message.id:
            await self._memory.inbox.ignore(message.id)
            return None
        return await self.answer(message, channel)

    async def _compose(
        self, message: Message, companion: Companion, beside: Beside
    ) -> tuple[Recollection, str, Reply]:
        query = await self._query(message.text)
        if (await self._memory.people.get(message.user_id)).paused:
            return await self._compose_alone(message, companion, beside)
        before = await self._memory.inbox.lead_up(message, self._recent_turns)
        recollection = await self._memory.recall.recall(message, query, before.hers)
        context = render_context(recollection, self._memory.policy)
        last = before.last_at
        lore, notices = await self._lore(message, companion.character, query)
        situation = Situation(
            text=message.text,
            language=message.language,
            display_name=message.display_name,
            turns=before.turns,
            recollection=recollection,
            context=context,
            lore=lore,
            notices=notices,
            recent_replies=_hers(before.turns),
            now=self._clock.now(),
            told=await self._told(message, before.hers),
            beside=beside,
            since_last=None if last is None else max(message.said_at - last, timedelta()),
        )
        return recollection, context, await companion.reply(situation)

    async def _compose_alone(
        self, message: Message, companion: Companion, beside: Beside
    ) -> tuple[Recollection, str, Reply]:
        """Answer a message by itself: its person has paused, so nothing is kept and nothing is used."""
        now = self._clock.now()
        nothing = Recollection(now, message.zone, message.language, message.place)
        lore, notices = await self._lore(message, companion.character, None)
        situation = Situation(
            text=message.text,
            language=message.language,
            display_name=message.display_name,
            turns=(Turn(Speaker.PERSON, message.text, message.display_name),),
            recollection=nothing,
            lore=lore,
            notices=notices,
            now=now,
            told=await self._told(message, None),
            beside=beside,
        )
        return nothing, "", await companion.reply(situation)

    async def _query(self, text: str) -> Vector | None:
        try:
            return await self._embedder.embed_query(text)
        except ModelError as error:
            log.warning("no query vector: %s", type(error).__name__)
            return None

    async def _lore(
        self, message: Message, character: Character, query: Vector | None
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what the message calls up of her world and of its server's, and what of that it names.

        Of each by key words first, then by meaning; the second part is of the server's alone.
        """
        called = lore_for(character.lore, message.text, message.language, self._clock.now(), LORE_LINES)
        texts = [document.text for document in called]
        floor = self._memory.policy.thresholds_for(self._embedder.identity.name).floor
        if query is not None:
            key = f"{message.persona_id}/{message.language}"
            hits = await self._memory.lorebook.find(key, query, LORE_LINES, floor)
            texts.extend(hit.document.text for hit in hits)
        hers = tuple(dict.fromkeys(texts))[:LORE_LINES]
        guild = message.place.guild
        if guild is None:
            return hers, ()
        entries = await self._memory.server_lore.find(guild, message.text, query, LORE_LINES, floor)
        folded = fold(message.text)
        named = tuple(entry.text for entry in entries if entry.is_called_by(folded))
        return (*hers, *(entry.line for entry in entries)), named

    async def _told(self, message: Message, hers: str | None) -> tuple[Fact, ...]:
        """Read what this very message tells, by rules: she reacts to it now, not one message later."""
        extraction = await self._rules.extract(
            ExtractionRequest(
                text=message.text,
                said_at=message.said_at,
                zone=message.zone,
                language=message.language,
                her_last_turn=hers,
            )
        )
        return extraction.facts


def _hers(turns: Sequence[Turn]) -> tuple[str, ...]:
    return tuple(turn.text for turn in turns if turn.speaker is Speaker.CHARACTER)
