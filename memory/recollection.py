"""What she remembers for one message: the only memory a prompt ever sees."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memory.extraction.types import Change
from memory.extraction.unnamed import Unnamed
from memory.grounding.types import Tense, TimeExpression
from memory.model import USER_SUBJECT, Memory, Phase, TemporalState
from memory.places import Place
from memory.shift import Shift


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says about time, read before anything is stored.

    ``topics`` are folded content terms of the part that was done, moved or cancelled: they tell
    which remembered event is meant. ``event_times`` are those of ``times`` that say when that event
    was to be (下週二 in 下週二的考試延到下週五), ``subject`` whose event it is. ``corrects`` is set
    where the message only puts right the date of what was told just now (不對，是星期五), ``elided``
    where it doesn't say whose event it is: then it may be somebody near whose event was just told.
    ``unnamed`` is set where it tells of an event without a word of which one (我錄取了), ``earlier``
    where it is one of before (上次面試沒上), never one that lies ahead. ``shift`` is set where a
    move says by how much and not to when (延後一週).
    """

    tense: Tense = Tense.NONE
    change: Change = Change.NEW
    times: tuple[TimeExpression, ...] = ()
    topics: tuple[str, ...] = ()
    about_now: bool = False
    event_times: tuple[TimeExpression, ...] = ()
    subject: str = USER_SUBJECT
    corrects: bool = False
    elided: bool = False
    unnamed: Unnamed | None = None
    earlier: bool = False
    shift: Shift | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that is used, with its time state and why it was chosen.

    ``similarity`` and ``decay`` lie in 0..1; ``why`` is one plain line in the person's language.
    ``told_now`` is set where this very message says that the event is done, moved or cancelled.
    """

    memory: Memory
    state: TemporalState
    phase: Phase | None
    similarity: float
    decay: float
    score: float
    why: str
    told_now: Change | None = None


@dataclass(frozen=True, slots=True)
class AuditLine:
    """What became of one candidate: kept or dropped, the parts of its score, and the cause code."""

    memory_id: str
    text: str
    kept: bool
    cause: str
    similarity: float
    lexical: float
    time_match: float
    decay: float
    boost: float
    score: float
    subject_match: float = 0.0


@dataclass(frozen=True, slots=True)
class Recollection:
    """Everything remembered for one message.

    ``profile``: name, identity, top three of each lasting category. ``memories``: relevant ones,
    best first. ``due``: events it is time to ask about. ``upcoming``: the few that are going on
    or come next within days, soonest first, whatever the message is about. ``audit``: a line for
    each candidate.
    """

    now: datetime
    zone: str
    language: str
    place: Place
    profile: tuple[Memory, ...] = ()
    memories: tuple[Recalled, ...] = ()
    due: tuple[Recalled, ...] = ()
    audit: tuple[AuditLine, ...] = ()
    reading: Reading = Reading()
    upcoming: tuple[Recalled, ...] = ()
