"""The stores a world is opened over: in the folder itself, or on servers. Tests run on both, unchanged."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from memory.store.database import open_database
from tests.support.chroma_server import ChromaServer
from tests.support.postgres import PostgresServer, without_loop


@dataclass(frozen=True, slots=True)
class Address:
    """Where facts and vectors lie; None means in the folder."""

    database_url: str | None = None
    chroma_url: str | None = None


class Stores(Protocol):
    """Says where the world of a folder lies: the same folder, the same place."""

    def of(self, folder: Path) -> Address:
        """Return where it lies."""
        ...


class Embedded:
    """SQLite and Chroma in the folder; a new one begins with tables that were made once."""

    def of(self, folder: Path) -> Address:
        """Return where it lies."""
        database = folder / "lily.db"
        if not database.exists():
            shutil.copyfile(_new_database(), database)
        return Address()


@lru_cache(maxsize=1)
def _new_database() -> Path:
    """Return a database with the program's tables and nothing in them."""
    home = Path(tempfile.mkdtemp(prefix="lily-template-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    file = home / "lily.db"

    async def make() -> None:
        async with open_database(f"sqlite:///{file}"):
            pass  # the last one to close it writes everything to the file

    with without_loop():
        asyncio.run(make())
    return file


@dataclass
class Servers:
    """A database of its own on PostgreSQL and one on a Chroma server for each folder."""

    postgres: PostgresServer
    chroma: ChromaServer
    _known: dict[Path, Address] = field(default_factory=dict)

    def of(self, folder: Path) -> Address:
        """Return where it lies, made when first asked for."""
        if folder not in self._known:
            fresh = self.postgres.fresh()
            name = fresh.rpartition("/")[2]
            self._known[folder] = Address(fresh, f"{self.chroma.url}/{name}")
        return self._known[folder]
