"""When a memory was true, and since when and until when she knew it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.model import Flag, Kind, Memory
from memory.policy import MemoryPolicy
from memory.temporal import event_window


class Style(StrEnum):
    """How a memory stands: in use, still to come, or out of use."""

    LIVE = "live"
    AHEAD = "ahead"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of time; None: from nobody knows when."""

    start: datetime | None
    end: datetime


@dataclass(frozen=True, slots=True)
class Times:
    """The two stretches of a memory: when it was true, when it was known."""

    true: Stretch
    known: Stretch
    style: Style


def times_of(memory: Memory, now: datetime, policy: MemoryPolicy) -> Times:
    """Return when a memory was true and known. Never backwards: a stretch ends at or after its start."""
    until = memory.archived_at if memory.archived and memory.archived_at is not None else now
    known = _stretch(memory.created_at, until)
    window = event_window(memory, policy)
    if window is not None:
        true = _stretch(window[0], window[1])
        ahead = window[0] > now and not memory.archived and Flag.CANCELLED not in memory.flags
    else:
        ends = until
        if memory.valid_to is not None:
            ends = memory.valid_to if not memory.archived else min(memory.valid_to, until)
        true = _stretch(memory.valid_from or memory.created_at, ends)
        ahead = memory.kind is not Kind.EVENT and memory.valid_from is not None and memory.valid_from > now
    if memory.archived:
        return Times(true, known, Style.ARCHIVED)
    return Times(true, known, Style.AHEAD if ahead else Style.LIVE)


def _stretch(start: datetime | None, end: datetime) -> Stretch:
    return Stretch(start, end if start is None else max(start, end))
