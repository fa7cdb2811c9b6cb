"""One run of ``lily`` in this process, and scripts for it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.cli.app import run

ENGLISH = {"LANG": "en_US.UTF-8"}


@dataclass(frozen=True)
class Ran:
    """How a run ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Its standard output as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def errors(self) -> list[str]:
        """The lines of its standard error."""
        return self.err.splitlines()


def lily(folder: Path, *argv: str, **environ: str) -> Ran:
    """Run a command in a folder; the data lies in its ``.lily``."""
    out, err = io.StringIO(), io.StringIO()
    code = run(argv, environ={**ENGLISH, **environ}, cwd=folder, stdout=out, stderr=err)
    return Ran(code, out.getvalue(), err.getvalue())


def said(at: str, text: str, user: str = "u1", place: str = "dm", **more: Any) -> dict[str, Any]:
    """Return a script line; ``at`` is local time in Taipei."""
    return {"at": f"{at}+08:00", "user": user, "place": place, "say": text, **more}


def tick(at: str) -> dict[str, Any]:
    """Return a script line that does what is due."""
    return {"at": f"{at}+08:00", "tick": True}


def write_script(folder: Path, lines: Iterable[Mapping[str, Any] | str], name: str = "script.jsonl") -> Path:
    """Write script lines; a string is written as it is."""
    path = folder / name
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def replay(folder: Path, *lines: Mapping[str, Any], **environ: str) -> list[dict[str, Any]]:
    """Replay lines and return the answers."""
    script = write_script(folder, lines)
    ran = lily(folder, "replay", str(script), "--json", **environ)
    assert (ran.code, ran.err) == (0, ""), ran.err
    return ran.rows
