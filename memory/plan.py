"""The changes one message makes: gathered in memory, applied in one transaction.

Nothing is written here before :meth:`Plan.apply`; a plan names the revisions it rests on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from llm.protocols import Vector
from memory.extraction.types import Fact
from memory.model import ArchivedReason, Memory
from memory.store.gate import Stored
from memory.store.writer import Action, Writer


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact on its way to become a memory, with its vector."""

    fact: Fact
    memory: Memory
    vector: Vector


@dataclass(frozen=True, slots=True)
class Skipped:
    """A fact that was known already: ``same_as`` is the id of the memory that holds it."""

    text: str
    same_as: str
    why: str


@dataclass(frozen=True, slots=True)
class _Step:
    """One change: a new memory with its vector, or new field values for a known one."""

    memory: Memory
    action: Action
    cause: str
    vector: Vector | None = None
    history: bool = False
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass
class Plan:
    """The changes of one message, in order, and what is live once they are made."""

    held: dict[str, Stored]
    steps: list[_Step] = field(default_factory=list)
    skips: list[Skipped] = field(default_factory=list)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was known already."""
        return tuple(self.skips)

    @property
    def live(self) -> list[Stored]:
        """What is live as far as the plan has come."""
        return [item for item in self.held.values() if not item.memory.archived]

    def store(self, draft: Draft, cause: str, **fields: Any) -> None:
        """Add a new memory."""
        memory = draft.memory.model_copy(update=fields)
        self.steps.append(_Step(memory, Action.STORED, cause, draft.vector))
        self.held[memory.id] = Stored(memory, draft.vector)

    def store_as_history(self, draft: Draft, cause: str) -> None:
        """Add what has been overturned already: it is kept, archived from the start."""
        self.steps.append(_Step(draft.memory, Action.STORED, cause, draft.vector, history=True))

    def update(self, memory: Memory, action: Action, cause: str, **fields: Any) -> None:
        """Change a known memory."""
        self.steps.append(_Step(memory, action, cause, fields=fields))
        known = self.held[memory.id]
        self.held[memory.id] = Stored(known.memory.model_copy(update=fields), known.vector)

    def archive(self, memory: Memory, cause: str, **fields: Any) -> None:
        """Take a known memory out of use: something newer stands against it."""
        self.steps.append(_Step(memory, Action.ARCHIVED, cause, fields=fields))
        known = self.held[memory.id]
        self.held[memory.id] = Stored(known.memory.model_copy(update={"archived": True}), known.vector)

    async def apply(self, writer: Writer) -> tuple[list[Memory], list[Memory]]:
        """Make the changes; returns what was written and what was archived, as they now are."""
        current: dict[str, Memory] = {}
        written: dict[str, Memory] = {}
        archived: list[Memory] = []
        for step in self.steps:
            before = current.get(step.memory.id, step.memory)
            if step.history and step.vector is not None:
                past = writer.as_archived(step.memory, ArchivedReason.CONTRADICTED)
                if await writer.add(past, step.vector, step.cause):
                    archived.append(past)
            elif step.vector is not None:
                if await writer.add(step.memory, step.vector, step.cause):
                    written[step.memory.id] = current[step.memory.id] = step.memory
            elif step.action is Action.ARCHIVED:
                after = await writer.archive(before, ArchivedReason.CONTRADICTED, step.cause, **step.fields)
                current[after.id] = after
                written.pop(after.id, None)
                archived.append(after)
            else:
                after = await writer.change(before, step.action, step.cause, **step.fields)
                current[after.id] = after
                if step.action is not Action.CONFIRMED:
                    written[after.id] = after
        return list(written.values()), archived
