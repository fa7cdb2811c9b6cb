"""Comparing what was just said with what is known: what is skipped, replaced, moved, told to be over.

What was said in one place never travels with a change to another: a known memory takes up only
what may be used everywhere it may be used itself, and is widened to a place only by its own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from llm.protocols import Vector
from memory.antecedent import beside
from memory.extraction.changes import called_off, lacks_its_event, stands_alone
from memory.extraction.put_right import only_moves
from memory.extraction.types import Change
from memory.meant import same_plan, which_event
from memory.messages import Message
from memory.model import Category, Flag, Kind, Memory
from memory.places import reaches
from memory.plan import Draft, Plan, Skipped
from memory.policy import MemoryPolicy, Thresholds
from memory.reading import read_fact
from memory.recollection import Reading
from memory.relations.gates import gate, settle_slot
from memory.relations.types import Relation, RelationJudge, Statement, Verdict
from memory.store.gate import Stored
from memory.store.rows import slot_of
from memory.store.writer import Action
from memory.telling import moved_to, names_no_day
from memory.temporal import expiry_of
from memory.text import fold


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
            if self._change_event(message, draft, plan):
                continue
            again = self._taking_up(draft, plan)
            if again is not draft or stands_alone(draft.fact):
                await self._compare(again, plan)
        if message.revision:
            _retract_unsaid(message, drafts, plan)
        return plan

    def _change_event(self, message: Message, draft: Draft, plan: Plan) -> bool:
        """Let a fact that is about a known event change it; False where no known event is meant."""
        change = draft.fact.change
        if change is Change.NEW or draft.memory.kind is not Kind.EVENT:
            return False
        reading = read_fact(draft.fact, message.said_at, message.zone)
        events = [item.memory for item in plan.live if _may_be_meant(item.memory, reading, message)]
        event = which_event(reading, events, message.said_at)
        if event is None or event.kind is not Kind.EVENT:
            # a date alone stands for nothing where no event is meant; one that names its event is a plan
            return reading.corrects and only_moves(draft.fact.text)
        known = plan.held[event.id].memory
        told_here = reaches(known.places, draft.memory.places)
        if event.subject != draft.memory.subject and not (told_here and (reading.corrects or reading.elided)):
            return False
        if reading.corrects and self._stands(known, draft, reading, message, plan):
            return True
        if change is Change.DONE:
            self._finish(known, draft, message, plan)
            return True
        off = {"flags": _called_off(known)} if change is Change.CANCELLED else {}
        plan.archive(known, f"{change} by {draft.memory.id}", **off)
        if change is Change.CANCELLED:
            fields = self._cancelled(known, draft, told_here)
        else:
            fields = self._moved(known, draft, reading, message, told_here)
        if event.subject != draft.memory.subject:
            fields["subject"] = known.subject
        nameless = reading.unnamed is not None or lacks_its_event(draft.fact, known)
        if change is Change.CANCELLED and told_here and nameless:
            # 會議取消了 of what was told as 開會: asked about by those words it must still be found
            fields["text"] = called_off(known.text, known.language)
            draft = replace(draft, vector=plan.held[known.id].vector)
        if change is Change.MOVED and told_here:
            # it is the same event on another day: what it is about stays as it was told
            fields["text"] = known.text
            draft = replace(draft, vector=plan.held[known.id].vector)
        plan.store(draft, str(change), supersedes_id=known.id, **fields)
        return True

    def _taking_up(self, draft: Draft, plan: Plan) -> Draft:
        """Let a plan told again take the place of the same one that was called off, with its day."""
        new, taken = draft.memory, False
        if new.kind is not Kind.EVENT or draft.fact.change is not Change.NEW:
            return draft
        for item in plan.live:
            known = item.memory
            if Flag.CANCELLED not in known.flags or not reaches(known.places, new.places):
                continue
            if not same_plan(new, known):
                continue
            taken = True
            plan.archive(known, f"told again by {new.id}")
            if new.valid_from is None and known.valid_from is not None:
                names = ("valid_from", "valid_to", "precision", "when_text", "zone", "expires_at")
                dates = {name: getattr(known, name) for name in names}
                flags = tuple(flag for flag in new.flags if flag is not Flag.RECURRING)  # 照常 is no habit
                new = new.model_copy(update={**dates, "flags": flags})
        return replace(draft, memory=new) if taken else draft

    def _stands(self, known: Memory, draft: Draft, reading: Reading, message: Message, plan: Plan) -> bool:
        """Whether a correction names the day that is known already: nothing changes then."""
        time = beside(reading.times[-1], known, message.said_at)
        if known.valid_from is None or time.ambiguous or moved_to(known, (time,)) is not None:
            return False
        plan.skips.append(Skipped(draft.memory.text, known.id, "the day it is known for"))
        return True

    def _cancelled(self, known: Memory, draft: Draft, told_here: bool) -> dict[str, Any]:
        """Return what is kept of an event that was called off: the day it was for, if none was named anew.

        The day stays behind where it was told in a place whose words may not be used here.
        """
        fields: dict[str, Any] = {
            "flags": _called_off(draft.memory),
        }
        if told_here and draft.memory.valid_from is None and known.valid_from is not None:
            for name in ("valid_from", "valid_to", "precision", "when_text", "zone"):
                fields[name] = getattr(known, name)
        return fields

    def _moved(
        self, known: Memory, draft: Draft, reading: Reading, message: Message, told_here: bool
    ) -> dict[str, Any]:
        """Return the new dates of an event: a bare clock time (改成三點) moves it within its own day.

        Where that day was told in a place whose words may not be used here, a clock time dates nothing,
        and neither does an amount (延後一週).
        """
        times, told, new = reading.times, {}, draft.memory
        if not told_here:
            times = tuple(time for time in times if not names_no_day(time))
            if not times and (reading.times or reading.shift is not None):
                undated = {"valid_from": None, "valid_to": None, "precision": None}
                return {**undated, "expires_at": self._expiry(new, None, new.zone)}
        if reading.corrects:
            times = tuple(beside(time, known, message.said_at) for time in times)
            told = {name: getattr(known, name) for name in ("subject", "attribute", "sensitive", "language")}
        dates = moved_to(known, times, reading.shift)
        if dates is None:
            return told
        expires = self._expiry(new, dates["valid_to"], new.zone or known.zone)
        unsure = {Flag.AMBIGUOUS_DATE, Flag.DISPUTED_DATE}
        flags = tuple(flag for flag in new.flags if flag not in unsure)
        return {**told, **dates, "expires_at": expires, "flags": flags}

    def _expiry(self, new: Memory, end: datetime | None, zone: str | None) -> datetime | None:
        return expiry_of(new.category, new.kind, new.created_at, end, self._policy, zone or "UTC")

    def _finish(self, known: Memory, draft: Draft, message: Message, plan: Plan) -> None:
        """Let an event be over; told where not all of its places may know, that is a version of its own."""
        fields = self._done(known, draft, message)
        if reaches(draft.memory.places, known.places):
            plan.update(known, Action.OUTCOME, f"told in {message.id}", **fields)
            plan.skips.append(Skipped(draft.memory.text, known.id, "done"))
            return
        plan.archive(known, f"told to be over by {draft.memory.id}")
        if reaches(known.places, draft.memory.places):
            fields["text"] = known.text
            draft = replace(draft, vector=plan.held[known.id].vector)
        plan.store(draft, str(Change.DONE), supersedes_id=known.id, **fields)

    def _done(self, known: Memory, draft: Draft, message: Message) -> dict[str, Any]:
        """Return what changes about an event that is over: believed even before its planned day."""
        said = message.said_at
        fields: dict[str, Any] = {
            "updated_at": said,
            "outcome": draft.fact.outcome or known.outcome,
            "valid_from": known.valid_from,
            "valid_to": known.valid_to,
            "precision": known.precision,
            "when_text": known.when_text,
            "expires_at": known.expires_at,
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
        same = [(m, v) for m, v in same if not _came_of(draft.memory, m)]
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
        if draft.fact.ends_known and not overturned:
            return  # what it ends was never told: 鑰匙弄丟了 alone is chat
        for item in plan.live:
            # whatever was compared: one live value a slot, the newest said
            if slot_of(item.memory) is not None and slot_of(item.memory) == slot_of(draft.memory):
                plan.archive(item.memory, f"its slot was taken by {draft.memory.id}")
        parent = overturned[0][0].id if overturned else None
        plan.store(draft, overturned[0][1].reason if overturned else "new", supersedes_id=parent)

    def _confirm(self, draft: Draft, known: Memory, plan: Plan, why: str) -> None:
        """Say that a known memory was said again: it is as fresh as now, and was said here too.

        Where it holds more than was said here, it does not come along to this place: what was said
        here is then kept beside it, unless its slot holds one value.
        """
        new, said = draft.memory, draft.memory.created_at
        known = _told_here(known, new, plan)
        fields: dict[str, Any] = {}
        widened = reaches(known.places, new.places) or _says_no_more(known, new)
        if widened:
            fields["places"] = tuple(dict.fromkeys((*known.places, *new.places)))
        if said is not None and (known.confirmed_at is None or said > known.confirmed_at):
            fields["updated_at"] = said
        if reaches(new.places, known.places):
            fields |= _learned(known, draft)
        plan.update(known, Action.CONFIRMED, why, **fields)
        if widened or slot_of(new) is not None:
            plan.skips.append(Skipped(new.text, known.id, why))
        else:
            plan.store(draft, "known elsewhere, said here for the first time")


def _may_be_meant(memory: Memory, reading: Reading, message: Message) -> bool:
    """Whether a change may be about a memory; what a mere correction puts right was told in its place."""
    if reading.corrects:
        return reaches(memory.places, (str(message.place),))
    return memory.kind is Kind.EVENT


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


def _called_off(memory: Memory) -> tuple[Flag, ...]:
    """Return a memory's flags with the one of what was called off."""
    return tuple(dict.fromkeys((*memory.flags, Flag.CANCELLED)))


def _distance(a: Vector, b: Vector) -> float | None:
    return float(1.0 - a @ b) if a.shape == b.shape else None


def _told_here(known: Memory, new: Memory, plan: Plan) -> Memory:
    """Return the memory that holds the same words and may be used here, or else the known one."""
    if reaches(known.places, new.places):
        return known
    same = (item.memory for item in plan.live if fold(item.memory.text) == fold(new.text))
    return next((m for m in same if m.subject == new.subject and reaches(m.places, new.places)), known)


def _says_no_more(known: Memory, new: Memory) -> bool:
    """Whether a known memory shows nothing that was not said anew."""
    shown = ("valid_from", "valid_to", "outcome")
    return fold(known.text) == fold(new.text) and all(
        getattr(known, name) in (None, getattr(new, name)) for name in shown
    )


def _learned(known: Memory, draft: Draft) -> dict[str, Any]:
    """Return what a known event learns by being told again: a date it had not, how it went."""
    fields: dict[str, Any] = {}
    if known.kind is not Kind.EVENT:
        return fields
    start, said = known.valid_from, draft.memory.created_at
    ahead = start is not None and said is not None and start > said
    if known.valid_from is None and draft.memory.valid_from is not None:
        for name in ("valid_from", "valid_to", "precision", "when_text", "expires_at", "zone"):
            fields[name] = getattr(draft.memory, name)
    if draft.fact.outcome and not known.outcome and not ahead:
        fields["outcome"] = draft.fact.outcome
    return fields


def _came_of(new: Memory, known: Memory) -> bool:
    """Whether something lasting is what a plan led to: 考上成大 is not 考大學 told again."""
    return known.kind is Kind.EVENT and new.kind is not Kind.EVENT and new.category is Category.IDENTITY


def _said_after(memory: Memory, other: Memory) -> bool:
    mine, theirs = memory.created_at, other.created_at
    return mine is not None and theirs is not None and mine > theirs
