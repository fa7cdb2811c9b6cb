"""What a person is told about being remembered: once at the start, and when they take something back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

import discord
from sqlalchemy import func, select

from bot.conversations import Exchange
from bot.discord.buttons import Press, Verb, button, view_of
from bot.discord.delivery import Delivery
from bot.discord.ids import snowflake
from memory.catalog import load_catalog
from memory.messages import Message
from memory.model import Kind, Memory
from memory.people import People
from memory.places import DM
from memory.recollection import Recollection
from memory.store import gate
from memory.store.database import Database
from memory.store.schema import events

_ANSWERS_KEPT = 500


class Learned:
    """Notices about memory, and the recollection behind each person's last answer (kept in memory only)."""

    def __init__(self, database: Database, people: People, asks_unasked: bool) -> None:
        self._database = database
        self._people = people
        self._asks_unasked = asks_unasked
        self._last: OrderedDict[tuple[str, str], Recollection] = OrderedDict()

    def remember_answer(self, exchange: Exchange) -> None:
        """Keep how an answer used memory, for its person to ask about."""
        if exchange.recollection is None:
            return
        whose = (exchange.message.user_id, exchange.message.persona_id)
        self._last[whose] = exchange.recollection
        self._last.move_to_end(whose)
        if len(self._last) > _ANSWERS_KEPT:
            self._last.popitem(last=False)

    def last_answer(self, user_id: str, persona_id: str | None) -> Recollection | None:
        """Return the recollection behind a character's last answer to a person."""
        return self._last.get((user_id, persona_id or ""))

    def forget(self, user_id: str) -> None:
        """Drop what is kept here about a person."""
        for whose in [one for one in self._last if one[0] == user_id]:
            del self._last[whose]

    async def tell(self, message: Message, written: Sequence[Memory], delivery: Delivery) -> None:
        """Say once that she remembers: when the first thing ever is kept about a person.

        ``written``: what was just written, of this message and whatever was observed with it. That it
        is the first is told by the log of the memories: of several messages observed at the same
        time one alone brought the one that was written first.
        """
        new = {memory.id for memory in written if memory.rev == 1}
        async with self._database.read() as connection:
            held = await gate.owned(connection, message.user_id)
            first = select(events.c.memory_id, func.min(events.c.seq)).group_by(events.c.memory_id)
            since = await connection.execute(first.where(events.c.user_id == message.user_id))
            order: dict[str, int] = {row[0]: row[1] for row in since}
        kept = sorted(held, key=lambda memory: order.get(memory.id, 0))
        words = load_catalog("bot", message.language)
        if kept and kept[0].id in new:
            await delivery.add(message, words.text("discord.notice.first"), "first")
        plans = [memory for memory in kept if memory.kind is Kind.EVENT]
        ahead = all(_lies_ahead(memory, message) for memory in plans if memory.id in new)
        if plans and plans[0].id in new and ahead:
            await self._offer_to_ask(message, delivery)

    async def _offer_to_ask(self, message: Message, delivery: Delivery) -> None:
        """Offer once to ask how it went: with the first event ever, while nothing was chosen."""
        person = await self._people.get(message.user_id)
        if person.check_ins_chosen or person.wants_check_ins(self._asks_unasked):
            return
        words, owner = load_catalog("bot", message.language), int(message.user_id)
        choices = (("on", "offer_yes"), ("off", "offer_no"))
        view = view_of(
            button(Press(Verb.CHECK_IN, owner, rest), words.text(f"discord.checkin.{key}"))
            for rest, key in choices
        )
        await delivery.add(message, words.text("discord.checkin.offer"), "offer", view)

    async def offer_to_drop(self, message: Message, delivery: Delivery) -> None:
        """Ask the person, in private, whether what was learned from a deleted message shall go too."""
        if not await self.from_message(message.user_id, message.id):
            return
        words = load_catalog("bot", message.language)
        press = Press(Verb.FORGET_SOURCE, int(message.user_id), str(snowflake(message)))
        view = view_of(
            [button(press, words.text("discord.notice.drop_button"), style=discord.ButtonStyle.danger)]
        )
        await delivery.add(replace(message, place=DM), words.text("discord.notice.drop"), "drop", view)

    async def from_message(self, user_id: str, message_id: str) -> tuple[Memory, ...]:
        """Return what is live of a person and was learned from one message."""
        async with self._database.read() as connection:
            held = await gate.owned(connection, user_id, archived=False)
        return tuple(memory for memory in held if memory.source == message_id)


def _lies_ahead(memory: Memory, message: Message) -> bool:
    """Whether an event is still to come, and none that hurts."""
    ends = memory.valid_to or memory.valid_from
    return not memory.sensitive and not memory.archived and (ends is None or ends > message.said_at)
