"""When a fact is true: the phrase the extractor pointed at, grounded by code. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.clock import as_utc
from memory.extraction.types import Fact
from memory.grounding import dates_memory, ground_phrase, offset_agrees
from memory.messages import Message
from memory.model import Flag, Kind, Precision


@dataclass(frozen=True, slots=True)
class Dating:
    """When a memory is valid, as far as the words surely say."""

    valid_from: datetime | None = None
    valid_to: datetime | None = None
    precision: Precision | None = None
    when_text: str | None = None
    flags: tuple[Flag, ...] = ()


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
