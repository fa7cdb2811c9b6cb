"""A store of an older version: brought up to date with all it holds."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, text

from memory.clock import SettableClock
from memory.lorebook import Lorebook
from memory.server_lore import ServerLore
from memory.store.database import open_database
from memory.store.index import open_index
from memory.store.schema import metadata
from tests.support.models import TermEmbedder

NOW = datetime(2026, 9, 12, 13, 30, tzinfo=UTC)


def older_store(file: Path, version: str) -> None:
    """Make a store as it was at a version, with a row of a character's lore and one about a person."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        _move(connection, command.upgrade, version)
        connection.execute(
            text(
                "INSERT INTO lore (id, persona_id, text, kind, source, digest, vector)"
                " VALUES ('lily/en:tea', 'lily/en', 'Lily likes tea', 'STATIC', 'character:lily', 'd', x'00')"
            )
        )
        connection.execute(
            text("INSERT INTO people (user_id, zone, check_ins, paused) VALUES ('u1', 'Asia/Tokyo', 1, 0)")
        )
    engine.dispose()


def _move(connection, how, version: str) -> None:
    config = Config()
    with resources.as_file(resources.files("memory") / "migrations") as folder:
        config.set_main_option("script_location", str(folder))
        from alembic.runtime.environment import EnvironmentContext
        from alembic.script import ScriptDirectory

        script = ScriptDirectory.from_config(config)
        steps = script._upgrade_revs if how is command.upgrade else script._downgrade_revs
        with EnvironmentContext(config, script, fn=lambda at, _: steps(version, at)) as environment:
            environment.configure(connection=connection, transactional_ddl=False)
            environment.run_migrations()


@pytest.mark.parametrize("version", ["0001", "0002", "0003"])
async def test_an_older_store_is_brought_up_to_date_and_keeps_what_it_holds(
    tmp_path: Path, version: str
) -> None:
    older_store(tmp_path / "lily.db", version)
    async with open_database(f"sqlite:///{tmp_path / 'lily.db'}") as database, database.read() as connection:
        assert (
            await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
            )
            == []
        )
        (row,) = await connection.execute(text("SELECT * FROM lore"))
        assert (row.id, row.text, row.archived, row.title) == ("lily/en:tea", "Lily likes tea", 0, None)
        (person,) = await connection.execute(text("SELECT * FROM people"))
        assert (person.user_id, person.zone, person.check_ins_chosen) == ("u1", "Asia/Tokyo", 0)


async def test_a_store_brought_up_to_date_takes_a_servers_lore(tmp_path: Path) -> None:
    older_store(tmp_path / "lily.db", "0002")
    async with (
        open_database(f"sqlite:///{tmp_path / 'lily.db'}") as database,
        open_index(tmp_path / "chroma", None, 2) as index,
    ):
        clock, embedder = SettableClock(NOW), TermEmbedder()
        server_lore = ServerLore(database, Lorebook(database, index, embedder, clock), embedder, clock)
        await server_lore.add("1", "e", "公會戰", "週六晚上九點", "gvg", "admin:discord:7")
        assert [one.text for one in await server_lore.entries("1")] == ["週六晚上九點"]


async def test_going_back_a_version_leaves_a_characters_lore_and_nothing_it_does_not_know(
    tmp_path: Path,
) -> None:
    file = tmp_path / "lily.db"
    older_store(file, "0002")
    async with open_database(f"sqlite:///{file}") as database, database.write() as connection:
        await connection.execute(
            text(
                "INSERT INTO lore (id, persona_id, text, kind, source, digest, vector, title)"
                " VALUES ('guild:1:e', 'guild:1', 'Saturday', 'STATIC', 'guild:1', 'd', x'00', 'Raid')"
            )
        )
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        _move(connection, command.downgrade, "0002")
        assert [row.id for row in connection.execute(text("SELECT id FROM lore"))] == ["lily/en:tea"]
    engine.dispose()
