"""What a message says about time, read before anything is stored; and which known event it means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from memory.antecedent import just_told, on_the_day
from memory.extraction.changes import change_of, moved_mark
from memory.extraction.clauses import Clause
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import Topic, outcome_span, specifics_in, topics_in
from memory.extraction.put_right import date_put_right, generic_event
from memory.extraction.rules_answers import answers, correction
from memory.extraction.screens import screened, speech_of
from memory.extraction.tables import expression
from memory.extraction.types import Change, Fact
from memory.extraction.view import look
from memory.grounding import Direction, Tense, TimeExpression, dates_memory, resolve, tense_of
from memory.model import USER_SUBJECT, Category, Kind, Memory
from memory.recollection import Reading
from memory.statements import subject_key
from memory.text import fold, fold_same_length

# An event told to be over this long before its planned time is still believed to be the one meant;
# further ahead it is another one. Set by the exam told done three days early, and by weekly events.
EARLY = timedelta(days=6)
# How long after its end people still say that it is over; the age at which undated plans expire.
LATE = timedelta(days=14)
# An event that ended longer ago than this is not the one that was just moved or called off.
STALE_CHANGE = timedelta(days=1)


def read_message(text: str, said_at: datetime, zone: str, her_last_turn: str | None = None) -> Reading:
    """Read the dates, the tense and the change of a message; pure, stores nothing.

    A question, a joke, a hypothetical or somebody else's words change nothing (考試取消了嗎？), but
    their dates and tense are read all the same: they say what is asked about. ``her_last_turn`` is
    only there to read an answer by (「期末考怎麼樣？」「爆了」).
    """
    folded = fold_same_length(text)
    times = resolve(text, said_at, zone, language=speech_of(folded))
    plain = Reading(
        tense=tense_of(text),
        times=times,
        about_now=found("changes", "about_now", folded) is not None,
        elided=pattern(_OWN).search(folded) is None,
    )
    right = date_put_right(text, her_last_turn, times)
    if right is not None:
        topics = tuple(word for topic in right.topics for word in topic.folded_words)
        return _corrects(plain, right.new, right.old, topics)
    previous: Clause | None = None
    subject = USER_SUBJECT
    for clause, cause in screened(text):
        if cause is not None or not clause.readable:
            previous = None
            continue
        if previous is None or previous.sentence != clause.sentence:
            subject = USER_SUBJECT
        read = _read_clause(clause, previous, times, subject, plain, (said_at, zone))
        if read is not None:
            return read
        if speech_of(clause.folded) == "zh":
            subject = look(clause, times, subject).subject
        previous = clause
    told = [*correction(text, her_last_turn, times), *answers(text, her_last_turn, times)]
    return next(
        (_told(d.change, d.text, d.subject, plain) for d in told if d.change is not Change.NEW), plain
    )


def read_fact(fact: Fact, said_at: datetime, zone: str) -> Reading:
    """Read one fact of a message that may tell several: what it does, and to which event.

    Its own words come first; where they name no event (爆了), its sentence does.
    """
    reading = read_message(fact.quote, said_at, zone)
    if reading.corrects and fact.attribute is not None:
        words = fold(fact.text)
        return replace(reading, topics=_terms(words, topics_in(words)))
    named = reading.topics or reading.corrects or generic_event(fact.text)
    if reading.change is fact.change and named:
        return replace(reading, subject=fact.subject)
    return _told(fact.change, fact.text, fact.subject, replace(reading, change=Change.NEW))


def _corrects(
    plain: Reading, new: TimeExpression, old: TimeExpression | None, topics: tuple[str, ...]
) -> Reading:
    """Return the reading of a message that is nothing but the right date."""
    return replace(
        plain,
        change=Change.MOVED,
        times=(new,),
        topics=topics,
        event_times=() if old is None else (old,),
        corrects=True,
    )


def _told(change: Change, sentence: str, subject: str, plain: Reading) -> Reading:
    """Return the reading of a change whose event only the sentence made of it names."""
    words = fold(sentence)
    return replace(
        plain,
        tense=Tense.PAST if change is Change.DONE else plain.tense,
        change=change,
        topics=_terms(words, topics_in(words)) if change is not Change.NEW else (),
        subject=subject,
    )


def _read_clause(
    clause: Clause,
    previous: Clause | None,
    times: tuple[TimeExpression, ...],
    subject: str,
    plain: Reading,
    moment: tuple[datetime, str],
) -> Reading | None:
    """Return the reading of a clause that changes an event, or None."""
    inside = tuple(t for t in times if t.span[0] >= clause.start and t.span[1] <= clause.end)
    words = _without(clause, inside)
    if speech_of(clause.folded) == "zh":
        view = look(clause, times, subject)
        if view.about_other:
            return None
        subject = view.subject
    change = change_of(words, inside)
    if change is Change.NEW:
        return None
    families = topics_in(words)
    if not families and previous is not None and previous.sentence == clause.sentence:
        earlier = tuple(t for t in times if previous.start <= t.span[0] and t.span[1] <= previous.end)
        families = topics_in(previous.folded)
        words = f"{_without(previous, earlier)},{words}" if families else words
        event_times = (*earlier, *_event_times(change, clause, inside)) if families else ()
    else:
        event_times = _event_times(change, clause, inside)
    if change is not Change.DONE:
        event_times = tuple(_as_ahead(t, moment) for t in event_times)
    terms = _terms(words, families)
    if not families and change is Change.DONE:
        return None
    if not (families or terms or event_times) and not _says_only_the_change(change, inside, words):
        return None
    return Reading(
        tense=Tense.PAST if change is Change.DONE else plain.tense,
        change=change,
        times=times,
        topics=terms,
        about_now=plain.about_now,
        event_times=event_times,
        subject=subject,
        elided=plain.elided,
    )


def _as_ahead(time: TimeExpression, moment: tuple[datetime, str]) -> TimeExpression:
    """Read a date of an event that is moved or called off as one to come: 了 tells of the change."""
    if time.direction is not Direction.PAST:
        return time
    again = resolve(f"{time.phrase}要", *moment)
    if len(again) == 1 and dates_memory(again[0]) and again[0].direction is not Direction.PAST:
        return again[0]
    return time


def _says_only_the_change(change: Change, inside: tuple[TimeExpression, ...], words: str) -> bool:
    """Whether a clause is nothing but a change (改到下週五了, 取消了): its event is in the air."""
    if change is Change.MOVED:
        return bool(inside)
    return pattern(r"取消|吹了|泡湯|cancel|called off|中止|キャンセル").search(words) is not None


def _event_times(
    change: Change, clause: Clause, inside: tuple[TimeExpression, ...]
) -> tuple[TimeExpression, ...]:
    """Return the dates that say when the event was to be: for a move, those before its mark."""
    if change is not Change.MOVED:
        return inside
    mark = moved_mark(clause.folded)
    limit = clause.start + (mark.start() if mark else 0)
    return tuple(t for t in inside if t.span[1] <= limit)


def _without(clause: Clause, times: Iterable[TimeExpression]) -> str:
    spans = [(t.span[0] - clause.start, t.span[1] - clause.start) for t in times]
    return "".join(c for i, c in enumerate(clause.folded) if not any(a <= i < b for a, b in spans))


def _terms(words: str, families: tuple[Topic, ...]) -> tuple[str, ...]:
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
        terms.extend(topic.folded_words)
    return tuple(dict.fromkeys(terms))


_WITH = fold("跟")
_OWN = r"我|\b(?:my|i|mine)\b|私|僕|俺|[他她]|\b(?:his|her|their)\b"


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


def which_event(reading: Reading, memories: Iterable[Memory], now: datetime) -> Memory | None:
    """Return the remembered event whose change a message tells, or None.

    One the message's date falls on comes first, then the one that shares most of its own words; after
    that the nearest in time for what is done, the next upcoming for what was moved or called off.
    A change that names no event (改到下週五了) means the one told just now, else the one upcoming
    event, if there is only one; a mere correction only the one told just now. One that doesn't say
    whose event it is may mean that of somebody near, told just now.
    """
    memories = list(memories)
    if reading.change in {Change.MOVED, Change.CANCELLED}:
        last = just_told(memories, now)
        if reading.corrects and not reading.topics:
            fits = last is not None and all(on_the_day(t, last) for t in reading.event_times)
            return last if fits else None
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
