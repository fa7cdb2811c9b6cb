"""The stores a world is opened over: in the folder itself, or on servers. Tests run on both, unchanged."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.support.chroma_server import ChromaServer
from tests.support.postgres import PostgresServer


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
    """SQLite and Chroma in the folder."""

    def of(self, folder: Path) -> Address:
        """Return where it lies."""
        return Address()


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
