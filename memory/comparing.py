"""Comparing what was just said with what is known, and planning what changes.

Nothing is written here: a plan names the revisions it rests on, and is applied in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from llm.protocols import Vector
from memory.extraction.types import Change, Fact
from memory.messages import Message
from memory.model import ArchivedReason, Flag, Kind, Memory
from memory.places import Place, may_use
from memory.policy import MemoryPolicy, Thresholds
from memory.reading import read_message, which_event
from memory.recollection import Reading
from memory.relations.gates import gate, settle_slot
from memory.relations.types import Relation, RelationJudge, Statement, Verdict
from memory.store.gate import Stored
from memory.store.rows import slot_of
from memory.store.writer import Action, Writer
from memory.telling import moved_to
from memory.temporal import expiry_of


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

    def archive(self, memory: Memory, cause: str) -> None:
        """Take a known memory out of use: something newer stands against it."""
        self.steps.append(_Step(memory, Action.ARCHIVED, cause))
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
                after = await writer.archive(before, ArchivedReason.CONTRADICTED, step.cause)
                current[after.id] = after
                written.pop(after.id, None)
                archived.append(after)
            else:
                after = await writer.change(before, step.action, step.cause, **step.fields)
                current[after.id] = after
                if step.action is not Action.CONFIRMED:
                    written[after.id] = after
        return list(written.values()), archived


class Comparer:
    """Plans what a message changes, the cheapest gate first; asks the judge where words can't tell."""

    def __init__(self, judge: RelationJudge, policy: MemoryPolicy, thresholds: Thresholds) -> None:
        self._judge = judge
        self._policy = policy
        self._thresholds = thresholds

    async def plan(self, message: Message, drafts: Sequence[Draft], held: Sequence[Stored]) -> Plan:
        """Compare each fact with what is live, the message's earlier facts among it."""
        plan = Plan({item.memory.id: item for item in held})
        for draft in drafts:
            if draft.memory.id in plan.held:
                continue
            if not self._change_event(message, draft, plan):
                await self._compare(draft, plan)
        if message.revision:
            _retract_unsaid(message, drafts, plan)
        return plan

    def _change_event(self, message: Message, draft: Draft, plan: Plan) -> bool:
        """Let a fact that is about a known event change it; False where no known event is meant."""
        change = draft.fact.change
        if change is Change.NEW or draft.memory.kind is not Kind.EVENT:
            return False
        reading = read_message(message.text, message.said_at, message.zone)
        events = [item.memory for item in plan.live if item.memory.kind is Kind.EVENT]
        event = which_event(reading, events, message.said_at)
        if event is None or event.subject != draft.memory.subject:
            return False
        known = plan.held[event.id].memory
        if change is Change.DONE:
            plan.update(known, Action.OUTCOME, f"told in {message.id}", **self._done(known, draft, message))
            plan.skips.append(Skipped(draft.memory.text, known.id, "done"))
            return True
        plan.archive(known, f"{change} by {draft.memory.id}")
        fields = self._cancelled(draft) if change is Change.CANCELLED else self._moved(known, draft, reading)
        if change is Change.MOVED and _may_be_retold(known, draft.memory):
            # it is the same event on another day: what it is about stays as it was told
            fields["text"] = known.text
            draft = replace(draft, vector=plan.held[known.id].vector)
        plan.store(draft, str(change), supersedes_id=known.id, places=_places(known, draft.memory), **fields)
        return True

    def _cancelled(self, draft: Draft) -> dict[str, Any]:
        return {"flags": tuple(dict.fromkeys((*draft.memory.flags, Flag.CANCELLED)))}

    def _moved(self, known: Memory, draft: Draft, reading: Reading) -> dict[str, Any]:
        """Return the new dates of an event: a bare clock time (改成三點) moves it within its own day."""
        dates = moved_to(known, reading.times)
        if dates is None:
            return {}
        zone = draft.memory.zone or known.zone or "UTC"
        expires = expiry_of(
            draft.memory.category,
            draft.memory.kind,
            draft.memory.created_at,
            dates["valid_to"],
            self._policy,
            zone,
        )
        return {**dates, "expires_at": expires}

    def _done(self, known: Memory, draft: Draft, message: Message) -> dict[str, Any]:
        """Return what changes about an event that is over: believed even before its planned day."""
        said = message.said_at
        fields: dict[str, Any] = {
            "updated_at": said,
            "places": _places(known, draft.memory),
            "outcome": draft.fact.outcome or known.outcome,
        }
        over_early = known.valid_to is None or known.valid_to > said
        if over_early:
            start = min(known.valid_from or said, said)
            day = draft.memory.valid_from
            fields["valid_from"] = day if day is not None and day <= said else start
            fields["valid_to"] = said
            fields["expires_at"] = expiry_of(
                known.category, known.kind, said, said, self._policy, known.zone or message.zone
            )
        return fields

    async def _compare(self, draft: Draft, plan: Plan) -> None:
        new = _statement(draft.memory)
        known = plan.live
        candidates = [_statement(item.memory, _distance(item.vector, draft.vector)) for item in known]
        decision = gate(new, candidates, self._thresholds, limit=self._policy.judge_candidates)
        if decision.duplicate_of is not None:
            self._confirm(draft, known[decision.duplicate_of].memory, plan, decision.reason)
            return
        verdicts: dict[int, Verdict] = {}
        asked: list[int] = []
        for place in decision.candidates:
            settled = settle_slot(new, candidates[place])
            if settled is not None:
                verdicts[place] = settled
            else:
                asked.append(place)
        if asked:
            answers = await self._judge.judge(new, [candidates[place] for place in asked])
            verdicts.update(zip(asked, answers, strict=True))
        self._follow(draft, [known[place].memory for place in verdicts], list(verdicts.values()), plan)

    def _follow(
        self, draft: Draft, compared: Sequence[Memory], verdicts: Sequence[Verdict], plan: Plan
    ) -> None:
        """Act on the verdicts. Whatever they say, at least one of each pair stays live."""
        pairs = list(zip(compared, verdicts, strict=True))
        overturned = [(m, v) for m, v in pairs if v.relation is Relation.CONTRADICT]
        same = [(m, v) for m, v in pairs if v.relation is Relation.DUPLICATE]
        newer = [m for m, _ in overturned if _said_after(m, draft.memory)]
        if newer:
            # an older message observed late: what was said since stands, this one is history
            plan.store_as_history(draft, f"older than {newer[0].id}")
            return
        for memory, verdict in overturned:
            plan.archive(memory, verdict.reason)
        if same:
            self._confirm(draft, same[0][0], plan, same[0][1].reason)
            return
        for item in plan.live:
            # whatever was compared: one live value a slot, the newest said
            if slot_of(item.memory) is not None and slot_of(item.memory) == slot_of(draft.memory):
                plan.archive(item.memory, f"its slot was taken by {draft.memory.id}")
        parent = overturned[0][0].id if overturned else None
        plan.store(draft, overturned[0][1].reason if overturned else "new", supersedes_id=parent)

    def _confirm(self, draft: Draft, known: Memory, plan: Plan, why: str) -> None:
        """Say that a known memory was said again: it is as fresh as now, and was said here too."""
        said = draft.memory.created_at
        fields: dict[str, Any] = {"places": _places(known, draft.memory)}
        if said is not None and (known.confirmed_at is None or said > known.confirmed_at):
            fields["updated_at"] = said
        if known.kind is Kind.EVENT and known.valid_from is None and draft.memory.valid_from is not None:
            for name in ("valid_from", "valid_to", "precision", "when_text", "expires_at", "zone"):
                fields[name] = getattr(draft.memory, name)
        if draft.fact.outcome and not known.outcome and known.kind is Kind.EVENT:
            fields["outcome"] = draft.fact.outcome
        plan.update(known, Action.CONFIRMED, why, **fields)
        plan.skips.append(Skipped(draft.memory.text, known.id, why))


def _retract_unsaid(message: Message, drafts: Sequence[Draft], plan: Plan) -> None:
    """After an edit, take back what the earlier wording alone had said."""
    kept = {draft.memory.id for draft in drafts} | {skip.same_as for skip in plan.skips}
    for item in list(plan.live):
        if item.memory.source == message.id and item.memory.id not in kept:
            plan.archive(item.memory, f"edited: revision {message.revision} no longer says it")


def _statement(memory: Memory, distance: float | None = None) -> Statement:
    return Statement(
        text=memory.text,
        quote=memory.quote,
        subject=memory.subject,
        category=memory.category,
        attribute=memory.attribute,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        said_at=memory.confirmed_at,
        language=memory.language,
        distance=distance,
    )


def _distance(a: Vector, b: Vector) -> float | None:
    return float(1.0 - a @ b) if a.shape == b.shape else None


def _places(known: Memory, new: Memory) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known.places, *new.places)))


def _may_be_retold(known: Memory, new: Memory) -> bool:
    """Whether the words of a known memory may stand in every place where the new one was said."""
    said_in = [Place.parse(place) for place in known.places]
    return all(any(may_use(old, Place.parse(place)) for old in said_in) for place in new.places)


def _said_after(memory: Memory, other: Memory) -> bool:
    mine, theirs = memory.created_at, other.created_at
    return mine is not None and theirs is not None and mine > theirs
