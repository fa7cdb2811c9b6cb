"""How well a memory answers a message: meaning, words and time, added up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memory.clock import as_utc
from memory.grounding.types import TimeExpression
from memory.lexical import content_terms

# A share of the lexical score is added to the cosine. Set on LoCoMo (observations, turns) and MemoryBank-zh:
# recall stays level from 0.3 to 0.5; votes by rank lose.
LEXICAL_SHARE = 0.4
# What a memory gains that was said in, or happens in, a time the message names. Set on the dated
# questions of MemoryBank-zh: level from 0.25 up.
TIME_SHARE = 0.3

Span = tuple[datetime, datetime]


def relevance(similarity: float, lexical: float, time_match: float) -> float:
    """Return the fused relevance: the cosine, plus a share of the words, plus a share of the time."""
    return similarity + LEXICAL_SHARE * lexical + TIME_SHARE * time_match


def named_spans(times: Iterable[TimeExpression]) -> tuple[Span, ...]:
    """Return the times a message names, in UTC; every plausible reading of an ambiguous one."""
    spans: list[Span] = []
    for time in times:
        if time.start is not None and time.end is not None:
            spans.append((as_utc(time.start), as_utc(time.end)))
        spans.extend((as_utc(start), as_utc(end)) for start, end in time.readings)
    return tuple(dict.fromkeys(spans))


def time_match(spans: Sequence[Span], said_at: datetime | None, happens: Span | None = None) -> float:
    """Return 1 where something was said in, or happens in, one of the spans; else 0.

    This only ever adds to the relevance: a named time pulls, it never filters.
    """
    for start, end in spans:
        if said_at is not None and start <= said_at < end:
            return 1.0
        if happens is not None and happens[0] < end and start < happens[1]:
            return 1.0
    return 0.0


def asks_only_for_a_time(text: str, times: Iterable[TimeExpression]) -> bool:
    """Whether nothing but a time is asked about: 上週我說了什麼, what did I say last week."""
    kept = list(text)
    found = False
    for time in times:
        if time.start is not None:
            found = True
            kept[slice(*time.span)] = " " * (time.span[1] - time.span[0])
    return found and not content_terms("".join(kept))
