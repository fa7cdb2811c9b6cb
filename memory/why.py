"""Why this and not that, in one plain line of the person's language."""

from __future__ import annotations

from datetime import datetime

from memory.catalog import load_catalog
from memory.recollection import AuditLine, Recalled
from memory.wording import said_ago

# From this share of the best lexical score on, the words are worth naming.
_WORDS_COUNT = 0.5


def explain_choice(
    recalled: Recalled,
    lexical: float,
    time_match: float,
    overturned: bool,
    language: str,
    *,
    now: datetime | None = None,
    zone: str = "UTC",
) -> str:
    """Return why a memory was chosen: what ties it to the message, where it stands, how old it is."""
    words = load_catalog("memory", language)
    if recalled.told_now is not None:
        return words.text(f"why.{recalled.told_now.value}")
    reasons = []
    if overturned:
        reasons.append("overturned")
    if time_match > 0:
        reasons.append("in_time")
    if lexical >= _WORDS_COUNT:
        reasons.append("words")
    elif recalled.similarity > 0 or not reasons:
        reasons.append("close" if recalled.similarity > 0 else "meant")
    if recalled.phase is not None:
        reasons.append(recalled.phase.value)
    parts = [words.text(f"why.{reason}") for reason in reasons]
    if now is not None:
        parts.append(said_ago(recalled.memory.confirmed_at, now, zone, language))
    return words.text("why.join").join(parts)


def explain_cause(line: AuditLine, language: str) -> str:
    """Return what became of a candidate, as a person reads it."""
    return load_catalog("memory", language).text(f"cause.{line.cause}")
