"""SQLite files: how a connection is set up, and threads that read beside whoever writes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event

P = ParamSpec("P")
T = TypeVar("T")

READERS = 2
"""Threads that read: the interpreter lets no more of them do anything at a time."""

_BUSY_SECONDS = 30.0


def options() -> dict[str, Any]:
    """Return the options of an engine: how long one that is held by another program is waited for."""
    return {"connect_args": {"timeout": _BUSY_SECONDS}}


def prepare(engine: Engine, *pragmas: str) -> None:
    """Set each new connection up, with more pragmas, and begin transactions as they were meant.

    A read begins when it first reads; with the option ``lily_write`` the file is held at once.
    """

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        try:
            _set_up(connection, pragmas)
        except Exception:
            connection.close()  # a file that is no database: leave no thread behind
            raise

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("isolation_level") == "AUTOCOMMIT":
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("lily_write") else "BEGIN")


class Reader:
    """Reads a SQLite file in threads of its own, beside whoever writes."""

    def __init__(self, url: URL) -> None:
        self._engine: Engine = create_engine(
            url.set(drivername="sqlite"), hide_parameters=True, pool_size=READERS, **options()
        )
        prepare(self._engine, "query_only=ON")
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite-reader")

    async def read(
        self, read: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call ``read`` with a connection on which a transaction has begun."""

        def work() -> T:
            with self._engine.connect() as connection:
                return read(connection, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Let running reads end and close the file."""
        self._threads.shutdown(wait=True)
        self._engine.dispose()


def _set_up(connection: Any, more: Sequence[str]) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
        f"busy_timeout={int(_BUSY_SECONDS * 1000)}",
        *more,
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
