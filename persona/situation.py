"""What the companion is given for one message, and what she gives back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from llm.protocols import Picture, Speaker, Turn
from memory.extraction.types import Fact
from memory.recollection import Recollection
from persona.failures import Failure


class Source(StrEnum):
    """Where a reply comes from. What is not the model's is never shown as the model's."""

    MODEL = "model"
    RULES = "rules"
    SAFETY = "safety"
    FAILURE = "failure"


class Attached(StrEnum):
    """What came with a message."""

    PICTURE = "picture"
    STICKER = "sticker"
    VOICE = "voice"
    VIDEO = "video"
    FILE = "file"
    FORWARD = "forward"
    POLL = "poll"


@dataclass(frozen=True, slots=True)
class Attachment:
    """One thing that came with a message; ``name`` is a file's or a sticker's, else empty."""

    kind: Attached
    name: str = ""


@dataclass(frozen=True, slots=True)
class Quoted:
    """An earlier message that one replies to: whose it is (``name``: a person's), and its words."""

    speaker: Speaker
    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the words of a message, for its reply alone: nothing is learned from it or kept.

    ``quoted``: what it replies to, the oldest first. ``pictures`` are those of the attached ones
    that could be fetched for a model that sees.
    """

    attached: tuple[Attachment, ...] = ()
    pictures: tuple[Picture, ...] = ()
    quoted: tuple[Quoted, ...] = ()

    def unseen(self) -> Beside:
        """Return the same as it is for a model that doesn't see."""
        return replace(self, pictures=())


NOTHING = Beside()


@dataclass(frozen=True, slots=True)
class Situation:
    """One message and everything around it.

    ``turns`` end with this very message; ``recent_replies`` are her own, oldest first.
    ``context`` is the recollection as rendered for a prompt, ``lore`` the lines that fit the
    message, ``notices`` the server's own that it names, ``told`` the facts found in it.
    ``since_last``: how long the conversation had rested before it; None where that is not known.
    """

    text: str
    recollection: Recollection
    now: datetime
    language: str = "zh-TW"
    display_name: str | None = None
    turns: tuple[Turn, ...] = ()
    context: str = ""
    lore: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    recent_replies: tuple[str, ...] = ()
    told: tuple[Fact, ...] = ()
    beside: Beside = NOTHING
    since_last: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What she says. ``asked``: ids of the due events this reply asks about, to be marked as asked."""

    text: str
    source: Source
    error: Failure | None = None
    asked: tuple[str, ...] = ()
    why: str = ""
