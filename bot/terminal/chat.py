"""``lily chat``: one person and her, in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from uuid import uuid4

from bot.discord.wording import language_of
from bot.house import House
from bot.terminal.forgetting import Forgetting
from bot.terminal.orders import ACTOR, Orders
from bot.terminal.reading import Typed, is_order
from bot.terminal.screen import Screen
from llm.protocols import Speaker
from memory.catalog import Catalog
from memory.clock import Clock
from memory.messages import Message
from memory.store.errors import IndexUnavailable

LOCAL_USER = "local"
CLIENT = "chat"
_SHOWN = 40


class Chat:
    """Talks until the person leaves. Whatever breaks it off, what was said is in the inbox.

    ``chosen`` is the person's own choice of a language; without one she answers in that of each line,
    and in ``language`` where a line has none of its own.
    """

    def __init__(
        self,
        house: House,
        clock: Clock,
        screen: Screen,
        catalog: Catalog,
        orders: Orders,
        *,
        zone: str,
        language: str,
        chosen: str | None = None,
    ) -> None:
        self._house = house
        self._clock = clock
        self._screen = screen
        self._catalog = catalog
        self._orders = orders
        self._forgetting = Forgetting(house, screen, catalog, ACTOR)
        self._zone = zone
        self._language = chosen or language
        self._chosen = chosen
        self._resuming = False

    async def deliver(self, message: Message, reply: Sequence[str]) -> None:
        """Show a reply; one to an earlier run's message is shown with it."""
        if self._resuming:
            said = " ".join(message.text.split())
            shown = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"
            self._note("left_open", text=shown)
        for part in reply:
            self._screen.hers(part)

    async def has_replied(self, message: Message) -> bool:
        """Say no: a screen keeps nothing from one run to the next."""
        return False

    async def open(self) -> None:
        """Begin: one hint where rules are talking, her first words ever, what an earlier run left."""
        if self._house.companion.is_rules:
            self._note("rules")
        self._note("help_hint")
        greeting = self._house.character.greeting(self._language)
        if greeting and await self._house.memory.inbox.opened(self._message(""), greeting):
            self._screen.hers(greeting)
        self._resuming = True
        try:
            await self._house.conversations.resume(self, CLIENT)
        finally:
            self._resuming = False

    async def earlier(self) -> tuple[str, ...]:
        """Return what the person said last, oldest first: for the arrow keys."""
        turns = await self._house.memory.inbox.recent_turns(self._message("").conversation, 200)
        return tuple(" ".join(turn.text.split()) for turn in turns if turn.speaker is Speaker.PERSON)

    async def talk(self, typed: Typed) -> None:
        """Listen and answer until ``:quit``, the end of the input, or Ctrl-C."""
        while True:
            try:
                said = typed.next()
            except (EOFError, KeyboardInterrupt):
                self._screen.line_break()
                self._note("goodbye")
                return
            if is_order(said):
                if not await self._orders.obey(said):
                    self._note("goodbye")
                    return
            elif not await self._forgetting.chosen(said):
                await self._say(said)
            with contextlib.suppress(IndexUnavailable):
                await self._house.memory.outbox.drain()

    async def interrupted(self) -> None:
        """Tell that her thinking was broken off, and take the interruption as settled."""
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        self._screen.line_break()
        self._note("interrupted")

    async def _say(self, said: str) -> None:
        name = self._house.character.name_in(self._language)
        message = self._message(said)
        with self._screen.thinking(self._catalog.text("terminal.chat.thinking", name=name)):
            await self._admit(message)
            to_forget = await self._forgetting.shield(message)
            exchange = await self._house.conversations.answer(message, self)
            await self._house.conversations.observe(message)
        if to_forget:
            await self._forgetting.offer(message, exchange.recollection)
        if exchange.recollection is not None:
            self._orders.last = exchange.recollection

    async def _admit(self, message: Message) -> None:
        """Write a message down, come what may: Ctrl-C from here on loses nothing of it."""
        writing = asyncio.ensure_future(self._house.memory.inbox.admit(message))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await writing
            raise

    def _message(self, said: str) -> Message:
        return Message(
            id=f"{CLIENT}:{uuid4().hex}",
            user_id=LOCAL_USER,
            persona_id=self._house.character.id,
            text=said,
            said_at=self._clock.now(),
            zone=self._zone,
            language=self._chosen or language_of(said, self._language),
            client=CLIENT,
        )

    def _note(self, key: str, **values: object) -> None:
        self._screen.note(self._catalog.text(f"terminal.chat.{key}", **values))
