"""Memories as they were read, kept to be quick: the words and the vector of a revision never change.

What is live, whose it is and where it may be used is never taken from here: SQL says that each time,
by id and revision. Only what such a revision *is* need not be read and checked anew for every message.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llm.protocols import Vector
from memory.model import Memory

Terms = tuple[str, ...]

MOST_KEPT = 10_000
"""Memories that are kept: what fifty people have at the default cap, some 5 KB each with its vector."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory with its vector."""

    memory: Memory
    vector: Vector


class Revisions:
    """Keeps what was read last, up to ``most`` memories."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[str, Stored] = OrderedDict()
        self._terms: dict[str, Terms] = {}

    def get(self, memory_id: str, rev: int) -> Stored | None:
        """Return a memory, where just this revision of it is kept."""
        stored = self._kept.get(memory_id)
        if stored is None or stored.memory.rev != rev:
            return None
        self._kept.move_to_end(memory_id)
        return stored

    def keep(self, stored: Stored) -> None:
        """Keep a revision in the place of an older one."""
        memory_id = stored.memory.id
        self._terms.pop(memory_id, None)
        self._kept[memory_id] = stored
        self._kept.move_to_end(memory_id)
        while len(self._kept) > self._most:
            gone, _ = self._kept.popitem(last=False)
            self._terms.pop(gone, None)

    def terms(self, items: Sequence[Stored], read: Callable[[Sequence[str]], Sequence[Terms]]) -> list[Terms]:
        """Return the terms of each memory's text, in order; ``read`` finds those of many texts at once."""
        unread = [item for item in items if not self._holds(item) or item.memory.id not in self._terms]
        fresh = zip(unread, read([item.memory.text for item in unread]), strict=True)
        found = {item.memory.id: terms for item, terms in fresh}
        self._terms.update((item.memory.id, found[item.memory.id]) for item in unread if self._holds(item))
        return [found.get(item.memory.id) or self._terms.get(item.memory.id, ()) for item in items]

    def forget(self) -> None:
        """Let go of everything: somebody is erased, or the vectors have become others."""
        self._kept.clear()
        self._terms.clear()

    def _holds(self, item: Stored) -> bool:
        return self._kept.get(item.memory.id) is item
