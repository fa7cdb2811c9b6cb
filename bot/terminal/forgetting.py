"""忘掉… in the terminal: she asks which memory is meant, and a number typed next archives it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from bot.discord.orders import Kind, order_in
from bot.house import House
from bot.terminal.screen import Screen
from memory.catalog import Catalog
from memory.extraction.types import Extraction, ZeroCause
from memory.messages import Message
from memory.model import Memory
from memory.recollection import Recollection
from memory.store import gate
from memory.text import single_line

_OFFERED = 3
_SHOWN = 60


class Forgetting:
    """What is offered holds for the next line alone: any other words leave everything as it is."""

    def __init__(self, house: House, screen: Screen, catalog: Catalog, actor: str) -> None:
        self._house = house
        self._screen = screen
        self._catalog = catalog
        self._actor = actor
        self._offered: Sequence[Memory] = ()

    async def chosen(self, said: str) -> bool:
        """Archive what a number names among what was offered; False where the line is none."""
        offered, self._offered = self._offered, ()
        number = unicodedata.normalize("NFKC", said).strip(" .。")
        if not number.isdecimal() or not 1 <= int(number) <= len(offered):
            return False
        gone = await self._house.memory.lifecycle.forget(offered[int(number) - 1].id, self._actor)
        self._note("forgotten", text=gone.text, id=gone.id)
        return True

    async def shield(self, message: Message) -> bool:
        """Whether a line tells her to forget; it is kept from being learned as news then."""
        order = order_in(message.text)
        if order is None or order.kind is Kind.REMEMBER:
            return False
        nothing = Extraction(cause=ZeroCause.COMMAND, extractor="order")
        await self._house.memory.inbox.keep_extraction(message, nothing)
        return True

    async def offer(self, message: Message, recollection: Recollection | None) -> None:
        """Ask which one is meant: what came to mind, else the newest."""
        meant = [one.memory for one in recollection.memories] if recollection is not None else []
        self._offered = (meant or await self._newest(message))[:_OFFERED]
        if not self._offered:
            self._note("forget_nothing")
            return
        self._note("forget_which")
        for number, one in enumerate(self._offered, start=1):
            self._note("forget_item", number=number, text=single_line(one.text, _SHOWN))

    async def _newest(self, message: Message) -> list[Memory]:
        held = await self._house.memory.database.snapshot(
            gate.live, message.user_id, message.persona_id, message.place
        )
        return list(gate.newest_first([item.memory for item in held]))[:1]

    def _note(self, key: str, **values: object) -> None:
        self._screen.note(self._catalog.text(f"terminal.chat.{key}", **values))
