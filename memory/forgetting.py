"""What this process remembers of texts it has read, to be quick; and forgetting all of it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from memory.relations.traits import traits_of
from memory.statements.lexicon import wider_than
from memory.statements.parse import parse_statement

_READ = (parse_statement, traits_of, wider_than)


@runtime_checkable
class Forgetful(Protocol):
    """Something that keeps texts to be quick, and can let go of them."""

    def forget(self) -> None:
        """Let go of all of them."""
        ...


def forget_texts(*others: object) -> None:
    """Empty every cache that is keyed by what people said, those of ``others`` where they have any."""
    for cached in _READ:
        cached.cache_clear()
    for other in others:
        if isinstance(other, Forgetful):
            other.forget()
