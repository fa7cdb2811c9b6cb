"""Puts the thresholds of one embedder into a settings file; every other line of it stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

_INDENT = re.compile(r"[ ]*")
_STEP = "  "


class ThresholdsNotStored(Exception):
    """The file can't take them; it was left as it was."""


def threshold_lines(embedder: str, figures: Mapping[str, Any], indent: str) -> list[str]:
    """Return the YAML of one embedder's thresholds, indented."""
    name = embedder if re.fullmatch(r"[A-Za-z][\w.-]*", embedder) else _quoted(embedder)
    lines = [f"{indent}{name}:"]
    lines += [f"{indent}{_STEP}{key}: {_value(value)}" for key, value in figures.items()]
    return lines


def put_thresholds(
    path: Path, embedder: str, figures: Mapping[str, Any], check: Callable[[Path], None]
) -> None:
    """Write the thresholds into a settings file, in one step; a file that is not there is made.

    ``check`` is given the new text as a file before it takes the old one's place, and raises where the
    settings would not hold what was meant. Raises :class:`ThresholdsNotStored`.
    """
    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        new = _with_thresholds(text.split("\n"), embedder, figures)
        draft = path.with_name(f".{path.stem}.new{path.suffix}")
        try:
            draft.write_text("\n".join(new), encoding="utf-8")
            check(draft)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, UnicodeDecodeError) as error:
        raise ThresholdsNotStored(getattr(error, "strerror", None) or "it is no UTF-8 text") from error


def _with_thresholds(lines: Sequence[str], embedder: str, figures: Mapping[str, Any]) -> list[str]:
    found = list(lines)
    memory = _key(found, "memory", 0, len(found), 0)
    if memory is None:
        while found and not found[-1].strip():
            found.pop()
        gap = [""] if found else []
        block = threshold_lines(embedder, figures, _STEP * 2)
        return [*found, *gap, "memory:", f"{_STEP}thresholds:", *block, ""]
    end = _end(found, memory, 0)
    step = _inner_indent(found, memory, end) or len(_STEP)
    table = _key(found, "thresholds", memory + 1, end, step)
    if table is None:
        block = threshold_lines(embedder, figures, " " * (step * 2))
        return [*found[: memory + 1], f"{' ' * step}thresholds:", *block, *found[memory + 1 :]]
    table_end = _end(found, table, step)
    inner = _inner_indent(found, table, table_end) or step * 2
    block = threshold_lines(embedder, figures, " " * inner)
    row = _key(found, embedder, table + 1, table_end, inner)
    if row is None:
        found[table] = found[table].split(":", 1)[0] + ":"  # an empty table may be written as {}
        return [*found[: table + 1], *block, *found[table + 1 :]]
    return [*found[:row], *block, *found[_end(found, row, inner) :]]


def _key(lines: Sequence[str], key: str, start: int, end: int, indent: int) -> int | None:
    """Return the line of a key at a depth, plain or quoted."""
    name = re.escape(key)
    shape = re.compile(rf"^ {{{indent}}}(?:{name}|\"{name}\"|'{name}')\s*:(?:\s|$)")
    return next((i for i in range(start, end) if shape.match(lines[i])), None)


def _end(lines: Sequence[str], start: int, indent: int) -> int:
    """Return where the block of a key ends: after its last line that stands deeper than the key."""
    last = start
    for i in range(start + 1, len(lines)):
        text = lines[i].strip()
        if not text or text.startswith("#"):
            continue
        if _depth(lines[i]) <= indent:
            break
        last = i
    return last + 1


def _inner_indent(lines: Sequence[str], start: int, end: int) -> int | None:
    inside = (line for line in lines[start + 1 : end] if line.strip() and not line.strip().startswith("#"))
    return next((_depth(line) for line in inside), None)


def _depth(line: str) -> int:
    match = _INDENT.match(line)
    return len(match.group()) if match else 0


def _value(value: object) -> str:
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
