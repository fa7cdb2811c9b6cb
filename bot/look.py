"""A look into a SQLite store without opening it for writing: for the check-up, beside a running bot."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

DATABASE_NAME = "lily.db"


@dataclass(frozen=True, slots=True)
class Look:
    """What a store holds; ``pending`` counts changes the index has not seen yet."""

    live: int
    archived: int
    pending: int
    embedder: str | None
    known_version: bool


def look_into(file: Path) -> tuple[str | None, Look | None]:
    """Return what is damaged, or what the store holds; ``sqlite3.Error`` where it is no store."""
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        answer = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if answer != "ok":
            return " ".join(answer.split()), None
        versions = {row[0] for row in connection.execute("SELECT version_num FROM alembic_version")}
        if not versions <= _known_versions():
            return None, Look(0, 0, 0, None, known_version=False)
        counts = dict(connection.execute("SELECT archived, count(*) FROM memories GROUP BY archived"))
        pending = connection.execute("SELECT count(*) FROM outbox").fetchone()[0]
        named = connection.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
    finally:
        connection.close()
    # an identity is name/dimensions/revision, and a name may hold slashes of its own
    embedder = str(named[0]).rsplit("/", 2)[0] if named else None
    return None, Look(counts.get(0, 0), counts.get(1, 0), pending, embedder, known_version=True)


def _known_versions() -> set[str]:
    from alembic.script import ScriptDirectory

    with resources.as_file(resources.files("memory") / "migrations") as folder:
        return {script.revision for script in ScriptDirectory(str(folder)).walk_revisions()}
