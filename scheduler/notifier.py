"""How a follow-up leaves the house: the protocol a channel (Discord, a replay) implements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory.places import Place


@dataclass(frozen=True, slots=True)
class Delivered:
    """It was said."""


@dataclass(frozen=True, slots=True)
class Undeliverable:
    """The person can't be reached there (a closed DM, a channel she may not write in): don't try again.

    ``cause`` is a code for the log, never what was said.
    """

    cause: str = ""


Delivery = Delivered | Undeliverable


class NotDelivered(Exception):
    """It surely was not said (no connection, refused, rate-limited): it may be tried again later."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One follow-up on its way. ``nonce`` (24 characters) is the same at every try for the same event.

    ``prepared_at``: it was not said before this moment, so a history need not be read further back.
    """

    memory_id: str
    user_id: str
    place: Place
    text: str
    nonce: str
    prepared_at: datetime


class Notifier(Protocol):
    """Says a follow-up, at most once.

    :meth:`deliver` returns only when it knows. It raises :class:`NotDelivered` where it surely was
    not said; any other exception, or being cut off, leaves it open, and :meth:`find` is asked
    later. Where the channel offers it, the nonce is passed on so that the channel itself refuses a
    second message with it.
    """

    async def deliver(self, letter: Letter) -> Delivery:
        """Say it in its place: the DM with the person, or the channel, addressed to the person.

        Nobody else is mentioned or pinged.
        """
        ...

    async def find(self, letter: Letter) -> bool:
        """Whether her own history in that place holds it; raises whatever where that can't be seen."""
        ...
