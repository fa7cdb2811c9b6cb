"""Acting on what a person tells her about her memory: remembering at once, forgetting after a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.conversations import Exchange
from bot.discord.buttons import Press, Verb, button, view_of
from bot.discord.delivery import Delivery
from bot.discord.orders import Kind, order_in
from memory.catalog import load_catalog
from memory.editing import MOST
from memory.extraction.rules import OfflineExtractor
from memory.extraction.types import Extraction, ExtractionRequest, Fact, ZeroCause
from memory.messages import Message
from memory.model import Memory
from memory.observe import Observation
from memory.service import MemoryService
from memory.store import gate
from memory.text import single_line

_OFFERED = 3


class Obedience:
    """Carries out orders given in a conversation."""

    def __init__(self, memory: MemoryService) -> None:
        self._memory = memory
        self._rules = OfflineExtractor()

    async def shield(self, messages: Sequence[Message]) -> None:
        """Keep an order to forget from being learned as news (忘掉我對花生過敏的事)."""
        for message in messages:
            order = order_in(message.text)
            if order is not None and order.kind is not Kind.REMEMBER:
                nothing = Extraction(cause=ZeroCause.COMMAND, extractor="order")
                await self._memory.inbox.keep_extraction(message, nothing)

    async def ask_what_to_forget(self, exchange: Exchange, delivery: Delivery) -> None:
        """Ask which memory is meant, with buttons, after an order to forget or the word that she is wrong.

        Only what may be used in this place is shown there.
        """
        message = exchange.message
        order = order_in(message.text)
        if order is None or order.kind is Kind.REMEMBER or exchange.recollection is None:
            return
        words = load_catalog("bot", message.language)
        meant = [one.memory for one in exchange.recollection.memories]
        offered = (meant or await self._latest(message))[:_OFFERED]
        if not offered:
            await delivery.add(message, words.text("discord.orders.nothing"), "order")
            return
        lines = [
            words.text("discord.orders.item", number=number, text=single_line(one.text, 120))
            for number, one in enumerate(offered, start=1)
        ]
        view = view_of(
            button(Press(Verb.FORGET, int(message.user_id), one.id), str(number))
            for number, one in enumerate(offered, start=1)
        )
        title = words.text(f"discord.orders.{order.kind}")
        await delivery.add(message, "\n".join([title, *lines]), "order", view)

    async def remember(self, message: Message, observation: Observation | None) -> Observation | None:
        """Keep what she was told to remember, also where nothing was read out of it."""
        order = order_in(message.text)
        if order is None or order.kind is not Kind.REMEMBER or observation is None:
            return observation
        if observation.written or observation.skipped or observation.waiting is not None:
            return observation
        if observation.cause is ZeroCause.PAUSED:
            return observation
        return await self.keep(message, order.what)

    async def keep(self, message: Message, what: str) -> Observation | None:
        """Keep some words of an observed message: the facts in them, else the words as they stand."""
        entry = await self._memory.inbox.get(message.id)
        if entry is None:
            return None
        again = replace(message, revision=entry.message.revision + 1)
        extraction = await self._rules.extract(
            ExtractionRequest(
                text=what, said_at=message.said_at, zone=message.zone, language=message.language
            )
        )
        facts = extraction.facts or (as_it_stands(message, what),)
        if not await self._memory.inbox.revise(again):
            return None
        await self._memory.inbox.keep_extraction(again, Extraction(facts=facts, extractor="person"))
        observed = await self._memory.observer.observe_person(message.user_id, message.persona_id)
        return observed.get(message.id)

    async def _latest(self, message: Message) -> list[Memory]:
        held = await self._memory.database.snapshot(
            gate.live, message.user_id, message.persona_id, message.place
        )
        return list(gate.newest_first([item.memory for item in held]))[:1]


def as_it_stands(message: Message, what: str) -> Fact:
    """Return some words of a message as a fact of their own."""
    words = load_catalog("bot", message.language)
    text = words.text("discord.remember.sentence", text=single_line(what, MOST))
    return Fact(text=text, language=message.language, quote=what)
