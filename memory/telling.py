"""What a message tells about an event, taken into account for the reply to that very message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory.antecedent import beside
from memory.clock import as_utc
from memory.extraction.types import Change
from memory.grounding.types import TimeExpression
from memory.model import Memory, Phase, Precision, TemporalState
from memory.policy import MemoryPolicy
from memory.recollection import Reading, Recalled
from memory.shift import Shift, shifted
from memory.temporal import phase
from memory.why import explain_choice
from memory.wording import local_day

_CLOCK = frozenset({Precision.MINUTE, Precision.HOUR, Precision.DAYPART})
_ONE_DAY = _CLOCK | {Precision.DAY}
_CLOCK_RULES = ("clock", "daypart", "range")

Span = tuple[datetime, datetime]


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
            times = [beside(t, memory, now) for t in reading.times] if reading.corrects else reading.times
            new = moved_to(memory, times, reading.shift)
            if new is None:
                stands = None
            else:
                memory = memory.model_copy(update=new)
                stands = phase(memory, now, policy)
    state = TemporalState.TEMPORAL if stands is Phase.ONGOING else TemporalState.VALID
    told = replace(one, memory=memory, state=state, phase=stands, told_now=reading.change)
    return replace(told, why=explain_choice(told, (), language, now, memory.zone or "UTC"))


def corrected(reading: Reading, event: Memory | None, now: datetime) -> Reading:
    """Return a reading as one that changes nothing, where it speaks of an event and none is meant.

    So where a message only puts a date right and moves none, or tells what became of one without its name.
    """
    if reading.unnamed is not None and event is None:
        return replace(reading, change=Change.NEW, unnamed=None)
    if not reading.corrects:
        return reading
    if event is not None:
        time = beside(reading.times[-1], event, now)
        if event.valid_from is None or time.ambiguous or moved_to(event, (time,)) is not None:
            return reading
    return replace(reading, change=Change.NEW, corrects=False)


def moved_to(
    memory: Memory, times: Sequence[TimeExpression], shift: Shift | None = None
) -> dict[str, Any] | None:
    """Return the new dates of a moved event as fields of a memory; None where no date is sure.

    The last date named counts, but never the day it was planned for (延到下週五了，本來是週二). A clock
    time without a day (改成三點) moves the event within its own day, whatever day the resolver took.
    Where none is sure, ``shift`` may say by how much it was moved.
    """
    for time in reversed(times):
        if time.start is None or time.end is None:
            continue
        window = _within_its_day(memory, time) if names_no_day(time) else _on_another_day(memory, time)
        if window is not None:
            return {
                "valid_from": as_utc(window[0]),
                "valid_to": as_utc(window[1]),
                "precision": time.precision,
                "when_text": time.phrase,
            }
    return shifted(memory, shift) if shift is not None else None


def names_no_day(time: TimeExpression) -> bool:
    """Whether an expression is a clock time or part of a day and nothing else, by the rules that fired."""
    return all(part.startswith(_CLOCK_RULES) for part in time.rule.split("+"))


def _on_another_day(memory: Memory, time: TimeExpression) -> Span | None:
    if time.start is None or time.end is None or time.ambiguous:
        return None
    if memory.valid_from is not None and time.precision not in _CLOCK:
        zone = memory.zone or "UTC"
        if local_day(time.start, zone) == local_day(memory.valid_from, zone):
            return None
    return time.start, time.end


def _within_its_day(memory: Memory, time: TimeExpression) -> Span | None:
    if memory.valid_from is None or memory.precision not in _ONE_DAY:
        return None
    readings = time.readings or ((time.start, time.end),)
    clocks = {(start.timetz().replace(tzinfo=None), end - start) for start, end in readings if start and end}
    if len(clocks) != 1:
        return None
    (clock, length), zone = clocks.pop(), ZoneInfo(memory.zone or "UTC")
    start = datetime.combine(local_day(memory.valid_from, zone.key), clock, zone)
    return start, start + length
