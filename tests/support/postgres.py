"""A real PostgreSQL in a temporary folder, on a free port of this machine, and databases to try things in."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tests.support.chroma_server import free_port

STARTS_WITHIN = 60.0
TEMPLATE = "lily_template"
# The order of letters and the zone are not the program's, so that nothing rests on them unseen.
_CLUSTER = ("--encoding=UTF8", "--locale=C.UTF-8", "--auth=trust", "--username=lily", "--no-sync")
_LETTERS = ("--locale-provider=icu", "--icu-locale=zh-Hant-TW")
_QUICK = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
_SETTINGS = {"timezone": "Asia/Taipei", "listen_addresses": "127.0.0.1", "max_connections": "200"}


def binaries() -> Path | None:
    """Return the folder of the newest PostgreSQL on this machine, or None."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(folders, key=lambda folder: int(folder.parent.name)) if folders else None


class PostgresServer:
    """A cluster of its own; it can be stopped, killed and started again on the same port."""

    def __init__(self, *, safe: bool = False) -> None:
        """``safe``: as durable as it comes; without it, quick."""
        found = binaries()
        if found is None:
            raise FileNotFoundError("PostgreSQL is not installed here: no initdb")
        self._binaries = found
        self._safe = safe
        self._home = Path(tempfile.mkdtemp(prefix="lily-postgres-"))
        self._numbers = itertools.count(1)
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._as_nobody: dict[str, Any] = {}
        if os.getuid() == 0:  # a server that can write everything is refused
            self._as_nobody = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(self._home, "nobody", "nogroup")

    def __enter__(self) -> PostgresServer:
        self._make()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._home, ignore_errors=True)

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://lily@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = _SETTINGS | ({} if self._safe else _QUICK) | {"unix_socket_directories": str(self._home)}
        arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    str(self._binaries / "postgres"),
                    "-D",
                    str(self._home / "data"),
                    "-p",
                    str(self.port),
                    *arguments,
                ],
                stdout=log,
                stderr=log,
                cwd=self._home,
                **self._as_nobody,
            )
        deadline = time.perf_counter() + STARTS_WITHIN
        while not self._answers():
            if time.perf_counter() > deadline or self.process.poll() is not None:
                raise RuntimeError(f"PostgreSQL did not start: {(self._home / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT throws everybody out in order, SIGQUIT is a crash."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(how)
            process.wait(STARTS_WITHIN)

    def hang(self) -> None:
        """Let it be there and do nothing, with everything it has started, until :meth:`go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it work again."""
        self._signal(signal.SIGCONT)

    def fresh(self) -> str:
        """Return the URL of a new database with the program's tables and nothing in them."""
        name = f"lily_{next(self._numbers)}"
        self.run(self._from_template(name))
        return self.url(name)

    def execute(self, statement: str) -> None:
        """Run one statement as the server's owner."""
        self.run(self._execute(statement))

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something to its end, whether or not a loop is running in this thread."""
        with without_loop():
            asyncio.run(work)

    def _signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            main = self.process.pid
            children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
            for pid in (main, *map(int, children)):
                os.kill(pid, number)

    def _make(self) -> None:
        command = [str(self._binaries / "initdb"), "-D", str(self._home / "data"), *_CLUSTER]
        more: dict[str, Any] = {"capture_output": True, "cwd": self._home, **self._as_nobody}
        ran = subprocess.run([*command, *_LETTERS], check=False, **more)
        if ran.returncode != 0:  # before version 15 a whole cluster can't have ICU's order
            subprocess.run(command, check=True, **more)

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def _from_template(self, name: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            known = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", TEMPLATE)
            if known is None:
                from memory.store.database import open_database

                await connection.execute(f"CREATE DATABASE {TEMPLATE}")
                async with open_database(self.url(TEMPLATE)):
                    pass
            await connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        finally:
            await connection.close()

    def _answers(self) -> bool:
        try:
            self.run(self._execute("SELECT 1"))
        except (OSError, asyncpg.PostgresError):
            return False
        return True


@contextmanager
def without_loop() -> Iterator[None]:
    """Forget the loop that runs in this thread for a moment: what is done here does not need it."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running)
