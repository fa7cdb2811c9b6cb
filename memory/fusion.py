"""How well a memory answers a message: meaning, words and time, added up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from memory.clock import as_utc
from memory.grounding.types import TimeExpression
from memory.lexical import is_bare_question
from memory.model import USER_SUBJECT
from memory.text import fold, has_cjk

# A share of the lexical score is added to the cosine. Set on LoCoMo (observations, turns) and MemoryBank-zh:
# recall stays level from 0.3 to 0.5; votes by rank lose.
LEXICAL_SHARE = 0.4
# What a memory gains that was said in, or happens in, a time the message names. Set on the dated
# questions of MemoryBank-zh: level from 0.25 up.
TIME_SHARE = 0.3

# What a memory gains whose subject the message names. Set on LoCoMo: level from 0.05 to 0.2.
SUBJECT_SHARE = 0.1

_SAID_ONLY = 0.5
_HALF_A_YEAR = timedelta(days=183)
_YEAR_NAMED = re.compile(r"\d{4}|年|year", re.IGNORECASE)

Span = tuple[datetime, datetime]


def relevance(similarity: float, lexical: float, time_match: float, subject_match: float = 0.0) -> float:
    """Return the fused relevance: the cosine, plus a share of the words, of the time, of the subject."""
    return similarity + LEXICAL_SHARE * lexical + TIME_SHARE * time_match + SUBJECT_SHARE * subject_match


def subject_matches(query: str, subjects: Iterable[str]) -> dict[str, float]:
    """Return for each subject 1 where the message names it (媽媽, Gina), blind to script; else 0.

    The person themselves is never named that way.
    """
    folded = fold(query)
    return {
        subject: float(subject != USER_SUBJECT and _names(folded, fold(subject))) for subject in set(subjects)
    }


def _names(folded: str, named: str) -> bool:
    if not named:
        return False
    if not has_cjk(named):
        return bool(re.search(rf"\b{re.escape(named)}\b", folded))
    # 媽媽 is also 我媽: a doubled word of kinship is said short behind a pronoun.
    short = len(named) == 2 and named[0] == named[1]
    return named in folded or (short and bool(re.search(rf"[我你](?:的|家)?{named[0]}", folded)))


def named_spans(times: Iterable[TimeExpression], now: datetime) -> tuple[Span, ...]:
    """Return the times a message names, in UTC: every plausible reading, for a pull may be generous.

    A date without its year (四月三十日) may also lie in the year before or after, where that is nearer.
    """
    spans: list[Span] = []
    for time in times:
        readings = time.readings
        if time.start is not None and time.end is not None:
            readings = ((time.start, time.end), *readings)
        for start, end in readings:
            spans.append((as_utc(start), as_utc(end)))
            if abs(start - now) > _HALF_A_YEAR and not _YEAR_NAMED.search(time.phrase):
                spans += _year_nearer(start, end, now)
    return tuple(dict.fromkeys(spans))


def _year_nearer(start: datetime, end: datetime, now: datetime) -> list[Span]:
    step = 1 if start < now else -1
    try:
        return [(as_utc(start.replace(year=start.year + step)), as_utc(end.replace(year=end.year + step)))]
    except ValueError:  # 29 February has no such day in the year beside it
        return []


def time_match(
    spans: Sequence[Span], said_at: Iterable[datetime | None], happens: Span | None = None
) -> float:
    """Return how well a memory lies in the named times: 1, 0, or between.

    What has a date of its own counts in full where it happens and half where it was only said: 九月的考試
    means the exam in September, not one spoken of then. This only ever adds to the relevance: a
    named time pulls, it never filters.
    """
    if happens is not None and any(happens[0] < end and start < happens[1] for start, end in spans):
        return 1.0
    said = [moment for moment in said_at if moment is not None]
    if any(start <= moment < end for start, end in spans for moment in said):
        return 1.0 if happens is None else _SAID_ONLY
    return 0.0


def asks_only_for_a_time(text: str, times: Iterable[TimeExpression]) -> bool:
    """Whether nothing but a time is asked about: 上週我說了什麼, what did I say last week."""
    kept = list(text)
    found = False
    for time in times:
        if time.start is not None:
            found = True
            kept[slice(*time.span)] = " " * (time.span[1] - time.span[0])
    return found and is_bare_question("".join(kept))
