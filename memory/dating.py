"""When a fact is true: the phrase the extractor pointed at, grounded by code. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.clock import as_utc
from memory.extraction.ahead import as_coming, as_had_ahead
from memory.extraction.lexicon import pattern
from memory.extraction.types import Change, Fact
from memory.grounding import TimeExpression, dates_memory, ground_phrase, offset_agrees
from memory.messages import Message
from memory.model import Flag, Kind, Precision
from memory.text import fold_same_length


@dataclass(frozen=True, slots=True)
class Dating:
    """When a memory is valid, as far as the words surely say."""

    valid_from: datetime | None = None
    valid_to: datetime | None = None
    precision: Precision | None = None
    when_text: str | None = None
    flags: tuple[Flag, ...] = ()


_FROM_NOW = (
    r"今天|今晚|今早|明天|明晚|明早|明日|昨天|昨晚|昨日|前天|後天|[上下這本][個]?(?:週|周|禮拜|星期|月|學期)|[去明]年"
    r"|\b(?:today|tonight|tomorrow|yesterday|next|last|this|ago|coming)\b"
)
_BEFORE_DATE = r"(?:^|\s)(?:on|at|in|by|for|since|until|till|from)$"


def without_date(sentence: str, phrase: str | None, times: Sequence[TimeExpression]) -> str:
    """Cut the phrase a fact is dated by out of its sentence, where it is counted from the day it was said.

    「明天」 is wrong the day after; the date it was grounded to is kept beside the sentence. One that
    dates nothing stays: it is all that is known.
    """
    position = sentence.find(phrase) if phrase else -1
    if phrase is None or position < 0 or not pattern(_FROM_NOW).search(fold_same_length(phrase)):
        return sentence
    if not any(t.phrase == phrase and t.recurrence is None and dates_memory(t) for t in times):
        return sentence
    before, after = sentence[:position].rstrip(), sentence[position + len(phrase) :]
    led = pattern(_BEFORE_DATE).search(before.lower())
    before = (before[: led.start()] if led else before).rstrip(" ,")
    glue = " " if before[-1:].isascii() and after[:1].strip(" ,.!") else ""
    return f"{before}{glue}{after.lstrip()}".strip(" ,") or sentence


def date_fact(fact: Fact, message: Message) -> Dating:
    """Ground a fact's date phrase from the moment and zone of its message.

    Undated, with its phrase kept, where the phrase is not surely one date, is a recurrence, or the
    model's own reading of it disagrees with the computed one.
    """
    if not fact.when_text:
        return Dating()
    found = ground_phrase(message.text, fact.when_text, message.said_at, message.zone)
    if found is None:
        return Dating(when_text=fact.when_text)
    if fact.kind is Kind.EVENT and fact.change is not Change.DONE and fact.when_text in message.text:
        found = as_had_ahead(message.text, found, message.said_at, message.zone)
        if fact.change is Change.MOVED:
            found = as_coming(found, message.said_at, message.zone)
    if found.recurrence is not None:
        return Dating(when_text=fact.when_text, flags=(Flag.RECURRING,))
    if not dates_memory(found) or found.start is None:
        flags = (Flag.AMBIGUOUS_DATE,) if found.ambiguous else ()
        return Dating(when_text=fact.when_text, flags=flags)
    if fact.offset is not None and not offset_agrees(found, fact.offset, message.said_at, message.zone):
        return Dating(when_text=fact.when_text, flags=(Flag.DISPUTED_DATE,))
    if fact.kind is not Kind.EVENT:
        # 「昨天搬到台南」: a lasting fact is true from then on, it does not end with that day
        return Dating(as_utc(found.start), None, found.precision, fact.when_text)
    return Dating(
        as_utc(found.start),
        as_utc(found.end) if found.end is not None else None,
        found.precision,
        fact.when_text,
    )
