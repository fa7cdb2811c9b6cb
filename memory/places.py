"""Where something was said, and where it may be used again (the audience table)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_SHOWN = 60
_GUILD = re.compile(r"guild:(?P<guild>[^/:\s]+)/channel:(?P<channel>[^/:+\s]+)(?P<private>\+private)?")


class InvalidPlace(ValueError):
    """A place that is neither ``dm`` nor ``guild:G/channel:C``."""


@dataclass(frozen=True, slots=True)
class Place:
    """A DM with the person, or a channel of a server.

    ``private`` channels (not everyone on the server sees them, private threads included) carry
    the suffix ``+private``: what is said there stays there and in the person's DM.
    """

    guild: str | None = None
    channel: str | None = None
    private: bool = False

    @property
    def is_dm(self) -> bool:
        """Whether this is a DM with the person."""
        return self.guild is None

    def __str__(self) -> str:
        if self.guild is None:
            return "dm"
        return f"guild:{self.guild}/channel:{self.channel}{'+private' if self.private else ''}"

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read the stored form; :class:`InvalidPlace` otherwise."""
        return _parsed(text)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Place:
    if text == "dm":
        return DM
    match = _GUILD.fullmatch(text)
    if match is None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InvalidPlace(f"place {shown!r}: write 'dm' or 'guild:G/channel:C'")
    return Place(match["guild"], match["channel"], match["private"] is not None)


DM = Place()


def reaches(said_in: Iterable[str], used_in: Iterable[str]) -> bool:
    """Whether what was said in some places (stored forms) may be used in each of the others."""
    sources = [Place.parse(place) for place in said_in]
    return all(any(may_use(source, Place.parse(place)) for source in sources) for place in used_in)


def may_use(said_in: Place, used_in: Place) -> bool:
    """Whether what was said in one place may be used in another.

    A DM stays in that DM. A private channel's words stay there and in the person's DM. Words of
    a channel everyone sees may be used all over that server and in the person's DM.
    """
    if said_in.is_dm:
        return used_in.is_dm
    if used_in.is_dm:
        return True
    if said_in.private:
        return said_in.guild == used_in.guild and said_in.channel == used_in.channel
    return said_in.guild == used_in.guild
