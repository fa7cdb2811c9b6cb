"""One run of the command line: parse, call the handler, translate what went wrong."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import TextIO

from bot.cli.env import Env
from bot.cli.language import interface_language
from bot.cli.output import Output
from bot.cli.parser import HANDLERS, Stop, build_parser
from bot.errors import FAILED, UserError
from memory.catalog import load_catalog


def run(
    argv: Sequence[str],
    *,
    environ: Mapping[str, str],
    cwd: Path,
    stdout: TextIO,
    stderr: TextIO,
) -> int:
    """Run the command in ``argv``; return 0 (done), 1 (failed) or 2 (wrong usage or settings)."""
    for stream in (stdout, stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    catalog = load_catalog("bot", interface_language(environ))
    out = Output(stdout, stderr)
    env: Env | None = None
    try:
        arguments = build_parser(catalog, out).parse_args(list(argv))
        out.json = arguments.json
        env = Env(
            catalog=catalog,
            out=out,
            environ=environ,
            cwd=cwd,
            config=arguments.config,
            data=arguments.data,
        )
        handler = import_module(HANDLERS[arguments.command])
        with stop_at_once() if getattr(handler, "STOPS_AT_ONCE", False) else nullcontext():
            code: int = asyncio.run(handler.run(arguments, env))
        stdout.flush()
    except Stop as stop:
        code = stop.code
    except BrokenPipeError:
        code = _nobody_reads(stdout)
    except KeyboardInterrupt:
        out.note(catalog.text("errors.interrupted"))
        code = FAILED
    except UserError as error:
        for line in error.texts(catalog):
            out.note(line)
        code = error.exit_code
    except Exception as error:
        from bot.cli.failures import explain

        code, lines = explain(error, catalog, env.log_folder() if env else None)
        for line in lines:
            out.note(line)
    return code


@contextmanager
def stop_at_once() -> Iterator[None]:
    """Let Ctrl-C interrupt whatever runs, for commands that hold nothing open.

    By itself asyncio only asks the command to end, which one that computes or reads does not hear.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _nobody_reads(stdout: TextIO) -> int:
    """Let the interpreter's last flush go nowhere: the reader of a pipe (``| head``) has left."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
    except (OSError, io.UnsupportedOperation):
        return FAILED
    return FAILED
