"""The SQL connection: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from memory.store.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnavailable
from memory.store.versions import upgrade

_BUSY_SECONDS = 30.0
_DAMAGED = ("malformed", "not a database", "disk image")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Database:
    """One engine. Reads see a snapshot; writes are serialised, each one transaction."""

    def __init__(self, engine: AsyncEngine, file: Path | None) -> None:
        self._engine = engine
        self._writing = asyncio.Lock()
        self.file = file

    @property
    def is_sqlite(self) -> bool:
        """Whether the facts lie in a file of ours."""
        return self._engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Open a read transaction."""
        async with self._translated(), self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Open a write transaction: committed at the end, rolled back on any error."""
        async with self._translated(), self._writing, self._engine.connect() as opened:
            connection = await opened.execution_options(lily_write=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def outside_transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection in autocommit mode, for ``VACUUM`` and checkpoints."""
        async with self._translated(), self._writing, self._engine.connect() as connection:
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    @asynccontextmanager
    async def _translated(self) -> AsyncIterator[None]:
        try:
            yield
        except (DatabaseError, OSError) as error:
            raise _translate(error, self.file) from error


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """Open the database at a URL and bring its schema up to date.

    ``sqlite:///path`` and ``postgresql://...`` are given their async drivers. Raises
    ``StoreError`` kinds, each with a remedy.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(
            f"storage.database_url: {url!r} is no database URL; write postgresql://..."
        ) from error
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    parsed = parsed.set(drivername=drivers.get(parsed.drivername, parsed.drivername))
    file = None
    if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
        file = Path(str(parsed.database))
        if not file.parent.is_dir():
            raise StoreUnavailable(
                f"{file} can't be opened: its folder is not there; make it, or choose another with --data"
            )
    try:
        engine = create_async_engine(parsed, connect_args=_connect_args(parsed.get_backend_name()))
    except (ImportError, SQLAlchemyError) as error:
        raise StoreError(
            f"storage.database_url: no driver for {parsed.drivername!r}; "
            "for PostgreSQL install lily-companion[postgres]"
        ) from error
    if parsed.get_backend_name() == "sqlite":
        _prepare_sqlite(engine)
    database = Database(engine, file)
    try:
        try:
            async with database.write() as connection:
                await connection.run_sync(upgrade)
        except (DatabaseError, OSError) as error:
            raise _translate(error, file) from error
        yield database
    finally:
        await database.close()


def _connect_args(backend: str) -> dict[str, Any]:
    return {"timeout": _BUSY_SECONDS} if backend == "sqlite" else {}


def _prepare_sqlite(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        try:
            _set_up(connection)
        except Exception:
            connection.close()  # a file that is no database: leave no thread behind
            raise

    @event.listens_for(engine.sync_engine, "begin")
    def _on_begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") == "AUTOCOMMIT":
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("lily_write") else "BEGIN")


def _set_up(connection: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
        f"busy_timeout={int(_BUSY_SECONDS * 1000)}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _translate(error: Exception, file: Path | None) -> StoreError:
    cause = str(getattr(error, "orig", None) or error)
    where = str(file) if file else "the database"
    if any(word in cause for word in _DAMAGED):
        return StoreDamaged(
            f"{where} is damaged ({cause}); restore it from a back-up, or move it away to start anew"
        )
    if "readonly" in cause or "read-only" in cause or "unable to open" in cause:
        return StoreUnavailable(
            f"{where} can't be opened for writing ({cause}); "
            "check the folder's permissions, or choose another with --data"
        )
    if "is full" in cause or getattr(error, "errno", None) in _NO_ROOM:
        return StoreFull(f"{where}: the disk is full ({cause}); free some space and try again")
    if "locked" in cause and file is not None:
        return StoreBusy(
            f"{where} is held by another program ({cause}); close what has it open "
            "(a database browser, a back-up), then try again"
        )
    if "disk I/O error" in cause and file is not None:
        return StoreUnavailable(
            f"{where} can't be read or written ({cause}); "
            "check the disk and the space left on it, then try again"
        )
    if isinstance(error, OperationalError | OSError):
        return StoreUnavailable(
            f"{where} can't be reached ({cause}); check storage.database_url and that the server is up"
        )
    return StoreError(f"{where}: {cause}")
