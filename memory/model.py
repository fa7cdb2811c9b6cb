"""The memory itself: its fields, its closed sets of values."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict


class Category(StrEnum):
    """What a memory is about; decides how long it stays fresh and who goes first at the cap."""

    NAME = "name"
    IDENTITY = "identity"
    PREFERENCE = "preference"
    HOBBY = "hobby"
    HABIT = "habit"
    SCHEDULE = "schedule"
    OTHER = "other"


class Kind(StrEnum):
    """How a memory stands to time: for ever, until replaced, or in a window."""

    STATIC = "STATIC"
    VERSIONED = "VERSIONED"
    EVENT = "EVENT"


class Precision(StrEnum):
    """How exact a date is. ``day`` and coarser follow the person's calendar."""

    MINUTE = "minute"
    HOUR = "hour"
    DAYPART = "daypart"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH_PART = "month_part"
    MONTH = "month"
    YEAR = "year"
    RANGE = "range"


class Visibility(StrEnum):
    """Where a memory may be used: by the audience table, or anywhere by the person's own wish."""

    PLACES = "places"
    EVERYWHERE = "everywhere"


class ArchivedReason(StrEnum):
    """Why a memory left; the set is closed."""

    CONTRADICTED = "contradicted"
    EXPIRED = "expired"
    EVICTED = "evicted"
    FORGOTTEN = "forgotten"
    PRUNED = "pruned"


class Flag(StrEnum):
    """What is doubtful about a memory."""

    AMBIGUOUS_DATE = "ambiguous_date"
    DISPUTED_DATE = "disputed_date"
    BROKEN_CREATED_AT = "broken_created_at"
    RECURRING = "recurring"
    CANCELLED = "cancelled"
    SINGLE_VALUED = "single_valued"


class TemporalState(StrEnum):
    """What the temporal layer makes of a candidate."""

    EXPIRED = "EXPIRED"
    VALID = "VALID"
    TEMPORAL = "TEMPORAL"


class Phase(StrEnum):
    """Where an event stands to *now*."""

    UPCOMING = "upcoming"
    ONGOING = "ongoing"
    PAST = "past"


USER_SUBJECT = "user"


class Memory(BaseModel):
    """One thing a person told a character. Frozen: every change makes a new revision.

    ``text`` is one third-person sentence in the person's own language (使用者討厭吃香菜).
    ``subject`` is ``user`` or whom else it is about (媽媽, sister, 小美).
    ``valid_from``/``valid_to`` are half-open; for an EVENT, when it happens.
    ``created_at`` is null where an import does not know it.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    user_id: str
    persona_id: str
    places: tuple[str, ...]
    visibility: Visibility = Visibility.PLACES
    text: str
    language: str = "zh-TW"
    quote: str = ""
    subject: str = USER_SUBJECT
    category: Category = Category.OTHER
    kind: Kind = Kind.VERSIONED
    attribute: str | None = None
    created_at: AwareDatetime | None = None
    updated_at: AwareDatetime | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    precision: Precision | None = None
    zone: str | None = None
    when_text: str | None = None
    expires_at: AwareDatetime | None = None
    outcome: str | None = None
    sensitive: bool = False
    flags: tuple[Flag, ...] = ()
    supersedes_id: str | None = None
    archived: bool = False
    archived_reason: ArchivedReason | None = None
    archived_at: AwareDatetime | None = None
    archived_by: str | None = None
    source: str = ""
    rev: int = 1

    @property
    def confirmed_at(self) -> datetime | None:
        """When it was last said: the age of everything but a past event runs from here."""
        return self.updated_at or self.created_at

    @property
    def left_because(self) -> str | None:
        """Why it is out of use, as people are told: ``called_off`` where that is what overturned it."""
        if self.archived_reason is ArchivedReason.CONTRADICTED and Flag.CANCELLED in self.flags:
            return "called_off"
        return None if self.archived_reason is None else str(self.archived_reason)
