"""A server's lore: what its admins wrote down about their world. Known on that server and nowhere else.

It lies in the same table and collection as the lore of characters, under a key of its own
(``guild:1``), so that a change of embedder and a reindex take it along. It is nobody's memory:
nothing here is ever mixed with what people said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update

from llm.protocols import Embedder, Vector
from memory.clock import Clock
from memory.lorebook import Lorebook, is_called
from memory.model import Kind
from memory.store.database import Database
from memory.store.dialects import hold_alone
from memory.store.rows import pack, unpack
from memory.store.schema import lore
from memory.text import fold, single_line

MOST_ENTRIES = 100
MOST_TITLE = 60
MOST_TEXT = 500
MOST_KEYS = 16
MOST_KEY = 40
_APART = re.compile(r"[,，、;；\n]")
_FAR = 100_000  # nobody types so much: it is cut before it is cleaned


class LoreRefused(ValueError):
    """An entry that can't be taken: ``problem`` names why (a key of a text), ``most`` the limit."""

    def __init__(self, problem: str, most: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.most = most


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. ``keys`` call it up whatever the embedder thinks, and so does its title."""

    id: str
    guild: str
    title: str
    text: str
    keys: tuple[str, ...]
    created_at: datetime
    created_by: str

    @property
    def line(self) -> str:
        """The entry as it is told to a model."""
        return told(self.title, self.text)

    def is_called_by(self, folded: str) -> bool:
        """Whether a folded text names it."""
        return any(is_called(key, folded) for key in (self.title, *self.keys))


def told(title: str | None, text: str) -> str:
    """Return lore as it is told to a model and embedded: a title in front where it has one."""
    return text if title is None else f"{title}：{text}"


def space_of(embedder: Embedder) -> str:
    """Return which vectors an entry's are, as the row says it."""
    return str(embedder.identity)[:64]


class ServerLore:
    """Writes, lists and finds the lore of servers. SQL is the truth, the index mirrors it."""

    def __init__(self, database: Database, lorebook: Lorebook, embedder: Embedder, clock: Clock) -> None:
        self._database = database
        self._lorebook = lorebook
        self._embedder = embedder
        self._clock = clock

    async def add(self, guild: str, entry_id: str, title: str, text: str, keys: str, actor: str) -> Entry:
        """Write an entry down; ``entry_id`` makes a second try at the same one harmless.

        ``keys`` are apart by commas. Raises :class:`LoreRefused`, or ``ModelError`` where the
        embedder is away: nothing is kept then.
        """
        entry = Entry(
            id=f"{_shelf(guild)}:{entry_id}",
            guild=guild,
            title=_line(title, "title", MOST_TITLE),
            text=_line(text, "text", MOST_TEXT),
            keys=_keys(keys),
            created_at=self._clock.now(),
            created_by=actor,
        )
        (vector,) = await self._embedder.embed_documents([entry.line])
        async with self._database.write() as connection:
            await hold_alone(connection, _shelf(guild))  # of two admins at once, the second sees the first's
            held = [_entry(row) for row in await connection.execute(_live(guild))]
            known = next((one for one in held if one.id == entry.id), None)
            if known is not None:
                return known
            if len(held) >= MOST_ENTRIES:
                raise LoreRefused("too_many", MOST_ENTRIES)
            if any(fold(one.title) == fold(entry.title) for one in held):
                raise LoreRefused("same_title")
            await connection.execute(
                insert(lore).values(
                    id=entry.id,
                    persona_id=_shelf(guild),
                    text=entry.text,
                    kind=str(Kind.STATIC),
                    source=_shelf(guild),
                    digest=space_of(self._embedder),
                    vector=pack(vector),
                    title=entry.title,
                    keys=list(entry.keys),
                    created_at=entry.created_at,
                    created_by=actor,
                )
            )
        await self._lorebook.mirror(_shelf(guild))
        return entry

    async def remove(self, guild: str, entry_id: str, actor: str) -> Entry | None:
        """Take an entry out; the row stays with who did it and when. None where there is none to take out."""
        async with self._database.write() as connection:
            row = (await connection.execute(_live(guild).where(lore.c.id == entry_id))).first()
            if row is None:
                return None
            await connection.execute(
                update(lore)
                .where(lore.c.id == entry_id)
                .values(archived=True, archived_at=self._clock.now(), archived_by=actor)
            )
        await self._lorebook.mirror(_shelf(guild))
        return _entry(row)

    async def entries(self, guild: str) -> tuple[Entry, ...]:
        """Return what is in use on a server, the oldest first."""
        async with self._database.read() as connection:
            return tuple(_entry(row) for row in await connection.execute(_live(guild)))

    async def find(
        self, guild: str, text: str, query: Vector | None, count: int, floor: float
    ) -> tuple[Entry, ...]:
        """Return what a message touches: what it names first, then what is near enough, best first.

        All entries of a server are looked at, as SQL has them: they are few.
        """
        async with self._database.read() as connection:
            rows = [(row, _entry(row)) for row in await connection.execute(_live(guild))]
        folded, identity = fold(text), space_of(self._embedder)
        called = [entry for _, entry in rows if entry.is_called_by(folded)]
        near: list[tuple[float, Entry]] = []
        for row, entry in rows:
            if query is not None and row.digest == identity:
                similarity = float(unpack(row.vector) @ query)
                if similarity >= floor:
                    near.append((similarity, entry))
        near.sort(key=lambda pair: (-pair[0], pair[1].id))
        return tuple(dict.fromkeys([*called, *(entry for _, entry in near)]))[:count]


def _shelf(guild: str) -> str:
    return f"guild:{guild}"


def _live(guild: str) -> Any:
    kept = (lore.c.persona_id == _shelf(guild)) & lore.c.archived.is_(False)
    return select(lore).where(kept).order_by(lore.c.created_at, lore.c.id)


def _entry(row: Any) -> Entry:
    return Entry(
        id=row.id,
        guild=row.persona_id.removeprefix("guild:"),
        title=row.title,
        text=row.text,
        keys=tuple(row.keys or ()),
        created_at=row.created_at,
        created_by=row.created_by,
    )


def _line(text: str, field: str, most: int) -> str:
    """Return a text as one clean line; :class:`LoreRefused` where it is empty or too long, never cut."""
    line = single_line(text[:_FAR], _FAR)
    if not line:
        raise LoreRefused(f"no_{field}")
    if len(line) > most:
        raise LoreRefused(f"long_{field}", most)
    return line


def _keys(given: str) -> tuple[str, ...]:
    keys: Sequence[str] = [single_line(part, _FAR) for part in _APART.split(given[:_FAR])]
    keys = list(dict.fromkeys(key for key in keys if key))
    if len(keys) > MOST_KEYS:
        raise LoreRefused("many_keys", MOST_KEYS)
    if any(len(key) > MOST_KEY for key in keys):
        raise LoreRefused("long_key", MOST_KEY)
    return tuple(keys)
