"""The schema's history, applied on opening. Alembic does the work; the migrations travel with the package."""

from __future__ import annotations

from importlib import resources

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from memory.store.errors import StoreNewer


def upgrade(connection: Connection) -> None:
    """Bring the schema up to date inside the caller's transaction.

    Data of a version this code does not know raises :class:`StoreNewer`; nothing is touched.
    """
    config = Config()
    with resources.as_file(resources.files("memory") / "migrations") as folder:
        config.set_main_option("script_location", str(folder))
        script = ScriptDirectory.from_config(config)
        known = {revision.revision for revision in script.walk_revisions()}
        current = MigrationContext.configure(connection).get_current_heads()
        if not set(current) <= known:
            raise StoreNewer(
                "the data was written by a newer version of Lily; upgrade the program, "
                "or choose another folder with --data"
            )
        if set(current) == set(script.get_heads()):
            return
        with EnvironmentContext(
            config, script, fn=lambda revision, _context: script._upgrade_revs("head", revision)
        ) as environment:
            environment.configure(connection=connection, transactional_ddl=False)
            environment.run_migrations()
