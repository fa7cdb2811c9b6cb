"""Why this and not that, in one plain line of the person's language."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from memory.catalog import load_catalog
from memory.recollection import AuditLine, Recalled
from memory.wording import said_ago


class Tie(StrEnum):
    """What ties a memory to a message."""

    OVERTURNED = "overturned"
    IN_TIME = "in_time"
    WORDS = "words"
    CLOSE = "close"
    MEANT = "meant"


def explain_choice(recalled: Recalled, ties: Iterable[Tie], language: str, now: datetime, zone: str) -> str:
    """Return why a memory was chosen: what ties it to the message, where it stands, how old it is."""
    words = load_catalog("memory", language)
    if recalled.told_now is not None:
        return words.text(f"why.{recalled.told_now.value}")
    reasons: list[str] = [tie.value for tie in ties]
    if recalled.phase is not None:
        reasons.append(recalled.phase.value)
    parts = [words.text(f"why.{reason}") for reason in reasons]
    parts.append(said_ago(recalled.memory.confirmed_at, now, zone, language))
    return words.text("why.join").join(parts)


def explain_cause(line: AuditLine, language: str) -> str:
    """Return what became of a candidate, as a person reads it."""
    return load_catalog("memory", language).text(f"cause.{line.cause}")
