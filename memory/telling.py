"""What a message tells about an event, taken into account for the reply to that very message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.extraction.types import Change
from memory.grounding.types import TimeExpression
from memory.model import Memory, Phase, Precision, TemporalState
from memory.policy import MemoryPolicy
from memory.recollection import Reading, Recalled
from memory.temporal import phase
from memory.why import explain_choice
from memory.wording import local_day

_CLOCK = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART})


def apply_reading(
    recalled: Sequence[Recalled],
    reading: Reading,
    which: str | None,
    now: datetime,
    policy: MemoryPolicy | None = None,
    language: str = "zh-TW",
) -> tuple[Recalled, ...]:
    """Let this very message change an event for this very reply: it is done, moved or cancelled.

    ``which`` is the id of the event that is meant. Done: it is past, whatever its date. Cancelled:
    it has no phase any more. Moved: its new date where the message surely names one, else none.
    """
    if which is None or reading.change is Change.NEW:
        return tuple(recalled)
    return tuple(
        _told(one, reading, now, policy or MemoryPolicy(), language) if one.memory.id == which else one
        for one in recalled
    )


def _told(one: Recalled, reading: Reading, now: datetime, policy: MemoryPolicy, language: str) -> Recalled:
    memory, stands = one.memory, one.phase
    match reading.change:
        case Change.DONE:
            stands = Phase.PAST
        case Change.CANCELLED:
            stands = None
        case Change.MOVED:
            new = next((time for time in reversed(reading.times) if _dates(time, memory, now)), None)
            if new is None:
                stands = None
            else:
                memory = memory.model_copy(
                    update={
                        "valid_from": new.start,
                        "valid_to": new.end,
                        "precision": new.precision,
                        "when_text": new.phrase,
                    }
                )
                stands = phase(memory, now, policy)
    state = TemporalState.TEMPORAL if stands is Phase.ONGOING else TemporalState.VALID
    told = replace(one, memory=memory, state=state, phase=stands, told_now=reading.change)
    return replace(told, why=explain_choice(told, (), language, now, memory.zone or "UTC"))


def _dates(time: TimeExpression, memory: Memory, now: datetime) -> bool:
    """Whether this surely is the new date.

    The day the event was planned for is not (延到下週五了，本來是週二), and a bare clock time only is
    on the event's own day (改成三點).
    """
    if time.start is None or time.end is None or time.ambiguous:
        return False
    if memory.valid_from is None:
        return True
    zone = memory.zone or "UTC"
    named, planned = local_day(time.start, zone), local_day(memory.valid_from, zone)
    if time.precision not in _CLOCK:
        return named != planned
    return named == planned or named != local_day(now, zone)
