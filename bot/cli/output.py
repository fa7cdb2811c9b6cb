"""Results on stdout, as JSON Lines or for people; everything else on stderr."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_PIPE_WIDTH = 160


class Output:
    """Where a command's words go. ``json`` says in which form results are wanted."""

    def __init__(self, stdout: TextIO, stderr: TextIO, json: bool = False) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.json = json

    def row(self, result: Mapping[str, Any]) -> None:
        """Print one result as one line of JSON."""
        self.stdout.write(json_line(result) + "\n")

    def say(self, text: str) -> None:
        """Print a result for people: plain text, a line or more."""
        self.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        """Tell something that is no result, on stderr."""
        self.stderr.write(text + "\n")
        self.stderr.flush()

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        title: str | None = None,
        whole: Collection[str] = (),
    ) -> None:
        """Print rows for people; cells are plain text, never markup. ``whole`` columns are never folded."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
        for column in columns:
            table.add_column(Text(column), overflow="fold", no_wrap=column in whole)
        for row in rows:
            table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
        self.console().print(table)

    def console(self) -> Console:
        """Return a Rich console on stdout; colours and width follow the terminal."""
        from rich.console import Console

        width = None if self.stdout.isatty() else _PIPE_WIDTH
        return Console(file=self.stdout, width=width, highlight=False, soft_wrap=False)


def json_line(result: Mapping[str, Any]) -> str:
    """Return a result as one line of JSON: readable characters, aware times in ISO form."""
    return json.dumps(result, ensure_ascii=False, default=_plain, allow_nan=False)


def _plain(value: object) -> object:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no JSON form")
