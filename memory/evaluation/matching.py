"""Which stored memory is which gold fact, whatever words either of them uses.

A memory is a gold fact where the shelf is one of its categories, it is about the same person, its
sentence holds a word of each group of ``has`` and none of ``not``, and its quote stands in what was
said. Texts are compared folded (script, case, width), numerals as digits. The date is no part of it:
two facts that differ only by date are told apart by it, and it is scored by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.evaluation.conversation import GoldFact
from memory.model import Memory
from memory.statements import subject_key
from memory.statements.values import with_digits
from memory.text import fold


def fits(memory: Memory, fact: GoldFact) -> bool:
    """Whether a memory says what a gold fact says."""
    if memory.category not in fact.categories:
        return False
    if subject_key(memory.subject) not in {subject_key(subject) for subject in fact.subjects}:
        return False
    text = _plain(memory.text)
    if any(_plain(word) in text for word in fact.lacks):
        return False
    return all(any(_plain(word) in text for word in group) for group in fact.has)


def rests_on(memory: Memory, said: str) -> bool:
    """Whether the words a memory rests on stand in what was said."""
    return bool(memory.quote.strip()) and fold(memory.quote) in fold(said)


def dated_right(memory: Memory, fact: GoldFact, zone: str) -> bool | None:
    """Whether a memory has the date of the fact; None where the gold doesn't say."""
    if fact.when is None:
        return None
    if not fact.when:
        return memory.valid_from is None
    return memory.valid_from is not None and _local(memory.valid_from, zone).startswith(fact.when)


def assign(memories: Sequence[Memory], facts: Sequence[GoldFact], zone: str) -> Mapping[str, GoldFact]:
    """Return which memory (by id) is which fact: as many pairs as there can be, then as many right dates."""
    fitting = [[number for number, fact in enumerate(facts) if fits(one, fact)] for one in memories]
    best: tuple[int, int, dict[str, GoldFact]] = (0, 0, {})

    def place(index: int, taken: frozenset[int], pairs: dict[str, GoldFact], dates: int) -> None:
        nonlocal best
        if len(pairs) + len(memories) - index < best[0]:
            return
        if index == len(memories):
            if (len(pairs), dates) > best[:2]:
                best = len(pairs), dates, dict(pairs)
            return
        memory = memories[index]
        for number in fitting[index]:
            if number not in taken:
                right = dated_right(memory, facts[number], zone) is not False
                place(index + 1, taken | {number}, {**pairs, memory.id: facts[number]}, dates + right)
        place(index + 1, taken, pairs, dates)

    place(0, frozenset(), {}, 0)
    return best[2]


def _plain(text: str) -> str:
    return with_digits(fold(text))


def _local(moment: datetime, zone: str) -> str:
    return moment.astimezone(ZoneInfo(zone)).isoformat(timespec="minutes")
