"""What a message says about time, read before anything is stored: dates, tense, what becomes of an event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from memory.extraction.ahead import times_told
from memory.extraction.changes import change_of, moved_mark
from memory.extraction.clauses import Clause
from memory.extraction.lexicon import found, pattern
from memory.extraction.lexicon_events import topics_in
from memory.extraction.put_right import date_put_right, generic_event
from memory.extraction.put_right_named import named_put_right
from memory.extraction.rules_answers import answers, correction
from memory.extraction.rules_unnamed import says_more, told_without_name
from memory.extraction.screens import screened, speech_of
from memory.extraction.types import Change, Fact
from memory.extraction.unnamed import names_no_event
from memory.extraction.view import look
from memory.grounding import Direction, Tense, TimeExpression, dates_memory, resolve, tense_of
from memory.meant import terms_of
from memory.model import USER_SUBJECT
from memory.recollection import Reading
from memory.shift import Shift, shift_in
from memory.text import fold, fold_same_length


def read_message(text: str, said_at: datetime, zone: str, her_last_turn: str | None = None) -> Reading:
    """Read the dates, the tense and the change of a message; pure, stores nothing.

    A question, a joke, a hypothetical or somebody else's words change nothing (考試取消了嗎？), but
    their dates and tense are read all the same: they say what is asked about. ``her_last_turn`` is
    only there to read an answer by (「期末考怎麼樣？」「爆了」).
    """
    folded = fold_same_length(text)
    times = times_told(text, said_at, zone, speech_of(folded))
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
    by_name = named_put_right(text, times)
    if by_name is not None:
        terms = terms_of(by_name.what, by_name.topics)
        return replace(_corrects(plain, by_name.new, by_name.old, terms), subject=by_name.subject)
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
    named = [_told(d.change, d.text, d.subject, plain) for d in told if d.change is not Change.NEW]
    return next(iter(named), None) or _read_unnamed(text, plain) or plain


def _read_unnamed(text: str, plain: Reading) -> Reading | None:
    """Return the reading of a message that tells what became of an event without naming it."""
    pieces = screened(text)
    for clause, cause in pieces:
        told = told_without_name(clause, plain.times) if cause is None and clause.readable else None
        if told is not None and not (told[0].alone and says_more(clause, pieces)):
            what, subject, inside = told
            return replace(
                plain,
                tense=Tense.PAST if what.change is Change.DONE else plain.tense,
                change=what.change,
                event_times=inside,
                subject=subject,
                unnamed=what,
            )
    return None


def read_fact(fact: Fact, said_at: datetime, zone: str) -> Reading:
    """Read one fact of a message that may tell several: what it does, and to which event.

    Its own words come first; where they name no event (爆了), its sentence does.
    """
    reading = read_message(fact.quote, said_at, zone)
    if reading.unnamed is not None:
        if names_no_event(fact.text):
            return replace(reading, subject=fact.subject)
        return _told(fact.change, fact.text, fact.subject, replace(reading, change=Change.NEW, unnamed=None))
    if reading.corrects and fact.attribute is not None:
        words = fold(fact.text)
        return replace(reading, topics=terms_of(words, topics_in(words)))
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
        topics=terms_of(words, topics_in(words)) if change is not Change.NEW else (),
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
    shift = shift_in(clause.folded) if change is Change.MOVED else None
    if shift is not None:  # "a week later" counts from the day it was planned for, not from now
        start, end = (clause.start + place for place in shift.span)
        times = tuple(t for t in times if t.span[1] <= start or end <= t.span[0])
        inside = tuple(t for t in inside if t in times)
        words = _without(clause, inside, shift.span)
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
    terms = terms_of(words, families)
    if not families and change is Change.DONE:
        return None
    if not (families or terms or event_times) and not _says_only_the_change(change, inside, shift, words):
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
        earlier=found("changes", "earlier", words) is not None,
        shift=shift,
    )


def _as_ahead(time: TimeExpression, moment: tuple[datetime, str]) -> TimeExpression:
    """Read a date of an event that is moved or called off as one to come: 了 tells of the change."""
    if time.direction is not Direction.PAST:
        return time
    again = resolve(f"{time.phrase}要", *moment)
    if len(again) == 1 and dates_memory(again[0]) and again[0].direction is not Direction.PAST:
        return again[0]
    return time


def _says_only_the_change(
    change: Change, inside: tuple[TimeExpression, ...], shift: Shift | None, words: str
) -> bool:
    """Whether a clause is nothing but a change (改到下週五了, 取消了): its event is in the air."""
    if change is Change.MOVED:
        return bool(inside) or shift is not None
    off = r"取消|吹了|泡湯|告吹|停辦|停課|喊卡|作罷|流局|流會|cancel|called off|中止|キャンセル"
    return pattern(off).search(words) is not None


def _event_times(
    change: Change, clause: Clause, inside: tuple[TimeExpression, ...]
) -> tuple[TimeExpression, ...]:
    """Return the dates that say when the event was to be: for a move, those before its mark."""
    if change is not Change.MOVED:
        return inside
    mark = moved_mark(clause.folded)
    limit = clause.start + (mark.start() if mark else 0)
    return tuple(t for t in inside if t.span[1] <= limit)


def _without(clause: Clause, times: Iterable[TimeExpression], *more: tuple[int, int]) -> str:
    spans = [*((t.span[0] - clause.start, t.span[1] - clause.start) for t in times), *more]
    return "".join(c for i, c in enumerate(clause.folded) if not any(a <= i < b for a, b in spans))


_OWN = r"我|\b(?:my|i|mine)\b|私|僕|俺|[他她]|\b(?:his|her|their)\b"
