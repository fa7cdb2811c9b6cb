"""When facts can't be written or Discord can't be reached: she says so, and takes it up once she can."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, repeat
from typing import Any

import aiohttp
import discord

from bot.discord.delivery import Delivery, Settling, Undeliverable
from bot.discord.hearing import decide
from bot.discord.ids import CLIENT
from bot.discord.listening import Listener
from bot.discord.servers import Servers
from bot.discord.talk import Talk
from bot.house import House
from bot.peoples_work import PeoplesWork
from memory.inbox import ReplyState
from memory.messages import Message
from memory.people import People, Person
from memory.store.errors import StoreDamaged, StoreError, StoreUnavailable
from persona.failures import Failure
from persona.safety import assess

log = logging.getLogger(__name__)

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""Seconds between tries to take up what was left; the last one goes on."""

MOST = 1000
"""Events kept in memory while nothing can be written; beyond that the oldest is let go."""

AWAY = (StoreUnavailable, StoreDamaged)
"""Nothing can be written down, whatever it is."""

PASSES = (*AWAY, discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""What may be over in a while: the work is done again then."""

HELPED_AGAIN = timedelta(seconds=10)
"""Somebody in need who writes several lines at once is given the numbers once."""

Work = Callable[[], Coroutine[Any, Any, None]]


class NobodyKnown(People):
    """People as they are where the store can't be asked: all by the house's own settings."""

    async def get(self, user_id: str) -> Person:
        """Return a person who has chosen nothing."""
        return Person(user_id)


class NothingChosen(Servers):
    """Servers as they are where the store can't be asked."""

    async def channels(self, guild_id: int) -> frozenset[int]:
        """Return no channel."""
        return frozenset()


class Recovery:
    """Keeps what could not be taken in or answered, and does it again until it works.

    In a conversation she says once that something is wrong, but gives somebody in need the numbers
    each time; what she said so about is not answered a second time, only learned from. ``blind`` is a
    listener that asks the store nothing; ``note`` tells the host, by a key below ``discord.run``.
    """

    def __init__(
        self,
        house: House,
        listener: Listener,
        blind: Listener,
        delivery: Delivery,
        talk: Talk,
        note: Callable[[str, dict[str, object]], None],
    ) -> None:
        self._house = house
        self._listener = listener
        self._blind = blind
        self._delivery = delivery
        self._talk = talk
        self._note = note
        self._left: deque[tuple[str, Work]] = deque(maxlen=MOST)
        self._answered: dict[str, tuple[Message, str]] = {}
        self._told: set[str] = set()
        self._helped: dict[tuple[str, str], datetime] = {}
        self._taken_up = PeoplesWork()
        self._store_away = False
        self._again: asyncio.Task[None] | None = None

    async def unheard(self, said: discord.Message, error: StoreError) -> None:
        """Keep a message that could not be written down, and say so where nobody was told yet."""
        self._away(error)
        message = await self._addressed(said)
        if message is None:
            return
        if await self._say(message):
            self._keep(partial(self._learn, said), message.user_id)
        else:
            self._keep(partial(self._talk.hear, said), message.user_id)

    async def unanswered(self, message: Message, error: Exception) -> None:
        """Take up an admitted message whose reply broke off; she says so, unless the reply was said."""
        if isinstance(error, StoreError):
            self._away(error)
            if not self._delivery.has_said(message):
                words = await self._say(message)
                if words:
                    self._answered[message.id] = message, words
        self._begin()

    def again(self, work: Work, error: Exception) -> None:
        """Do a piece of work again once that may help; it is one that can be done twice."""
        if isinstance(error, StoreError):
            self._away(error)
        self._keep(work)

    async def let_go(self, user_id: str) -> None:
        """Drop what is kept here of a person who is about to be erased; break off what is being taken up."""
        kept = [one for one in self._left if one[0] != user_id]
        self._left.clear()
        self._left.extend(kept)
        for key in [key for key, (message, _) in self._answered.items() if message.user_id == user_id]:
            del self._answered[key]
        self._helped = {one: when for one, when in self._helped.items() if one[1] != user_id}
        await self._taken_up.break_off(user_id)
        await self._house.conversations.let_go(user_id)

    async def close(self) -> None:
        """Stop trying: what is left waits for the next start."""
        if self._again is not None:
            self._again.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._again

    def _away(self, error: StoreError) -> None:
        if not self._store_away:
            self._store_away = True
            log.error("nothing can be written down: %s", error)
            key = "store_damaged" if isinstance(error, StoreDamaged) else "store_away"
            self._note(key, {"cause": error})

    def _keep(self, work: Work, user_id: str = "") -> None:
        if len(self._left) == MOST:
            log.warning("more than %d events wait for the store; the oldest is let go", MOST)
        self._left.append((user_id, work))
        self._begin()

    def _begin(self) -> None:
        if self._again is None or self._again.done():
            self._again = asyncio.create_task(self._until_done(), name="recovery")

    async def _until_done(self) -> None:
        for pause in chain(PAUSES, repeat(PAUSES[-1])):
            await asyncio.sleep(pause)
            try:
                count = await self._take_up()
            except PASSES as error:
                log.info("not yet: %s", type(error).__name__)
            else:
                log.info("what was left is taken up: %d events", count)
                if self._store_away:
                    self._note("store_back", {})
                self._store_away = False
                self._told.clear()
                self._helped.clear()
                return

    async def _take_up(self) -> int:
        inbox = self._house.memory.inbox
        for key, (message, words) in list(self._answered.items()):
            entry = await inbox.get(key)
            if entry is not None and entry.state is not ReplyState.REPLIED:
                await inbox.replying(key, (words,))
                await inbox.replied(message, (words,))
            self._answered.pop(key, None)
        count = await self._settle()
        for _ in range(len(self._left)):
            if not self._left:
                break
            one = self._left[0]
            try:
                await self._taken_up.of(one[0], one[1]())
            except AWAY:
                raise
            except PASSES as error:
                log.info("an event waits on: %s", type(error).__name__)
                self._left.rotate(-1)
                continue
            except Exception:
                log.exception("an event could not be taken in")
            if self._left and self._left[0] is one:  # nobody was erased meanwhile
                self._left.popleft()
            count += 1
        if self._left:
            raise TimeoutError
        return count

    async def _settle(self) -> int:
        try:
            return len(await self._house.conversations.resume(Settling(self._delivery), CLIENT))
        except PASSES:
            raise
        except Exception:  # one reply that breaks must not keep back what is not even written down
            log.exception("what an earlier try left could not be answered")
            return 0

    async def _learn(self, said: discord.Message) -> None:
        await self._talk.observe_missed([await self._listener.read(said)])

    async def _addressed(self, said: discord.Message) -> Message | None:
        """Return a message that is for her as far as can be known without the store, else None."""
        for listener in (self._listener, self._blind):
            with contextlib.suppress(StoreError):
                answer = decide(await listener.hear(said)).answer
                return await listener.read(said) if answer else None
        return None

    async def _say(self, message: Message) -> str:
        """Say that something is wrong; returns the words, "" where nothing was said.

        It is said once a conversation. Somebody in need is given the numbers each time, whoever was
        told what before.
        """
        who, now = (message.conversation, message.user_id), self._house.clock.now()
        in_need = assess(message.text).is_crisis
        if in_need:
            if who in self._helped and now - self._helped[who] < HELPED_AGAIN:
                return ""
            self._helped[who] = now
        elif message.conversation in self._told:
            return ""
        told_before = message.conversation in self._told
        self._told.add(message.conversation)
        companion = self._house.companion
        words = companion.unable(Failure.UNKNOWN, message.text, message.language, message.id).text
        try:
            await self._delivery.deliver(message, (words,))
        except (Undeliverable, *PASSES) as error:
            log.warning("message %s: nothing could be said (%s)", message.id, type(error).__name__)
            self._helped.pop(who, None)
            if not told_before:
                self._told.discard(message.conversation)
            return ""
        return words
