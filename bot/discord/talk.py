"""Talking: from a message on Discord to her answer, and what is learned from it afterwards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import discord

from bot.conversations import Exchange
from bot.discord.budget import Budget, Limit
from bot.discord.bursts import Bursts, Taken
from bot.discord.delivery import Delivery, Undeliverable
from bot.discord.hearing import decide
from bot.discord.ids import message_key
from bot.discord.learned import Learned
from bot.discord.listening import Listener
from bot.discord.meter import Meter
from bot.discord.obeying import Obedience
from bot.discord.patience import TYPING_SECONDS, wait_for_more
from bot.discord.surroundings import Surroundings
from bot.discord.thinking import Thinking
from bot.house import House
from memory.inbox import ReplyState
from memory.messages import Message
from memory.store.errors import StoreError
from persona.companion import Companion
from persona.failures import Failure
from persona.safety import assess
from persona.situation import Beside

log = logging.getLogger(__name__)

EDIT_WINDOW = timedelta(minutes=15)
"""How long after it was sent an edited message is read again."""

TYPING_WINDOWS = 3.0
"""A person who types is waited for as many times the longest window, at most :data:`TYPING_SECONDS`."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that was admitted and waits for its answer; ``said``: the same as it came from Discord."""

    message: Message
    said: discord.Message


class Talk:
    """Answers what is said to her. What she is told while closing is left for the next start."""

    def __init__(
        self,
        house: House,
        listener: Listener,
        delivery: Delivery,
        budget: Budget,
        learned: Learned,
        thinking: Thinking,
        surroundings: Surroundings,
        meter: Meter,
    ) -> None:
        settings = house.settings.discord
        self._house = house
        self._listener = listener
        self._delivery = delivery
        self._budget = budget
        self._learned = learned
        self._thinking = thinking
        self._surroundings = surroundings
        self._meter = meter
        self._obedience = Obedience(house.memory)
        self._least, self._most = settings.merge_window_least_seconds, settings.merge_window_seconds
        self._bursts: Bursts[Waiting] = Bursts(
            self._answer,
            quiet=self._quiet,
            typing=min(TYPING_SECONDS, self._most * TYPING_WINDOWS),
            cap=settings.queue_per_conversation,
        )
        self._observing: dict[asyncio.Task[None], str] = {}
        self._told: set[tuple[Limit, str, datetime]] = set()
        self._closing = False
        self.on_broken_off: Callable[[Message, Exception], Awaitable[None]] | None = None
        """Told of a reply that broke off for something that may pass; the message is in the inbox."""
        self.on_let_go: Callable[[str], Awaitable[None]] | None = None
        """Told of a person who is about to be erased."""

    @property
    def waiting(self) -> int:
        """How many messages wait for an answer."""
        return self._bursts.waiting

    async def hear(self, said: discord.Message) -> None:
        """Take one message in; it is answered later, or left alone."""
        if self._closing:
            return
        decision = decide(await self._listener.hear(said))
        if not decision.answer:
            log.debug("message %d left alone: %s", said.id, decision.reason)
            return
        message = await self._listener.read(said)
        allowance = await self._budget.allowance(message, self._house.clock.now())
        if allowance.limit is not None and not self._first_word(allowance.limit, message):
            allowance = replace(allowance, said=True)
        if allowance.limit is not None and allowance.said and not assess(message.text).is_crisis:
            if await self._house.memory.inbox.admit(message, answer=False):
                self._later(message, self._observe([message]))
            return
        if not await self._house.memory.inbox.admit(message):
            log.debug("message %d is known", said.id)
            return
        if allowance.limit is not None:
            self._later(message, self._say_enough(message, allowance.limit))
            return
        await self._queue(message, said)

    async def answer_missed(self, message: Message, said: discord.Message) -> None:
        """Answer a message that came while she was away, unless it is known."""
        if await self._house.memory.inbox.admit(message):
            await self._queue(message, said)

    async def observe_missed(self, messages: Sequence[Message]) -> None:
        """Keep what came while she was away and is not answered any more."""
        fresh = [one for one in messages if await self._house.memory.inbox.admit(one, answer=False)]
        if fresh:
            self._later(fresh[-1], self._observe(fresh))

    def types(self, user_id: int, channel_id: int) -> None:
        """Take notice that a person types: what they have said already may go on."""
        self._bursts.types(str(user_id), lambda one: one.said.channel.id == channel_id)

    async def edited(self, said: discord.Message) -> None:
        """Read an edited message again: for its answer while that waits, then for what is kept of it."""
        if self._house.clock.now() - said.created_at > EDIT_WINDOW:
            return
        entry = await self._house.memory.inbox.get(message_key(said.id))
        if entry is None or not decide(await self._listener.hear(said)).answer:
            return
        message = await self._listener.read(said, entry.message.revision + 1)
        # it stays with the character it was said to, whoever speaks there now
        message = replace(message, persona_id=entry.message.persona_id)
        if message.text == entry.message.text:
            return  # a link got its preview, or something was pinned
        if not await self._house.memory.inbox.revise(message):
            return
        waited = self._bursts.change(
            lambda one: one.message.id == message.id, lambda _: Waiting(message, said)
        )
        if not waited:
            self._later(message, self._observe([message]))

    async def deleted(self, message_id: int) -> None:
        """Drop a message that was taken back: its answer while that waits, and its turn."""
        key = message_key(message_id)
        inbox = self._house.memory.inbox
        entry = await inbox.get(key)
        if entry is None:
            return

        def drop(one: Waiting) -> None:
            self._thinking.stop(one.said.channel.id, key)

        waited = self._bursts.change(lambda one: one.message.id == key, drop)
        await inbox.withdraw(key, unanswered=waited)
        if not waited:
            self._later(entry.message, self._learned.offer_to_drop(entry.message, self._delivery))

    async def let_go(self, user_id: str) -> None:
        """Break off what is going on about a person: what waits, is being answered or is being learned.

        It stays in the inbox; an erase takes it from there.
        """
        for one in await self._bursts.drop(user_id):
            self._thinking.stop(one.said.channel.id, one.message.id)
        theirs = [task for task, whose in self._observing.items() if whose == user_id]
        for task in theirs:
            task.cancel()
        await asyncio.gather(*theirs, return_exceptions=True)
        if self.on_let_go is not None:
            await self.on_let_go(user_id)

    def forget(self, user_id: str) -> None:
        """Drop what is kept here about a person."""
        self._told = {one for one in self._told if one[1] != user_id}
        self._delivery.forget(user_id)

    async def close(self) -> None:
        """Answer what waits, without waiting for more, and learn from it."""
        self._closing = True
        await self._bursts.close()
        while self._observing:
            await asyncio.gather(*self._observing, return_exceptions=True)
        await self._thinking.close()

    async def _queue(self, message: Message, said: discord.Message) -> None:
        person = message.user_id
        self._thinking.start(said.channel, message.id)
        taken = self._bursts.add(message.conversation, person, Waiting(message, said))
        if taken is Taken.QUEUED:
            return
        self._thinking.stop(said.channel.id, message.id)
        log.warning("message %s dropped: the queue of its conversation is full", message.id)
        if taken is Taken.FIRST_DROPPED or assess(message.text).is_crisis:
            self._later(message, self._say_full(message))
            return
        await self._house.memory.inbox.ignore(message.id)
        self._later(message, self._observe([message]))

    def _quiet(self, burst: Sequence[Waiting]) -> float:
        """Return how long after its last message a burst is over."""
        said = [one.message.text for one in burst]
        return wait_for_more(said, least=self._least, most=self._most).seconds

    async def _answer(self, burst: Sequence[Waiting]) -> None:
        """Answer a burst as one message; the newest carries the answer, all are learned from."""
        messages = [one.message for one in burst]
        newest = messages[-1]
        try:
            for earlier in messages[:-1]:
                await self._house.memory.inbox.ignore(earlier.id)
            whole = replace(newest, text="\n".join(one.text for one in messages if one.text))
            speaker = await self._companion(newest)
            beside = await self._surroundings.of(
                [one.said for one in burst], sees=speaker.sees, zone=newest.zone
            )
            with self._meter.counting() as spent:
                exchange = await self._exchange(whole, beside)
            await self._charge(newest, spent.amounts)
        finally:
            for one in burst:
                self._thinking.stop(one.said.channel.id, one.message.id)
        await self._obedience.shield(messages)
        if exchange is not None:
            self._learned.remember_answer(exchange)
            self._later(newest, self._obedience.ask_what_to_forget(exchange, self._delivery))
        self._later(newest, self._observe(messages))

    def _first_word(self, limit: Limit, message: Message) -> bool:
        """Whether it is not yet being said today that it is enough; the inbox knows a moment later."""
        day = self._budget.day_start(self._house.clock.now())
        whose = message.user_id if limit is Limit.PERSON else str(message.place.guild)
        self._told = {one for one in self._told if one[2] == day}
        if (limit, whose, day) in self._told:
            return False
        self._told.add((limit, whose, day))
        return True

    async def _exchange(self, message: Message, beside: Beside) -> Exchange | None:
        try:
            return await self._house.conversations.answer(message, self._delivery, beside)
        except Undeliverable as error:
            log.warning("message %s can't be answered where it was said: code %d", message.id, error.code)
            await self._house.memory.inbox.ignore(message.id)
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError, StoreError) as error:
            # it stays in the inbox: it is looked for later, and said if it is not there
            log.warning("message %s waits in the inbox: %s", message.id, type(error).__name__)
            if self.on_broken_off is not None:
                await self.on_broken_off(message, error)
        except Exception:
            log.exception("message %s could not be answered", message.id)
            entry = await self._house.memory.inbox.get(message.id)
            if entry is not None and entry.state is ReplyState.RECEIVED:  # nothing of it was said
                await self._say_failure(message, Failure.UNKNOWN)
        return None

    async def _say_enough(self, message: Message, limit: Limit) -> None:
        """Say that it is enough for today; others in the channel don't wait for it.

        It is said once a day, but help lines to somebody in need each time.
        """
        await self._say_failure(message, Failure.BUDGET)
        await self._house.memory.inbox.count(message.id, **{limit.value: 1})
        await self._observe([message])

    async def _say_full(self, message: Message) -> None:
        """Say that there are too many at once."""
        await self._say_failure(message, Failure.QUEUE_FULL)
        await self._observe([message])

    async def _companion(self, message: Message) -> Companion:
        """Return who answers a message."""
        return await self._house.cast.companion(message.persona_id) or self._house.companion

    async def _say_failure(self, message: Message, failure: Failure) -> None:
        companion = await self._companion(message)
        reply = companion.unable(failure, message.text, message.language, message.id)
        inbox = self._house.memory.inbox
        await inbox.replying(message.id, (reply.text,))
        try:
            await self._delivery.deliver(message, (reply.text,))
        except Undeliverable as error:
            log.warning("message %s can't be answered where it was said: code %d", message.id, error.code)
        await inbox.replied(message, (reply.text,))

    async def _observe(self, messages: Sequence[Message]) -> None:
        person, persona = messages[0].user_id, messages[0].persona_id
        with self._meter.counting() as spent:
            observed = await self._house.memory.observer.observe_person(person, persona)
        await self._charge(messages[-1], spent.amounts)
        mine = {message.id for message in messages}
        found = [one for key, one in observed.items() if key not in mine]  # of their other messages
        for message in messages:
            kept = await self._obedience.remember(message, observed.get(message.id))
            found += [] if kept is None else [kept]
        written = [memory for one in found for memory in one.written]
        if written:
            await self._learned.tell(messages[-1], written, self._delivery)

    async def _charge(self, message: Message, amounts: Mapping[str, int]) -> None:
        """Keep with a message what answering it or learning from it used up."""
        if amounts:
            await self._house.memory.inbox.count(message.id, **amounts)

    def _later(self, message: Message, work: Coroutine[Any, Any, None]) -> None:
        """Do something about a message beside everything else; an erase of its person breaks it off."""
        task = asyncio.create_task(self._guarded(work))
        self._observing[task] = message.user_id
        task.add_done_callback(self._observing.pop)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Undeliverable as error:
            log.info("nothing more can be said there: code %d", error.code)
        except Exception:
            log.exception("learning from a message failed; it stays in the inbox")
