"""The orders of a chat: lines that begin with a colon and are for the terminal, not for her."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum

from bot.house import House
from bot.settings.base import near
from bot.terminal.reading import ORDER_MARKS
from bot.terminal.screen import Screen
from bot.terminal.tables import Tables
from bot.terminal.travel import MOST, TooFar, parse_step
from memory.catalog import Catalog
from memory.clock import OffsetClock
from memory.recollection import Recollection
from memory.store import gate
from memory.wording import clock_anchor
from scheduler.expiry import sweep

ACTOR = "person:terminal"


class Order(StrEnum):
    """Every order, by the word behind the colon."""

    MEMORIES = "memories"
    ARCHIVED = "archived"
    WHY = "why"
    RESTORE = "restore"
    NOW = "now"
    SKIP = "skip"
    HELP = "help"
    QUIT = "quit"


class Orders:
    """Carries out orders. ``last`` is the recollection behind her last line."""

    def __init__(
        self,
        house: House,
        clock: OffsetClock,
        screen: Screen,
        catalog: Catalog,
        *,
        user_id: str,
        zone: str,
        language: str,
    ) -> None:
        self._house = house
        self._clock = clock
        self._screen = screen
        self._catalog = catalog
        self._user_id = user_id
        self._zone = zone
        self._language = language
        self.last: Recollection | None = None

    async def obey(self, said: str) -> bool:
        """Carry out one line; False where it ends the chat."""
        word, _, rest = said.lstrip("".join(ORDER_MARKS)).strip().partition(" ")
        if word.casefold() == Order.QUIT:
            return False
        orders: Mapping[str, Callable[[str], Awaitable[None]]] = {
            Order.MEMORIES: self._memories,
            Order.ARCHIVED: self._archived,
            Order.WHY: self._why,
            Order.RESTORE: self._restore,
            Order.NOW: self._now,
            Order.SKIP: self._skip,
            Order.HELP: self._help,
        }
        carry_out = orders.get(word.casefold())
        if carry_out is None:
            self._unknown(word)
        else:
            await carry_out(rest.strip())
        return True

    async def _memories(self, _rest: str) -> None:
        await self._list(archived=False, none="no_memories")

    async def _archived(self, _rest: str) -> None:
        await self._list(archived=True, none="no_archived")

    async def _list(self, *, archived: bool, none: str) -> None:
        memory = self._house.memory
        async with memory.database.read() as connection:
            found = await gate.owned(connection, self._user_id, self._house.character.id, archived)
        if found:
            self._screen.table(*self._tables().memories(gate.newest_first(found)))
        else:
            self._say(none)

    async def _why(self, _rest: str) -> None:
        if self.last is None:
            self._say("no_why")
        elif not self.last.audit:
            self._say("nothing_recalled")
        else:
            self._screen.table(*self._tables().choices(self.last))

    async def _restore(self, memory_id: str) -> None:
        if not memory_id:
            self._say("restore_usage")
            return
        memory = self._house.memory
        async with memory.database.read() as connection:
            mine = await gate.owned(connection, self._user_id, self._house.character.id)
        found = [one for one in mine if one.id == memory_id]
        found = found or [one for one in mine if one.id.startswith(memory_id)]
        if len(found) != 1:
            self._say("restore_many" if found else "restore_unknown", id=memory_id)
            return
        restored = await memory.lifecycle.restore(found[0].id, ACTOR)
        memory.outbox.wake()
        key = "commands.restore.done" if found[0].archived else "commands.restore.already"
        self._screen.note(self._catalog.text(key, text=restored.memory.text, id=restored.memory.id))
        for one in restored.archived:
            reason = self._catalog.text(f"commands.reasons.{one.archived_reason}")
            self._screen.note(
                self._catalog.text("commands.restore.left", text=one.text, id=one.id, reason=reason)
            )

    async def _now(self, _rest: str) -> None:
        self._say("now", now=self._anchor())

    async def _skip(self, rest: str) -> None:
        try:
            step = parse_step(rest)
        except TooFar:
            self._say("skip_far", days=MOST.days)
            return
        if step is None:
            self._say("skip_usage")
            return
        self._clock.advance(step)
        self._say("skipped", now=self._anchor())
        left = await sweep(self._house.memory.lifecycle, self._house.memory.outbox)
        mine = [one for one in left if one.user_id == self._user_id]
        for one in mine:
            reason = self._catalog.text(f"commands.reasons.{one.archived_reason}")
            self._say("left", text=one.text, reason=reason)
        if not mine:
            self._say("nothing_left")

    async def _help(self, _rest: str) -> None:
        arguments = {Order.RESTORE: " ID", Order.SKIP: " 3d"}
        for order in Order:
            form = f":{order}{arguments.get(order, '')}"
            self._screen.note(f"{form:<13} {self._catalog.text(f'terminal.chat.help.{order}')}")

    def _unknown(self, word: str) -> None:
        meant = near(word, [str(order) for order in Order]) if word else None
        if meant:
            self._say("unknown_near", word=f":{word}", near=f":{meant}")
        else:
            self._say("unknown", word=f":{word}")

    def _anchor(self) -> str:
        return clock_anchor(self._clock.now(), self._zone, self._language)

    def _say(self, key: str, **values: object) -> None:
        self._screen.note(self._catalog.text(f"terminal.chat.{key}", **values))

    def _tables(self) -> Tables:
        return Tables(self._catalog, self._language, self._clock.now(), self._zone)
