"""Who or what a message tells to be lost, and what is not asked any more then.

Nothing is asked about the one who is gone, and nothing at all for some days: a question about an
exam the evening after a death is no kindness.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.extraction.clauses import Clause
from memory.extraction.lexicon import found, pattern
from memory.extraction.screens import screened
from memory.extraction.tables import expression
from memory.follow_ups import AFTER_LOSS, OPEN, FollowUpState
from memory.messages import Message
from memory.model import ArchivedReason, Kind, Memory
from memory.store.schema import follow_ups
from memory.store.writer import Writer
from memory.text import fold, fold_same_length

HELD_BACK = timedelta(days=3)
"""How long after a loss nothing is asked; chosen so that the first days are left alone."""
_LONGEST_NAME = 6


@dataclass(frozen=True, slots=True)
class Loss:
    """A death or a parting: what the lost one is called, and the words that stand for them."""

    names: tuple[str, ...]
    stands_for: str | None = None
    death: bool = True

    def concerns(self, memory: Memory) -> bool:
        """Whether an event is about the one who is gone: by its words, those said, or whose it is."""
        words = fold(f"{memory.text}\n{memory.quote}\n{memory.subject}")
        if any(name in words for name in self.names):
            return True
        return self.stands_for is not None and found("loss", self.stands_for, words) is not None


def tells_of_loss(text: str) -> bool:
    """Whether a message may tell of a loss, whoever it is: reason enough to ask nothing beside it."""
    folded = fold_same_length(text)
    if found("loss", "not_so", folded):
        return False
    if found("loss", "died", folded) or (found("loss", "parted", folded) and not _of_others(folded)):
        return True
    near = found("loss", "near", folded) or found("loss", "animal", folded)
    return bool(near and found("loss", "gone", folded))


def may_hold_loss(text: str) -> bool:
    """Whether a clause has a word of loss at all; without one :func:`loss_in` is None whoever is known."""
    return any(
        cause is None and any(found("loss", key, clause.folded) for key in ("parted", "died", "gone"))
        for clause, cause in screened(text)
    )


def loss_in(text: str, known: Iterable[str] = ()) -> Loss | None:
    """Return the loss a message tells of, or None; ``known`` may tell that a name is an animal's."""
    sentences = [fold(sentence) for sentence in known]
    for clause, cause in screened(text):
        if cause is None and (loss := _of_clause(clause, sentences)) is not None:
            return loss
    return None


async def leave_in_peace(writer: Writer, message: Message, held: Sequence[Memory]) -> tuple[Memory, ...]:
    """Close what is planned with the one a message tells to be lost, and hold every question back.

    ``held`` is what was live before the message. Returns what was archived: plans with the dead that
    lie ahead, but for a farewell.
    """
    loss = loss_in(message.text, (memory.text for memory in held))
    if loss is None:
        return ()
    events = [memory for memory in held if memory.kind is Kind.EVENT and not memory.archived]
    about = [memory for memory in events if loss.concerns(memory)]
    left = []
    for memory in about:
        current = await writer.current(memory.id)
        if current is not None and _ends_with(current, loss, message.said_at):
            left.append(await writer.archive(current, ArchivedReason.CONTRADICTED, AFTER_LOSS))
    await _ask_nothing(writer.connection, message, [memory.id for memory in about], writer.now)
    return tuple(left)


async def _ask_nothing(
    connection: AsyncConnection, message: Message, closed: Sequence[str], now: datetime
) -> None:
    theirs = (
        follow_ups.c.user_id == message.user_id,
        follow_ups.c.persona_id == message.persona_id,
        follow_ups.c.state.in_(OPEN),
    )
    await connection.execute(
        update(follow_ups)
        .where(*theirs, follow_ups.c.memory_id.in_(list(closed)))
        .values(state=str(FollowUpState.CANCELLED), reason=AFTER_LOSS, updated_at=now)
    )
    until = message.said_at + HELD_BACK
    await connection.execute(
        update(follow_ups)
        .where(*theirs, follow_ups.c.due_at < until, follow_ups.c.state == str(FollowUpState.PENDING))
        .values(due_at=until, next_at=None, reason=AFTER_LOSS, updated_at=now)
    )


def _ends_with(memory: Memory, loss: Loss, said: datetime) -> bool:
    ahead = memory.valid_to is None or memory.valid_to > said
    return loss.death and not memory.archived and ahead and not found("loss", "farewell", fold(memory.text))


def _of_clause(clause: Clause, known: Sequence[str]) -> Loss | None:
    words = clause.folded
    if not clause.readable or found("loss", "not_so", words):
        return None
    if found("loss", "parted", words):
        whom = pattern(r"(?:跟|和|與)(?P<who>[^,我]{1,6}?)(?:分手|離婚)").search(words)
        who = (whom["who"],) if whom else ()
        return None if _of_others(words) else Loss(who, "partner", death=False)
    sure, maybe = (pattern(expression("loss", key)).search(words) for key in ("died", "gone"))
    match = sure or maybe
    if match is None:
        return None
    name = pattern(expression("loss", "around")).sub(" ", words[: match.start()]).strip()
    near = pattern(expression("loss", "near")).search(name)
    animal = found("loss", "animal", words) or _is_animal(name, known)
    if near is None and not animal and sure is None:
        return None
    names = {near.group()} if near else set()
    if 1 < len(name) <= _LONGEST_NAME:
        names.add(name)
    return Loss(tuple(sorted(names)), "animal" if animal and near is None else None)


def _is_animal(name: str, known: Sequence[str]) -> bool:
    """Whether a name is that of an animal she was told of."""
    return len(name) > 1 and any(name in one and found("loss", "animal", one) for one in known)


def _of_others(folded: str) -> bool:
    return bool(found("loss", "others", folded))
