"""Rows of JSON Lines files, plain or gzip; what is wrong is told with its line, before anything is done."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.cli.output import json_line
from bot.errors import Line, UsageError

Row = dict[str, Any]


def read_rows(path: Path, needed: Sequence[Sequence[str]] = ()) -> list[Row]:
    """Return the rows of a ``.jsonl`` or ``.jsonl.gz`` file; empty lines are skipped.

    ``needed``: of each group of keys every row has at least one. Broken lines are told together.
    """
    rows: list[Row] = []
    problems: list[Line] = []
    for number, text in enumerate(lines_of(path), start=1):
        if not text.strip():
            continue
        row = _row(path, number, text, problems)
        if row is not None:
            rows.append(row)
            lacking = (group for group in needed if not any(row.get(key) not in (None, "") for key in group))
            problems.extend(
                Line.of("files.row_lacks", file=path, line=number, field=" / ".join(group))
                for group in lacking
            )
    if problems:
        raise UsageError(problems)
    if not rows:
        raise UsageError.of("files.empty", file=path)
    return rows


def in_script(rows: Sequence[Row], *, simplified: bool = False) -> list[Row]:
    """Return rows with one script: each ``*_hant`` text takes the place of the published one, or goes."""
    chosen: list[Row] = []
    for row in rows:
        kept = {key: value for key, value in row.items() if not key.endswith("_hant")}
        if not simplified:
            kept |= {key.removesuffix("_hant"): value for key, value in row.items() if key.endswith("_hant")}
        chosen.append(kept)
    return chosen


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as JSON Lines."""
    try:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(json_line(row) + "\n" for row in rows)
    except OSError as error:
        raise UsageError.of("files.unwritable", file=path, cause=error.strerror) from None


def lines_of(path: Path, shown: Path | None = None) -> Iterator[str]:
    """Yield the lines of a text file, plain or gzip; what is wrong with it is told of ``shown``.

    Raises :class:`bot.errors.UsageError`.
    """
    named = shown or path
    try:
        raw = path.read_bytes()
        if path.suffix == ".gz":
            raw = gzip.decompress(raw)
        yield from raw.decode("utf-8-sig").split("\n")
    except FileNotFoundError:
        raise UsageError.of("files.missing", file=named) from None
    except UnicodeDecodeError:
        raise UsageError.of("files.not_utf8", file=named) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise UsageError.of("files.not_gzip", file=named) from None
    except OSError as error:
        raise UsageError.of("files.unreadable", file=named, cause=error.strerror) from None


def _row(path: Path, number: int, text: str, problems: list[Line]) -> Row | None:
    try:
        loaded = json.loads(text)
    except RecursionError:
        problems.append(Line.of("files.broken_line", file=path, line=number, cause="nested too deep"))
        return None
    except ValueError as error:
        cause = getattr(error, "msg", str(error))
        problems.append(Line.of("files.broken_line", file=path, line=number, cause=cause))
        return None
    if not isinstance(loaded, dict):
        problems.append(Line.of("files.broken_line", file=path, line=number, cause=type(loaded).__name__))
        return None
    return loaded
