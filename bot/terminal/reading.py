"""What a person types: a line with history at a terminal, a line each from a pipe."""

from __future__ import annotations

import contextlib
import io
import select
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

ORDER_MARKS = (":", "：")
# A pasted line follows the one before within this time; nobody types a line that fast.
_PASTE_SECONDS = 0.05
_LONGEST = 4_000
_GLANCE_SECONDS = 0.25


class Typed:
    """Reads what is typed. Blocking on purpose: nothing else is to be done while she listens.

    Ctrl-C while reading raises ``KeyboardInterrupt``, the end of the input ``EOFError``.
    """

    def __init__(self, source: TextIO, prompt: str, earlier: Sequence[str] = ()) -> None:
        self._source = source
        self._prompt = prompt
        self._at_terminal = source is sys.stdin and source.isatty()
        self._waiting: deque[str] = deque()
        self._leaving: EOFError | KeyboardInterrupt | None = None
        if isinstance(source, io.TextIOWrapper):
            source.reconfigure(encoding="utf-8", errors="replace")
        if self._at_terminal:
            _remember(earlier)

    def next(self) -> str:
        """Return what is said next, stripped and never empty; lines pasted together are one."""
        while True:
            said = self._waiting.popleft() if self._waiting else self._read()
            said = said.replace("\0", "").strip()[:_LONGEST]
            if said:
                return said

    def _read(self) -> str:
        with _interruptible():
            if not self._at_terminal:
                line = self._source.readline()
                if not line:
                    raise EOFError
                return line
            if self._leaving is not None:
                raise self._leaving
            lines = [input(self._prompt)]
            try:
                while _more(self._source):
                    lines.append(input())
            except (EOFError, KeyboardInterrupt) as leaving:
                # what was entered before still counts
                self._leaving = leaving
        first, *rest = _parts(lines)
        self._waiting.extend(rest)
        return first


def is_order(said: str) -> bool:
    """Whether a line is for the terminal, not for her."""
    return said.startswith(ORDER_MARKS)


def _parts(lines: Sequence[str]) -> list[str]:
    """Return what was typed at once as sayings: an order stands alone, other lines belong together."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if is_order(line.strip()):
            parts += [[line], []]
        else:
            parts[-1].append(line)
    joined = ["\n".join(part) for part in parts if part]
    return joined or [""]


def _more(source: TextIO) -> bool:
    if sys.platform == "win32":
        return False
    with contextlib.suppress(OSError, ValueError):
        return bool(select.select([source], [], [], _PASTE_SECONDS)[0])
    return False


def _remember(earlier: Sequence[str]) -> None:
    """Let the arrow keys find what was said before; nothing is written to a file."""
    try:
        import readline
    except ImportError:
        return
    readline.set_auto_history(True)
    for line in earlier:
        readline.add_history(line)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C break off a blocking read: an event loop's own handler would only take note of it.

    One that comes between the prompt and the wait for keys would be noticed at the next key only: a
    timer ends that wait a few times a second, which costs nothing and lets it be noticed at once.
    """
    try:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
    except ValueError:  # not the main thread: signals are not ours
        yield
        return
    try:
        with _glancing_up():
            yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _glancing_up() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda _number, _frame: None)
    signal.setitimer(signal.ITIMER_REAL, _GLANCE_SECONDS, _GLANCE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
