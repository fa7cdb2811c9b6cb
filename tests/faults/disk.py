"""A disk that is really full, and free again: a tmpfs where one can be mounted; and SQLite's own limit."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.pool import Pool

_PIECE = 4096


class SmallDisk:
    """A file system of a few megabytes, filled by a file of ballast."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.folder.mkdir()
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(_PIECE))
            except OSError:
                pass

    def free(self) -> None:
        self._ballast.unlink()

    def read_only(self, on: bool) -> None:
        """Let nothing be written on it any more, or let it again."""
        how = f"remount,{'ro' if on else 'rw'}"
        subprocess.run(["mount", "-o", how, str(self.folder.parent)], capture_output=True, check=True)


class FullDatabase:
    """A SQLite file that may not grow by a page: what the library itself says of a full disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._full = False

    def fill(self) -> None:
        self._full = True

    def free(self) -> None:
        self._full = False

    def limit(self, connection: object, _record: object, _proxy: object) -> None:
        """Set the limit of a connection that is about to be used."""
        cursor = connection.cursor()  # type: ignore[attr-defined]
        if self._full:
            cursor.execute("PRAGMA max_page_count=1")  # not below what is used already
        else:
            cursor.execute("PRAGMA max_page_count=1073741823")
        cursor.close()


@contextmanager
def small_disk(folder: Path, megabytes: int = 16) -> Iterator[SmallDisk | None]:
    """Mount a small disk; None where that is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=True)


@contextmanager
def full_database(folder: Path) -> Iterator[FullDatabase]:
    """Limit every SQLite connection of this process, on demand."""
    disk = FullDatabase(folder)
    event.listen(Pool, "checkout", disk.limit)
    try:
        yield disk
    finally:
        event.remove(Pool, "checkout", disk.limit)
