"""The ``lily`` command at a real pseudo-terminal, as a person sits at it."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

CHECKOUT = Path(__file__).parents[2]
CTRL_C = b"\x03"
CTRL_D = b"\x04"
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
# makes the terminal the process's own, so that Ctrl-C reaches it
_OWN = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'bot', *sys.argv[1:]])"
)


class PseudoTerminal:
    """One run of ``lily``; what it shows is read as text, colours apart."""

    def __init__(self, cwd: Path, *argv: str, **environ: str) -> None:
        self._ours, theirs = pty.openpty()
        env: Mapping[str, str] = {
            **os.environ,
            "LANG": "zh_TW.UTF-8",
            "LC_ALL": "",
            "TERM": "xterm-256color",
            "PYTHONPATH": str(CHECKOUT),
            **environ,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", _OWN, *argv],
            cwd=cwd,
            env=dict(env),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._ours)

    @property
    def shown(self) -> str:
        """Everything shown so far."""
        return _CONTROLS.sub("", self.raw)

    def wait_for(self, text: str, *, after: int = 0, seconds: float = 60) -> int:
        """Read until ``text`` is shown behind the first ``after`` characters; returns where it ends."""
        end = time.monotonic() + seconds
        while (found := self.shown.find(text, after)) < 0:
            if time.monotonic() > end or not self._read(end - time.monotonic()):
                raise AssertionError(f"{text!r} was not shown; shown was:\n{self.shown}")
        return found + len(text)

    def type(self, text: str | bytes) -> int:
        """Type; returns where what is shown next begins."""
        before = len(self.shown)
        os.write(self._ours, text.encode() if isinstance(text, str) else text)
        return before

    def ends(self, seconds: float = 60) -> int:
        """Wait for the end; returns the exit code."""
        end = time.monotonic() + seconds
        while self._read(max(end - time.monotonic(), 0)):
            pass
        return self._process.wait(timeout=max(end - time.monotonic(), 1))

    def pause(self, seconds: float) -> None:
        """Let a moment pass, reading meanwhile: where in her work it falls is the point of the test."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def _read(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], max(seconds, 0))[0]:
            return False
        try:
            got = os.read(self._ours, 65536)
        except OSError:  # the other side is closed
            return False
        self.raw += self._decoder.decode(got)
        return bool(got)
