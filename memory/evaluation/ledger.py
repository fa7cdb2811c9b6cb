"""What one conversation's gold says is so, beside what was stored: who stands for what, what went wrong.

A gold fact is *held* while a live memory stands for it. Nothing is held against a line that cannot be
tested: a fact that was never stored can't be overturned, and where it is stored late that is no duplicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from memory.evaluation.conversation import Conversation, GoldFact, GoldLine
from memory.evaluation.matching import assign, dated_right, fits, rests_on
from memory.model import ArchivedReason, Flag, Memory
from memory.observe import Observation


@dataclass(slots=True)
class Counts:
    """Numbers over some lines.

    ``facts``: what gold says must be kept; ``found`` of them are (``late`` ones at a later line).
    ``stored``: memories made, without the versions that only change an event; ``allowed`` of them need not
    be there. ``invented``: nothing in the gold supports them. ``updates``: facts that must be replaced,
    archived, called off or ended and are held; ``updated``: rightly so. ``contradictions``: those of them
    that are no longer so; ``missed``: still live afterwards. ``retired``: live no more though still so.
    ``repeats``: said again while held; ``duplicates``: kept twice. ``dated``: facts found whose date the
    gold tells, ``dated_right`` with it.
    """

    lines: int = 0
    facts: int = 0
    found: int = 0
    late: int = 0
    stored: int = 0
    allowed: int = 0
    invented: int = 0
    updates: int = 0
    updated: int = 0
    contradictions: int = 0
    missed: int = 0
    retired: int = 0
    repeats: int = 0
    duplicates: int = 0
    dated: int = 0
    dated_right: int = 0
    waiting: int = 0
    held_at_end: int = 0
    missing_at_end: int = 0
    stale_at_end: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Return the sum of both."""
        return Counts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """What a line did to the memory, and what was wrong with it, in words."""

    stored: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


@dataclass(slots=True)
class _Told:
    """A gold fact: whether it is still so, whether it must be kept, which live memories stand for it."""

    fact: GoldFact
    needed: bool
    so: bool = True
    late: bool = False
    live: set[str] = field(default_factory=set)


class Ledger:
    """Takes what each line did, in order, and counts."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._told: dict[str, _Told] = {}
        self._stands_for: dict[str, str] = {}
        self._seen: set[str] = set()
        self.counts = Counts()
        self._wrong: list[str] = []

    def take(self, line: GoldLine, observation: Observation) -> LineOutcome:
        """Score one line."""
        self._wrong = []
        self.counts.lines += 1
        if observation.waiting is not None:
            self.counts.waiting += 1
            self._wrong.append(f"waits for the model: {observation.waiting}")
        created = [m for m in observation.written if m.id not in self._seen]
        self._seen.update(m.id for m in created)
        held = {key for key, told in self._told.items() if told.live}
        ending = self._ending(line)
        for memory in observation.archived:
            self._drop(memory)
        created = [m for m in created if not self._version(m, line)]
        self.counts.stored += len(created)
        rest = self._match(line, created)
        self._leftovers(rest, line, held)
        self._changes(line, held, ending, observation)
        self._retired(line, observation.archived, ending)
        self._repeats(line, held)
        return LineOutcome(
            stored=tuple(m.text for m in created),
            archived=tuple(m.text for m in observation.archived),
            skipped=tuple(one.text for one in observation.skipped),
            wrong=tuple(self._wrong),
        )

    def sweep(self, line: GoldLine, archived: Sequence[Memory]) -> LineOutcome:
        """Score what left by itself at a tick."""
        return self.take(line, Observation(archived=tuple(archived)))

    def close(self) -> Counts:
        """Count what stands at the end, and return all counts."""
        for told in self._told.values():
            if told.so and told.needed:
                self.counts.held_at_end += bool(told.live)
                self.counts.missing_at_end += not told.live
            elif not told.so:
                self.counts.stale_at_end += bool(told.live)
        return self.counts

    def _ending(self, line: GoldLine) -> set[str]:
        """Close what gold ends at this line; returns its keys."""
        replaced = {key for fact in (*line.store, *line.may) for key in fact.replaces}
        ending = replaced | set(line.archive) | set(line.cancelled)
        for key in ending:
            self._told[key].so = False
        return ending

    def _drop(self, memory: Memory) -> None:
        key = self._stands_for.get(memory.id)
        if key is not None:
            self._told[key].live.discard(memory.id)

    def _version(self, memory: Memory, line: GoldLine) -> bool:
        """Whether a new memory is only an event's next version: called off, or told to be over."""
        before = self._stands_for.get(memory.supersedes_id or "")
        if before is None or before not in (*line.cancelled, *line.done):
            return False
        if before in line.cancelled and Flag.CANCELLED not in memory.flags:
            return False
        self._bind(before, memory, live=before in line.done)
        return True

    def _bind(self, key: str, memory: Memory, *, live: bool = True) -> None:
        self._stands_for[memory.id] = key
        if live:
            self._told[key].live.add(memory.id)

    def _match(self, line: GoldLine, created: Sequence[Memory]) -> list[Memory]:
        """Bind new memories to this line's gold; returns those that are none of it."""
        supported = [m for m in created if rests_on(m, line.say or "")]
        pairs = assign(supported, (*line.store, *line.may), self._conversation.zone)
        for fact in line.store:
            self._told[fact.key] = _Told(fact, needed=True)
            self.counts.facts += 1
        for fact in line.may:
            self._told[fact.key] = _Told(fact, needed=False)
        for memory in supported:
            if (found := pairs.get(memory.id)) is not None:
                self._bind(found.key, memory)
                self._found(found.key, memory)
        for fact in line.store:
            if not self._told[fact.key].live:
                self._wrong.append(f"missed: {fact.key} ({' '.join('|'.join(g) for g in fact.has)})")
        for memory in created:
            if memory not in supported:
                self.counts.invented += 1
                self._wrong.append(f"its quote was not said: {memory.text}")
        return [m for m in supported if m.id not in pairs]

    def _found(self, key: str, memory: Memory) -> None:
        told = self._told[key]
        if not told.needed:
            self.counts.allowed += 1
            return
        self.counts.found += 1
        right = dated_right(memory, told.fact, self._conversation.zone)
        if right is not None:
            self.counts.dated += 1
            self.counts.dated_right += right
            if not right:
                found = memory.valid_from.isoformat() if memory.valid_from else "no date"
                self._wrong.append(f"date of {key}: {found} instead of {told.fact.when or 'none'}")

    def _leftovers(self, rest: Iterable[Memory], line: GoldLine, held: set[str]) -> None:
        """Place what no gold of this line supports: known facts in other words, or inventions."""
        for memory in rest:
            key = next((k for k, told in self._told.items() if told.so and fits(memory, told.fact)), None)
            if key is None:
                self.counts.invented += 1
                self._wrong.append(f"invented: ({memory.category}) {memory.text}")
                continue
            told = self._told[key]
            if told.live:
                self.counts.duplicates += 1
                self._wrong.append(f"duplicate of {key}: {memory.text}")
            elif key in held:
                self.counts.allowed += 1  # the same in other words took its place: nothing is lost
            else:
                told.late = True
                self.counts.late += 1
                self._found(key, memory)
            self._bind(key, memory)

    def _changes(self, line: GoldLine, held: set[str], ending: set[str], seen: Observation) -> None:
        """Score what must be replaced, archived, called off or over, where it was held."""
        follow = {key: fact for fact in line.store for key in fact.replaces}
        reasons = {m.id: m.archived_reason for m in seen.archived}
        for key in sorted(ending & held):
            self.counts.updates += 1
            self.counts.contradictions += line.archive.get(key) is not ArchivedReason.EXPIRED
            if self._told[key].live:
                self.counts.missed += line.archive.get(key) is not ArchivedReason.EXPIRED
                self._wrong.append(f"still live: {key}")
                continue
            wanted = line.archive.get(key, ArchivedReason.CONTRADICTED)
            given = {reasons.get(id_) for id_, name in self._stands_for.items() if name == key} - {None}
            if wanted not in given:
                self._wrong.append(f"{key} left as {', '.join(map(str, given))} instead of {wanted}")
            elif key not in follow or self._told[follow[key].key].live:
                self.counts.updated += 1
        for key in sorted(held.intersection(line.done)):
            self.counts.updates += 1
            if any(self._stands_for.get(m.id) == key and _is_over(m, line) for m in seen.written):
                self.counts.updated += 1
            else:
                self._wrong.append(f"not told to be over: {key}")

    def _retired(self, line: GoldLine, archived: Iterable[Memory], ending: set[str]) -> None:
        """Count facts that are still so and that nothing stands for any more."""
        for key in dict.fromkeys(self._stands_for.get(m.id, "") for m in archived):
            told = self._told.get(key)
            if told is not None and told.so and not told.live and key not in ending:
                self.counts.retired += 1
                self._wrong.append(f"retired though still so: {key}")

    def _repeats(self, line: GoldLine, held: set[str]) -> None:
        self.counts.repeats += len(held.intersection(line.skip))


def _is_over(memory: Memory, line: GoldLine) -> bool:
    return memory.outcome is not None or (memory.valid_to is not None and memory.valid_to <= line.at)
