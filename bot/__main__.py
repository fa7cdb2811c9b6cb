"""The ``lily`` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong usage or settings."""
    try:
        from bot.cli.app import run

        arguments = sys.argv[1:] if argv is None else argv
        return run(arguments, environ=os.environ, cwd=Path.cwd(), stdout=sys.stdout, stderr=sys.stderr)
    except KeyboardInterrupt:  # before the run itself can tell it
        return 1


if __name__ == "__main__":
    sys.exit(main())
