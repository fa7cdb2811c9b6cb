"""The SQL connection: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from memory.store import sqlite
from memory.store.dialects import hold_alone
from memory.store.errors import (
    StaleRevision,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
)
from memory.store.versions import upgrade

P = ParamSpec("P")
T = TypeVar("T")

_DAMAGED = ("malformed", "not a database", "disk image")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


AT_ONCE = 10
"""Connections a process has to a server: so many transactions run side by side, the rest wait their turn."""

PATIENCE = 20.0
"""Seconds a server that does not answer is waited for: what a restart takes, and not yet a silence."""

ANSWER_SECONDS = 60.0
"""How long a server may take over one statement; one that hangs counts as away."""

_FIRST_WAIT = 0.1
_LONGEST_WAIT = 1.0
_QUEUE_SECONDS = 60.0
_LOGIN_SECONDS = 10.0
_CLASHED = ("40001", "40P01")  # two transactions changed the same rows, or each waited for the other
_UNFIT = "22"  # the server's text would quote what somebody said
_AWAY = ("08", "57P")  # connection broken, server shutting down or starting up


class Database:
    """One engine. Reads see a snapshot; each write is one transaction.

    In a SQLite file writes go one after the other. On a server they go side by side: what two of
    them must not both read and then change is held by a row lock or a unique key. A server that
    does not answer is waited for until it has been silent for ``patience`` seconds; from then on it
    counts as away, and is asked once a call until it answers again.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        reader: sqlite.Reader | None,
        file: Path | None,
        patience: float = PATIENCE,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._writing = asyncio.Semaphore(1 if self.is_sqlite else AT_ONCE)
        self._patience = 0.0 if self.is_sqlite else patience
        self._silent_since: float | None = None
        self._sleep = sleep
        self._timer = timer
        self._snapshot: dict[str, Any] = {}
        if not self.is_sqlite:
            self._snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self.file = file

    @property
    def is_sqlite(self) -> bool:
        """Whether the facts lie in a file of ours."""
        return self._engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Open a read transaction."""
        async with self._connection() as opened:
            yield await opened.execution_options(**self._snapshot)

    async def snapshot(
        self, read: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return what a function reads out of one snapshot; it must change nothing.

        From a file it is read in a thread, all at one go: a third of what a trip a statement costs.
        """
        if self._reader is not None:
            try:
                return await self._reader.read(read, *args, **kwargs)
            except (DBAPIError, PoolTimeout, OSError) as error:
                raise _translate(error, self.file) from error
        async with self.read() as connection:
            return await connection.run_sync(read, *args, **kwargs)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Open a write transaction: committed at the end, rolled back on any error."""
        async with self._writing, self._connection() as opened:
            connection = await opened.execution_options(lily_write=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def outside_transaction(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection in autocommit mode, for ``VACUUM`` and checkpoints."""
        async with self._writing, self._connection() as connection:
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")

    async def close(self) -> None:
        """Close every connection."""
        if self._reader is not None:
            self._reader.close()
        await self._engine.dispose()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        try:
            connection = await self._connect()
            try:
                yield connection
            finally:
                await connection.close()
        except (DBAPIError, PoolTimeout, OSError) as error:
            raise _translate(error, self.file) from error

    async def _connect(self) -> AsyncConnection:
        wait = _FIRST_WAIT
        while True:
            try:
                connection = await self._engine.connect()
            except Exception as error:
                if not _is_away(error) or self._is_silent():
                    raise _known(error) from error
                await self._sleep(wait)
                wait = min(wait * 2, _LONGEST_WAIT)
            else:
                self._silent_since = None
                return connection

    def _is_silent(self) -> bool:
        """Whether the server has not answered for too long; the first failure begins the time."""
        now = self._timer()
        if self._silent_since is None:
            self._silent_since = now
        return now - self._silent_since >= self._patience


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
        # what people said must not get into an error's text
        engine = create_async_engine(parsed, hide_parameters=True, **_options(parsed.get_backend_name()))
    except (ImportError, SQLAlchemyError) as error:
        raise StoreError(
            f"storage.database_url: no driver for {parsed.drivername!r}; "
            "for PostgreSQL install lily-companion[postgres]"
        ) from error
    if parsed.get_backend_name() == "sqlite":
        sqlite.prepare(engine.sync_engine)
    else:
        _prepare_server(engine)
    database = Database(engine, sqlite.Reader(parsed) if file is not None else None, file)
    try:
        async with database.write() as connection:
            await hold_alone(connection, "migrations")
            await connection.run_sync(upgrade)
        yield database
    finally:
        await database.close()


def _options(backend: str) -> dict[str, Any]:
    if backend == "sqlite":
        return sqlite.options()
    return {
        "pool_size": AT_ONCE,
        "max_overflow": AT_ONCE,  # reads beside as many writes
        "pool_timeout": _QUEUE_SECONDS,
        "connect_args": {
            "timeout": _LOGIN_SECONDS,
            "command_timeout": ANSWER_SECONDS,
            "server_settings": {"application_name": "lily"},
        },
    }


def _prepare_server(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "checkout")
    def _on_checkout(connection: Any, _record: Any, _fairy: Any) -> None:
        # the driver hears of a connection the server has closed: no need to ask before every use
        if connection.driver_connection.is_closed():
            raise DisconnectionError


def _state(error: BaseException) -> str:
    """Return the SQLSTATE a server's error carries, wherever the libraries keep it."""
    return str(
        getattr(error, "sqlstate", None) or getattr(getattr(error, "orig", None), "sqlstate", None) or ""
    )


def _is_away(error: Exception) -> bool:
    """Whether an error on connecting means that the server is down, or on its way down or up."""
    return isinstance(error, OSError | PoolTimeout) or _state(error).startswith(_AWAY)


def _known(error: Exception) -> Exception:
    """Return an error on connecting as one that is translated: the driver's own are none of SQLAlchemy's."""
    if isinstance(error, OSError | SQLAlchemyError):
        return error
    return OperationalError(None, None, error)


def _translate(error: Exception, file: Path | None) -> StoreError:
    cause = str(getattr(error, "orig", None) or error)
    where = str(file) if file else "the database"
    if _state(error) in _CLASHED:
        return StaleRevision(f"{where}: two changes met ({cause})")
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
    away = isinstance(error, DBAPIError) and (error.connection_invalidated or _is_away(error))
    if away or isinstance(error, OperationalError | OSError | PoolTimeout):
        return StoreUnavailable(
            f"{where} can't be reached ({cause}); check storage.database_url and that the server is up"
        )
    if _state(error).startswith(_UNFIT) or "query argument" in cause:
        return StoreError(f"{where}: a value is of a kind or length it does not take")
    return StoreError(f"{where}: {cause}")
