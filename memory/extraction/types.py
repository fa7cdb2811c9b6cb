"""What an extractor is asked and what it answers."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from memory.model import USER_SUBJECT, Category, Kind


class Change(StrEnum):
    """What the words do to something already known."""

    NEW = "new"
    MOVED = "moved"
    CANCELLED = "cancelled"
    DONE = "done"


class ZeroCause(StrEnum):
    """Why a message gave no fact; every empty extraction has one."""

    EMPTY = "empty"
    SMALL_TALK = "small_talk"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    QUOTED = "quoted"
    JOKE = "joke"
    COMMAND = "command"
    CRISIS = "crisis"
    NOTHING_TO_KEEP = "nothing_to_keep"
    NO_QUOTE = "no_quote"
    PAUSED = "paused"


class Offset(BaseModel):
    """A model's own reading of a date phrase, as a distance from the moment of speaking.

    It is only compared with what the code computes, never stored.
    """

    model_config = ConfigDict(frozen=True)

    amount: int
    unit: str


class Fact(BaseModel):
    """One fact a message holds.

    ``text`` is a third-person sentence in the language of the message; ``quote`` the words of
    the message it rests on (a substring of it); ``when_text`` the date phrase inside the message,
    if any; ``attribute`` the normalised slot (``name``, ``home``, ``food:香菜``), see
    :mod:`memory.attributes`. ``outcome`` is how an event went, where the message tells it.
    ``ends_known``: it only says that something is no more (鑰匙弄丟了), and is worth keeping only where
    that was known.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    language: str
    quote: str
    subject: str = USER_SUBJECT
    category: Category = Category.OTHER
    kind: Kind = Kind.VERSIONED
    attribute: str | None = None
    when_text: str | None = None
    offset: Offset | None = None
    change: Change = Change.NEW
    outcome: str | None = None
    sensitive: bool = False
    ends_known: bool = False


class Extraction(BaseModel):
    """The facts of one message; ``cause`` is set exactly when there are none."""

    model_config = ConfigDict(frozen=True)

    facts: tuple[Fact, ...] = ()
    cause: ZeroCause | None = None
    extractor: str = ""


class ExtractionRequest(BaseModel):
    """One message to read. ``her_last_turn`` is only there to read an answer by (「你叫什麼？」「小明」)."""

    model_config = ConfigDict(frozen=True)

    text: str
    said_at: datetime
    zone: str
    language: str
    her_last_turn: str | None = None


class Extractor(Protocol):
    """Finds facts. Raises :class:`llm.errors.ModelError` where it asks a model."""

    @property
    def name(self) -> str:
        """Which extractor this is; kept with the extraction."""
        ...

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the facts of the message, or the cause why there are none."""
        ...
