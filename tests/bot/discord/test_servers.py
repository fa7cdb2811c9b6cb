from __future__ import annotations

import asyncio
from pathlib import Path

from bot.discord.servers import MOST_CHANNELS, Servers
from memory.store.database import open_database


async def test_admins_who_choose_channels_at_the_same_time_undo_nothing(tmp_path: Path) -> None:
    async with open_database(f"sqlite:///{tmp_path / 'lily.db'}") as database:
        servers = Servers(database)
        await servers.channels(7)
        await asyncio.gather(*(servers.switch(7, channel, active=True) for channel in range(1, 6)))
        await asyncio.gather(servers.switch(7, 1, active=False), servers.switch(7, 6, active=True))
        assert await servers.channels(7) == {2, 3, 4, 5, 6}
        assert await Servers(database).channels(7) == {2, 3, 4, 5, 6}


async def test_a_server_has_room_for_so_many_channels_and_no_more(tmp_path: Path) -> None:
    async with open_database(f"sqlite:///{tmp_path / 'lily.db'}") as database:
        servers = Servers(database)
        for channel in range(MOST_CHANNELS):
            assert await servers.switch(7, channel, active=True)
        assert not await servers.switch(7, MOST_CHANNELS, active=True)
        assert await servers.switch(7, 0, active=True)
        assert len(await servers.channels(7)) == MOST_CHANNELS
