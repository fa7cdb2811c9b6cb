"""What stands before the judge: skip what is surely known, ask about little, store the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.policy import Thresholds
from memory.relations.compare import Pair
from memory.relations.structure import ENDS, by_structure
from memory.relations.types import Relation, Statement, Verdict
from memory.statements import Aspect, is_single_valued, parse_statement, same_value, subject_key

JUDGED_AT_MOST = 3
_PLAIN = re.compile(r"[\s\W_]+")


@dataclass(frozen=True, slots=True)
class Gate:
    """What to do with a new fact. Places are indexes into the candidates that were given.

    ``duplicate_of``: skip, it is known as this one. Else ``candidates`` go to the judge, the
    closest relation first, each with its entry in ``reasons``; none: store. ``reason`` says why.
    """

    duplicate_of: int | None
    candidates: tuple[int, ...]
    reasons: tuple[str, ...]
    reason: str


def gate(
    new: Statement,
    candidates: Sequence[Statement],
    thresholds: Thresholds,
    *,
    limit: int = JUDGED_AT_MOST,
) -> Gate:
    """Decide, without asking anybody, what a new fact needs."""
    near: list[tuple[float, int, str]] = []
    for place, candidate in enumerate(candidates):
        alike = _looks_known(new, candidate, thresholds)
        if alike is None:
            continue
        unseen = unseen_difference(new, candidate)
        if unseen is None:
            return Gate(place, (), (), alike)
        near.append((candidate.distance or 0.0, place, f"{alike}, but {unseen} differs"))
    asked = dict[int, str]()
    for place, candidate in _newest_first(candidates):
        if _same_slot(new, candidate):
            asked[place] = f"the same slot: {candidate.attribute}"
    if parse_statement(new.text).changed:
        for place, candidate in _newest_first(candidates):
            if place not in asked and _ended_by(new, candidate):
                asked[place] = "its words say that it is no longer so"
    for _, place, why in sorted(near):
        asked.setdefault(place, why)
    for distance, place in sorted(
        (c.distance, place) for place, c in enumerate(candidates) if c.distance is not None
    ):
        if distance <= thresholds.gray:
            asked.setdefault(place, f"distance {distance:.3f} within the gray limit {thresholds.gray}")
    newest = next((p for p, c in _newest_first(candidates) if c.category is new.category), None)
    if newest is not None:
        asked.setdefault(newest, f"the newest of its category: {new.category}")
    kept = list(asked.items())[:limit]
    reason = "something near is known" if kept else "nothing near is known"
    return Gate(None, tuple(place for place, _ in kept), tuple(why for _, why in kept), reason)


def _looks_known(new: Statement, candidate: Statement, thresholds: Thresholds) -> str | None:
    a, b = (_PLAIN.sub("", parse_statement(s.text).text) for s in (candidate, new))
    if a == b:
        return "the same words"
    if candidate.distance is not None and candidate.distance < thresholds.duplicate:
        return f"distance {candidate.distance:.3f} under the duplicate limit {thresholds.duplicate}"
    return None


def unseen_difference(new: Statement, candidate: Statement) -> str | None:
    """Name what differs between two near statements that a vector can't see, or None."""
    pair = Pair(candidate, new)
    a, b = pair.a, pair.b
    checks = (
        ("whose it is", pair.subjects[0] != pair.subjects[1]),
        ("the negation", pair.parity_differs and a.polarity == b.polarity == 0),
        ("the stance", a.polarity != b.polarity and bool(a.polarity and b.polarity)),
        ("the stance", a.polarity == b.polarity != 0 and pair.parity_differs and not _double_speech(pair)),
        ("a number", bool(a.numbers or b.numbers) and set(a.numbers) != set(b.numbers)),
        ("a date", a.dates != b.dates or _other_moment(new, candidate)),
        ("a name", a.names != b.names and bool(a.names and b.names)),
        ("the thing", bool(pair.apart)),
        ("the value", a.slot == b.slot and same_value(a.slot or "", candidate.text, new.text) is False),
        ("how real it is", (a.aspect is Aspect.HYPOTHETICAL) != (b.aspect is Aspect.HYPOTHETICAL)),
        ("the time of life", a.scope != b.scope),
        ("a change", b.changed and not a.changed),
    )
    return next((name for name, differs in checks if differs), None)


def _double_speech(pair: Pair) -> bool:
    """Whether one says by a negation what the other says by its word: 不喜欢, 讨厌."""
    return {"like", "dislike"} <= (pair.a.markers | pair.b.markers) or not pair.a.polarity


def _other_moment(new: Statement, candidate: Statement) -> bool:
    a, b = new.valid_from, candidate.valid_from
    return a is not None and b is not None and a != b


def _same_slot(new: Statement, candidate: Statement) -> bool:
    return (
        new.attribute is not None
        and new.attribute == candidate.attribute
        and subject_key(new.subject) == subject_key(candidate.subject)
    )


def _ended_by(new: Statement, candidate: Statement) -> bool:
    """Whether the words of a change alone overturn a statement, however far apart the two are."""
    verdict = by_structure(Pair(candidate, new), ENDS)
    return verdict is not None and verdict.relation is Relation.CONTRADICT


def _newest_first(candidates: Sequence[Statement]) -> list[tuple[int, Statement]]:
    """Those whose time is unknown count as oldest."""
    return sorted(
        enumerate(candidates),
        key=lambda item: item[1].said_at.timestamp() if item[1].said_at else float("-inf"),
        reverse=True,
    )


def settle_slot(new: Statement, candidate: Statement) -> Verdict | None:
    """Decide about a slot with one value in code, whatever a judge would say; None for other facts.

    The newest said stands: equal or vaguer is a DUPLICATE, anything else overturns the old value.
    """
    slot = new.attribute or parse_statement(new.text).slot
    known = candidate.attribute or parse_statement(candidate.text).slot
    if slot is None or slot != known or not is_single_valued(slot):
        return None
    if subject_key(new.subject) != subject_key(candidate.subject):
        return None
    if _looks_known(new, candidate, Thresholds(0.0, 0.0, 0.0, "equal words only")):
        return Verdict(Relation.DUPLICATE, f"{slot}: the same words")
    if same_value(slot, candidate.text, new.text):
        return Verdict(Relation.DUPLICATE, f"{slot}: the same value")
    return Verdict(Relation.CONTRADICT, f"{slot} holds one value: the newest said stands")
