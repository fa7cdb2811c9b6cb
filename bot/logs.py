"""The log of the data folder: ids, counts, kinds and places of errors; never what people said."""

from __future__ import annotations

import errno
import logging
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from bot.errors import UsageError

LOG_NAME = "lily.log"
_MEGABYTE = 1_000_000
_KEPT = 3
_QUIET = (
    "httpx",
    "httpcore",
    "httpx2",
    "httpcore2",
    "chromadb",
    "apscheduler",
    "google_genai",
    "openai",
    "alembic",
    "aiosqlite",
    "discord",
)
"""Libraries that tell what was sent, or too much; only their warnings are kept."""

_Raised = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]


@contextmanager
def open_log(folder: Path, level: str) -> Iterator[None]:
    """Write the log of this process to ``lily.log`` in ``folder`` until the block ends.

    ``level`` is one of the names in ``ops.log_level``. The file is renewed at 1 MB; three old ones stay.
    """
    try:
        handler = Patient(folder / LOG_NAME, maxBytes=_MEGABYTE, backupCount=_KEPT, encoding="utf-8")
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise  # a full disk is told as such
        raise UsageError.of("files.unwritable", file=folder / LOG_NAME, cause=error.strerror) from None
    handler.setFormatter(Discreet("%(asctime)sZ %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%S"))
    root = logging.getLogger()
    before = root.level, {name: logging.getLogger(name).level for name in _QUIET}
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        for name, own in before[1].items():
            logging.getLogger(name).setLevel(own)
        handler.close()


class Patient(RotatingFileHandler):
    """A log file that may be full or gone for a while: it says afterwards how much it lost.

    The library would print a traceback to the screen for every line it can't write.
    """

    lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, after a word about those before it that could not be written."""
        if self.lost:
            lost, self.lost = self.lost, 0
            told = logging.LogRecord(
                __name__, logging.WARNING, __file__, 0, "%d lines before this one could not be written",
                (lost,), None,
            )  # fmt: skip
            super().emit(told)
            if self.lost:  # still not
                self.lost += lost
                return
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name logging gives it
        """Count what could not be written."""
        self.lost += 1


class Discreet(logging.Formatter):
    """Tells of an exception its kind and where it came from, not its own words: they might be a person's."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        """Format a record; another formatter's words for the same exception are not taken over."""
        kept, record.exc_text = record.exc_text, None
        try:
            return super().format(record)
        finally:
            record.exc_text = kept

    def formatException(self, ei: _Raised) -> str:  # noqa: N802 - the name logging gives it
        """Return kinds and places, outermost cause first."""
        return "\n".join(frames_of(ei[1])) if ei[1] is not None else ""


def frames_of(error: BaseException) -> list[str]:
    """Return the kinds and places of an exception and its causes, outermost cause first."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    lines: list[str] = []
    for link in reversed(chain):
        # what could not be imported or found is a name in code, never a person's word
        named = link.name if isinstance(link, (ImportError, NameError, AttributeError)) else None
        lines.append(f"{type(link).__module__}.{type(link).__qualname__}{f' {named}' if named else ''}")
        for frame in traceback.extract_tb(link.__traceback__):
            lines.append(f"  {frame.filename}:{frame.lineno} {frame.name}")
    return lines
