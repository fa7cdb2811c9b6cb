"""One process at a time writes a data folder: an operating-system lock that dies with its holder."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import UsageError

LOCK_NAME = "lily.lock"
MARKER_NAME = "lily.json"
FORMAT = 1
"""The layout of the data folder; the database keeps its own version."""

if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 30  # locked bytes can't be read by others there, so the lock lies far behind the words

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a data folder."""

    pid: int
    command: str


@contextmanager
def lock_folder(folder: Path, command: str) -> Iterator[None]:
    """Hold the data folder, made if need be, until the block ends.

    Raises :class:`bot.errors.UsageError` naming who holds it, or what else is wrong with it.
    The lock file stays behind: removing it would let two processes lock two files of one name.
    """
    _make(folder)
    check_folder(folder)
    descriptor = _open_lock(folder)
    try:
        if not _try_lock(descriptor):
            raise _in_use(folder)
        _write_marker(folder)
        _tell(descriptor, {"pid": os.getpid(), "command": command})
        yield
        _tell(descriptor, {})
    finally:
        os.close(descriptor)


def check_folder(folder: Path) -> None:
    """Refuse what is no folder, or was written by a newer version; an absent one is fine."""
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError.of("data.not_a_folder", folder=folder)
        found = _marked(folder / MARKER_NAME)
    except NotADirectoryError:
        raise UsageError.of("data.not_a_folder", folder=folder) from None
    except OSError as error:
        raise UsageError.of("files.unreadable", file=folder, cause=error.strerror) from None
    if found is not None and found > FORMAT:
        raise UsageError.of("data.newer", folder=folder, found=found, known=FORMAT)


def holder_of(folder: Path) -> Holder | None:
    """Return who holds the folder now, or None."""
    try:
        descriptor = os.open(folder / LOCK_NAME, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _try_lock(descriptor) else _named(folder)
    finally:
        os.close(descriptor)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UsageError.of("data.not_a_folder", folder=folder) from None
    except OSError as error:
        raise _unwritable(folder, error) from None


def _open_lock(folder: Path) -> int:
    try:
        return os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _unwritable(folder, error) from None


def _marked(marker: Path) -> int | None:
    try:
        loaded: Any = json.loads(marker.read_text(encoding="utf-8"))
        return int(loaded["format"])
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, LookupError):
        raise UsageError.of("data.unreadable_marker", file=marker) from None


def _write_marker(folder: Path) -> None:
    marker = folder / MARKER_NAME
    if marker.exists():
        return
    fresh = marker.with_suffix(".new")  # whole or not at all: half of it would lock the folder's owner out
    try:
        fresh.write_text(json.dumps({"format": FORMAT}) + "\n", encoding="utf-8")
        fresh.replace(marker)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise _unwritable(folder, error) from None


def _unwritable(folder: Path, error: OSError) -> Exception:
    """Return what to tell of a folder that can't be written; a full disk is told as such elsewhere."""
    return error if error.errno == errno.ENOSPC else UsageError.of("data.read_only", folder=folder)


def _tell(descriptor: int, holder: dict[str, Any]) -> None:
    """Write who holds the lock into the lock file, for whoever comes second."""
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, json.dumps(holder).encode())


def _named(folder: Path) -> Holder:
    try:
        loaded = json.loads((folder / LOCK_NAME).read_text(encoding="utf-8"))
        return Holder(int(loaded["pid"]), str(loaded["command"]))
    except (OSError, ValueError, TypeError, LookupError):
        return Holder(0, "?")


def _in_use(folder: Path) -> UsageError:
    holder = _named(folder)
    if holder.pid == 0:
        return UsageError.of("data.in_use_unknown", folder=folder)
    return UsageError.of("data.in_use", folder=folder, pid=holder.pid, command=holder.command)
