"""What a server's admins chose: the channels where she answers everything. Nothing personal is in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.store.database import Database
from memory.store.dialects import put
from memory.store.schema import meta

MOST_CHANNELS = 50


class Servers:
    """Reads and writes the choices of servers. One process serves a server, so what was read is kept."""

    def __init__(self, database: Database, always_active: Iterable[str] = ()) -> None:
        self._database = database
        self._always = frozenset(int(one) for one in always_active if one.isdigit())
        self._known: dict[int, frozenset[int]] = {}

    async def is_active(self, guild_id: int, channel_id: int) -> bool:
        """Whether she answers everything in a channel."""
        return channel_id in self._always or channel_id in await self.channels(guild_id)

    async def channels(self, guild_id: int) -> frozenset[int]:
        """Return the channels a server's admins made active."""
        if guild_id not in self._known:
            async with self._database.read() as connection:
                self._known[guild_id] = _channels(await _chosen(connection, guild_id))
        return self._known[guild_id]

    async def switch(self, guild_id: int, channel_id: int, *, active: bool) -> bool:
        """Make a channel active, or no longer; whether there was room for it.

        What is chosen is read and written in one transaction: of two admins at a time neither
        undoes what the other one did.
        """
        async with self._database.write() as connection:
            chosen = await _chosen(connection, guild_id)
            channels = _channels(chosen)
            channels = channels | {channel_id} if active else channels - {channel_id}
            if active and len(channels) > MOST_CHANNELS:
                return False
            value = json.dumps(chosen | {"channels": sorted(channels)})
            await put(connection, meta, key=_key(guild_id), value=value)
            self._known[guild_id] = channels
        return True


async def _chosen(connection: AsyncConnection, guild_id: int) -> dict[str, Any]:
    found = await connection.execute(select(meta.c.value).where(meta.c.key == _key(guild_id)))
    value = found.scalar()
    chosen: dict[str, Any] = json.loads(value) if value else {}
    return chosen


def _channels(chosen: Mapping[str, Any]) -> frozenset[int]:
    return frozenset(int(one) for one in chosen.get("channels", ()))


def _key(guild_id: int) -> str:
    return f"discord:server:{guild_id}"
