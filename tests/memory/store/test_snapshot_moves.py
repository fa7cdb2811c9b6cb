"""Facts move between a file and a PostgreSQL server, all of them or none."""

from __future__ import annotations

import pytest

from memory.store import snapshot
from memory.store.errors import StoreError
from tests.support.rows import rows_of, told_much
from tests.support.world import open_world


async def test_facts_move_from_a_file_to_a_server_and_back(tmp_path, postgres):
    async with open_world(tmp_path / "here") as world:
        await told_much(world)
        before = await rows_of(world.service.database)
        await snapshot.take(world.service.database, tmp_path / "out.db")
    await snapshot.make_ready(tmp_path / "out.db")
    async with open_world(tmp_path / "server", database_url=postgres.fresh()) as world:
        await snapshot.put_back(world.service.database, tmp_path / "out.db")
        assert await rows_of(world.service.database) == before
        await snapshot.take(world.service.database, tmp_path / "back.db")
        # the server's own counters go on behind the rows that came
        world.later(days=1)
        await world.tell("使用者搬到伺服器以後說的", message_id="after the move")
    await snapshot.make_ready(tmp_path / "back.db")
    async with open_world(tmp_path / "again") as world:
        await snapshot.put_back(world.service.database, tmp_path / "back.db")
        assert await rows_of(world.service.database) == before


async def test_a_row_the_server_refuses_leaves_what_was_there(tmp_path, postgres):
    async with open_world(tmp_path / "here") as world:
        await world.tell("使用者住在台中", user="u" * 200)
        await snapshot.take(world.service.database, tmp_path / "copy.db")
    await snapshot.make_ready(tmp_path / "copy.db")
    async with open_world(tmp_path / "server", database_url=postgres.fresh()) as world:
        await world.tell("使用者住在台北")
        before = await rows_of(world.service.database)
        with pytest.raises(StoreError, match=r"table \w+ .*nothing was changed"):
            await snapshot.put_back(world.service.database, tmp_path / "copy.db")
        assert await rows_of(world.service.database) == before
