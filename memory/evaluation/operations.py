"""End to end: scripted conversations through the whole pipeline, scored against what should have happened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from memory.clock import SettableClock
from memory.evaluation.conversation import Conversation, GoldLine
from memory.evaluation.ledger import Counts, Ledger, LineOutcome
from memory.messages import Message
from memory.observe import Observation
from memory.service import MemoryService

CLIENT = "evaluation"

Talk = Callable[[Message, str | None], Awaitable[Observation | None]]
"""Takes a message through the house, with her scripted reply where there is one; returns what it changed."""


@dataclass(frozen=True, slots=True)
class OperationsPrediction:
    """What one line did; ``wrong`` says what should not have happened, or should have."""

    conversation: str
    line: int
    say: str | None
    stored: tuple[str, ...]
    archived: tuple[str, ...]
    skipped: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OperationsReport:
    """The counts over all conversations, and by the part of the set, the kind and the language."""

    conversations: int
    total: Counts
    by: Mapping[str, Mapping[str, Counts]]
    predictions: tuple[OperationsPrediction, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as one JSON object."""
        return {
            "conversations": self.conversations,
            **figures(self.total),
            **{
                f"by_{group}": {name: figures(counts) for name, counts in members.items()}
                for group, members in self.by.items()
            },
        }


def figures(counts: Counts) -> dict[str, Any]:
    """Return counts with the shares made of them (0..1; None where there is nothing to share).

    ``precision``: memories the gold supports among those that count; ``recall``: facts kept, late ones
    too. ``missed_contradiction``: what is no longer so and is still live; ``correct_updates``: what was
    replaced, archived, called off or ended as it must be.
    """
    counted = counts.stored - counts.allowed
    return {
        **asdict(counts),
        "precision": _share(counts.found, counted),
        "recall": _share(counts.found, counts.facts),
        "correct_updates": _share(counts.updated, counts.updates),
        "missed_contradiction": _share(counts.missed, counts.contradictions),
        "dates": _share(counts.dated_right, counts.dated),
    }


async def evaluate_operations(
    conversations: Iterable[Conversation],
    memory: MemoryService,
    clock: SettableClock,
    talk: Talk,
    persona_id: str,
) -> OperationsReport:
    """Play the conversations one after another, each a person of its own, and score every line.

    ``clock`` is the one the house runs on: it stands at each line's time. A tick sweeps what is due.
    """
    scored: list[tuple[Conversation, Counts]] = []
    predictions: list[OperationsPrediction] = []
    for conversation in conversations:
        ledger = Ledger(conversation)
        for line in conversation.lines:
            clock.set(line.at)
            outcome = await _play(line, conversation, ledger, memory, talk, persona_id)
            predictions.append(_prediction(conversation, line, outcome))
            await memory.outbox.drain()
        scored.append((conversation, ledger.close()))
    return OperationsReport(
        conversations=len(scored),
        total=_sum(counts for _, counts in scored),
        by={
            "set": _by(scored, lambda one: one.part),
            "kind": _by(scored, lambda one: one.kind),
            "language": _by(scored, lambda one: one.language),
        },
        predictions=tuple(predictions),
    )


async def _play(
    line: GoldLine,
    conversation: Conversation,
    ledger: Ledger,
    memory: MemoryService,
    talk: Talk,
    persona_id: str,
) -> LineOutcome:
    if line.say is None:
        left = await memory.lifecycle.expire()
        return ledger.sweep(line, [one for one in left if one.user_id == conversation.id])
    message = Message(
        id=f"{CLIENT}:{conversation.id}:{line.number}",
        user_id=conversation.id,
        persona_id=persona_id,
        text=line.say,
        said_at=line.at,
        place=line.place,
        zone=conversation.zone,
        language=conversation.language,
        client=CLIENT,
    )
    return ledger.take(line, await talk(message, line.reply) or Observation())


def _prediction(conversation: Conversation, line: GoldLine, outcome: LineOutcome) -> OperationsPrediction:
    return OperationsPrediction(
        conversation=conversation.id,
        line=line.number,
        say=line.say,
        stored=outcome.stored,
        archived=outcome.archived,
        skipped=outcome.skipped,
        wrong=outcome.wrong,
    )


def _by(
    scored: Sequence[tuple[Conversation, Counts]], name_of: Callable[[Conversation], str]
) -> dict[str, Counts]:
    names = sorted({name_of(one) for one, _ in scored} - {""})
    return {name: _sum(counts for one, counts in scored if name_of(one) == name) for name in names}


def _sum(counts: Iterable[Counts]) -> Counts:
    return sum(counts, Counts())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
