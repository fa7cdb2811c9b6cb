"""The process that has an embedded index to itself: it reads work from its input until that is closed."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from memory.store.errors import StoreError
from memory.store.frames import Failure, pack_frame, read_frame
from memory.store.shelves import Shelves


def main() -> None:
    """Do what is asked for, in order; end when nobody can ask any more."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # meant for the other process, which closes this one
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints is no answer
    shelves = Shelves(Path(sys.argv[1]), None)
    with suppress(Exception):  # who asks first is told what is wrong
        shelves.open()
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        work, arguments = frame
        answers.write(pack_frame(_do(shelves, work, arguments)))
        answers.flush()
    shelves.reset()


def _do(shelves: Shelves, work: str, arguments: tuple[Any, ...]) -> Any:
    try:
        return getattr(shelves, work)(*arguments)
    except StoreError as error:
        return Failure(str(error), is_ours=True)
    except Exception as error:
        return Failure(type(error).__name__)


if __name__ == "__main__":
    main()
