"""Which part of Discord is this process's: servers are shared out among shards by their ids."""

from __future__ import annotations

from dataclasses import dataclass

from bot.settings.sections import DiscordSettings
from memory.places import Place

DIRECT_MESSAGES = 0
"""The shard that hears all direct messages."""

_TIMESTAMP = 22
"""Discord counts by the part of a server's id above these bits."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of this process, of ``count`` there are; no ``ids`` means all."""

    count: int = 1
    ids: frozenset[int] = frozenset()

    def hold(self, place: Place) -> bool:
        """Whether what is said in a place is heard by this process, or else by another one."""
        return not self.ids or shard_of(place, self.count) in self.ids


def shards_of(settings: DiscordSettings) -> Shards:
    """Return the shards of this process."""
    return Shards(settings.shard_count, frozenset(settings.shard_ids))


def shard_of(place: Place, count: int) -> int:
    """Return the shard that hears what is said in a place."""
    if place.guild is None or not place.guild.isdigit():
        return DIRECT_MESSAGES
    return (int(place.guild) >> _TIMESTAMP) % count
