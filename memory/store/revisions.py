"""Memories as they were read, kept to be quick: the words and the vector of a revision never change.

What is live, whose it is and where it may be used is never taken from here: SQL says that each time,
by id and revision. Only what such a revision *is* need not be read and checked anew for every message.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

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
    """Keeps what was read last, up to ``most`` memories; any thread may ask."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[str, Stored] = OrderedDict()
        self._terms: dict[str, Terms] = {}
        self._lock = Lock()

    def those_of(self, revisions: Iterable[tuple[str, int]]) -> dict[str, Stored]:
        """Return by id the memories of which just this revision is kept."""
        found: dict[str, Stored] = {}
        with self._lock:
            for memory_id, rev in revisions:
                stored = self._kept.get(memory_id)
                if stored is not None and stored.memory.rev == rev:
                    self._kept.move_to_end(memory_id)
                    found[memory_id] = stored
        return found

    def keep(self, items: Iterable[Stored]) -> None:
        """Keep revisions, each in the place of an older one."""
        with self._lock:
            for stored in items:
                memory_id = stored.memory.id
                self._terms.pop(memory_id, None)
                self._kept[memory_id] = stored
                self._kept.move_to_end(memory_id)
            while len(self._kept) > self._most:
                gone, _ = self._kept.popitem(last=False)
                self._terms.pop(gone, None)

    def terms(self, items: Sequence[Stored], read: Callable[[Sequence[str]], Sequence[Terms]]) -> list[Terms]:
        """Return the terms of each memory's text, in order; ``read`` finds those of many texts at once."""
        with self._lock:
            found = [self._terms.get(item.memory.id) if self._holds(item) else None for item in items]
            unread = [number for number, terms in enumerate(found) if terms is None]
            fresh = read([items[number].memory.text for number in unread]) if unread else ()
            for number, terms in zip(unread, fresh, strict=True):
                found[number] = terms
                if self._holds(items[number]):
                    self._terms[items[number].memory.id] = terms
        return [terms or () for terms in found]

    def forget(self) -> None:
        """Let go of everything: somebody is erased, or the vectors have become others."""
        with self._lock:
            self._kept.clear()
            self._terms.clear()

    def _holds(self, item: Stored) -> bool:
        return self._kept.get(item.memory.id) is item
