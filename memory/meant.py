"""Which remembered event a message speaks of: whose change it tells, whose date it puts right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from memory.antecedent import just_told, on_the_day, only_one
from memory.extraction.lexicon import pattern
from memory.extraction.lexicon_events import Topic, outcome_span, specifics_in, topics_in
from memory.extraction.tables import expression
from memory.extraction.types import Change
from memory.grounding import Direction, dates_memory
from memory.model import USER_SUBJECT, Category, Flag, Kind, Memory
from memory.recollection import Reading
from memory.statements import subject_key
from memory.text import fold
from memory.wording import local_day

# An event told to be over this long before its planned time is still believed to be the one meant;
# further ahead it is another one. Set by the exam told done three days early, and by weekly events.
EARLY = timedelta(days=6)
# How long after its end people still say that it is over; the age at which undated plans expire.
LATE = timedelta(days=14)
# An event that ended longer ago than this is not the one that was just moved or called off.
STALE_CHANGE = timedelta(days=1)


def terms_of(words: str, families: tuple[Topic, ...]) -> tuple[str, ...]:
    """Return what the event is called: the words said, whom it is with, the family's other words."""
    terms: list[str] = []
    for topic in families:
        terms.extend(match.group() for match in pattern(topic.source).finditer(words))
    terms.extend(
        f"{_WITH}{match['who']}" for match in pattern(expression("changes", "companion")).finditer(words)
    )
    rest = words
    for topic in families:
        rest = pattern(topic.source).sub(" ", rest)
    outcome = outcome_span(rest)
    if outcome is not None:
        rest = f"{rest[: outcome[0]]} {rest[outcome[1] :]}"
    rest = pattern(expression("changes", "empty")).sub(" ", rest)
    terms.extend(pattern(r"[\u4e00-\u9fff]{2,}|[ァ-ヶー]{2,}|[a-z0-9]{3,}").findall(rest))
    for topic in families:
        terms.extend(one for one in topic.folded_words if not specifics_in(topic, one))
    return tuple(dict.fromkeys(terms))


_WITH = fold("跟")


def concerns(reading: Reading, memory: Memory) -> bool:
    """Whether the change a message tells speaks about this remembered event.

    The event's words must meet (a family of words, and no different member of it: 期中考 is not
    多益), it must be the same person's, with the same company, and the dates must not contradict.
    """
    if reading.change is Change.NEW or memory.archived:
        return False
    if memory.kind is not Kind.EVENT and memory.category is not Category.SCHEDULE:
        return False
    if subject_key(reading.subject) != subject_key(memory.subject):
        return False
    return _words_meet(reading, memory) and _dates_fit(reading, memory)


def _words_meet(reading: Reading, memory: Memory) -> bool:
    known = fold(f"{memory.text}\n{memory.quote}")
    said = "\n".join(reading.topics)
    if not reading.topics:
        return True
    company = {term[len(_WITH) :] for term in reading.topics if term.startswith(_WITH)}
    met = {match["who"] for match in pattern(expression("changes", "companion")).finditer(known)}
    if company and met and not company & met:
        return False
    families = topics_in(said)
    if not families:
        return any(term in known for term in reading.topics if not term.startswith(_WITH)) or bool(
            company & met
        )
    for topic in families:
        if pattern(topic.source).search(known) is None:
            continue
        here, there = specifics_in(topic, said), specifics_in(topic, known)
        if not here or not there or here & there:
            return True
    return False


def _dates_fit(reading: Reading, memory: Memory) -> bool:
    if memory.valid_from is None:
        return True
    if reading.corrects:
        return all(on_the_day(time, memory) for time in reading.event_times)
    start, end = memory.valid_from, memory.valid_to or memory.valid_from
    for time in reading.event_times:
        if not dates_memory(time) or time.start is None or time.end is None:
            continue
        if (time.start < end and start < time.end) or time.start <= start < time.end:
            continue
        if reading.change is Change.DONE:
            if start - time.end > EARLY or time.start - end > LATE:
                return False
        elif time.direction is not Direction.PRESENT:
            return False
    return True


def same_plan(new: Memory, known: Memory) -> bool:
    """Whether a plan is one that was known: by its words, whose it is, and the day where both have one."""
    if new.valid_from is not None and known.valid_from is not None:
        zone = known.zone or "UTC"
        if local_day(new.valid_from, zone) != local_day(known.valid_from, zone):
            return False
    words = fold(f"{new.text}\n{new.quote}")
    reading = Reading(change=Change.MOVED, topics=terms_of(words, topics_in(words)), subject=new.subject)
    return bool(topics_in(words)) and concerns(reading, known)


def which_event(reading: Reading, memories: Iterable[Memory], now: datetime) -> Memory | None:
    """Return the remembered event whose change a message tells, or None.

    One the message's date falls on comes first, then the one that shares most of its own words; after
    that the nearest in time for what is done, the next upcoming for what was moved or called off.
    A change that names no event (改到下週五了) means the one told just now, else the one upcoming
    event, if there is only one; a mere correction only the one told just now. One that doesn't say
    whose event it is may mean that of somebody near, told just now.
    """
    memories = list(memories)
    if reading.unnamed is not None:
        dated = [m for m in memories if _dates_fit(reading, m)]
        return only_one(reading.unnamed, reading.subject, dated, now)
    if reading.change in {Change.MOVED, Change.CANCELLED}:
        last = just_told(memories, now)
        if reading.corrects and not reading.topics:
            fits = last is not None and all(on_the_day(t, last) for t in reading.event_times)
            return last if fits else None
        if reading.corrects:
            return _put_right(reading, last, memories, now)
        if last is not None and _speaks_of(reading, last, memories, now):
            return last
    meant = [m for m in memories if concerns(reading, m) and _in_reach(reading, m, now)]
    if not meant:
        return None
    if not reading.topics:
        meant = [m for m in meant if m.valid_from is not None and (m.valid_to or m.valid_from) > now]
        if len(meant) > 1:
            meant = [m for m in meant if _on_a_said_date(reading, m)]
        if len(meant) != 1:
            return None
    return min(meant, key=lambda m: (*_closeness(reading, m, now), m.id), default=None)


def _put_right(reading: Reading, last: Memory | None, memories: list[Memory], now: datetime) -> Memory | None:
    """Return the event whose date a correction that names it puts right: told just now, or the only one."""
    fitting = [
        m
        for m in memories
        if concerns(reading, m)
        and _in_reach(reading, m, now)
        and Flag.CANCELLED not in m.flags
        and m.outcome is None
        and _no_other_round(reading, m)
    ]
    if last is not None and any(m.id == last.id for m in fitting):
        return last
    return fitting[0] if len(fitting) == 1 else None


def _no_other_round(reading: Reading, memory: Memory) -> bool:
    """Whether what is put right is no narrower event than the one known: 二面 is not the 面試 of before."""
    known, said = fold(f"{memory.text}\n{memory.quote}"), "\n".join(reading.topics)
    return all(
        not specifics_in(topic, said) or specifics_in(topic, said) & specifics_in(topic, known)
        for topic in topics_in(said)
    )


def _speaks_of(reading: Reading, last: Memory, memories: list[Memory], now: datetime) -> bool:
    """Whether a change that doesn't say whose event it means speaks of the one told just now."""
    if not (reading.elided and reading.subject == USER_SUBJECT):
        return False
    own = [m for m in memories if concerns(reading, m) and _in_reach(reading, m, now)]
    if reading.topics and any(m.id != last.id for m in own):
        return False
    theirs = replace(reading, subject=last.subject)
    return concerns(theirs, last) and _in_reach(theirs, last, now)


def _in_reach(reading: Reading, memory: Memory, now: datetime) -> bool:
    if memory.valid_from is None:
        return True
    end = memory.valid_to or memory.valid_from
    if reading.change is Change.DONE:
        if reading.earlier and memory.valid_from > now:
            return False
        return memory.valid_from - now <= EARLY and now - end <= LATE
    return now - end <= STALE_CHANGE


def _on_a_said_date(reading: Reading, memory: Memory) -> bool:
    if memory.valid_from is None:
        return False
    end = memory.valid_to or memory.valid_from
    return any(
        dates_memory(t)
        and t.start is not None
        and t.end is not None
        and ((t.start < end and memory.valid_from < t.end) or t.start <= memory.valid_from < t.end)
        for t in reading.event_times
    )


def _closeness(reading: Reading, memory: Memory, now: datetime) -> tuple[bool, int, bool, int, float]:
    known = fold(f"{memory.text}\n{memory.quote}")
    general = {term for topic in topics_in("\n".join(reading.topics)) for term in topic.folded_words}
    shared = sum(len(t) for t in reading.topics if len(t) > 1 and t in known and t not in general)
    told = memory.outcome is not None and reading.change is Change.DONE
    start, end = memory.valid_from, memory.valid_to or memory.valid_from
    if start is None or end is None:
        return not _on_a_said_date(reading, memory), -shared, told, 1, 0.0
    distance = timedelta() if start <= now < end else min(abs(now - start), abs(now - end))
    behind = reading.change is not Change.DONE and end <= now
    return not _on_a_said_date(reading, memory), -shared, told, 2 if behind else 0, distance.total_seconds()
