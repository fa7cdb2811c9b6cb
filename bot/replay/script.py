"""A replay script: JSON Lines, checked whole before anything runs.

``{"at": ..., "user": "u1", "place": "dm", "say": "..."}`` says something, ``{"at": ..., "tick": true}``
does what is due. A line may carry ``id`` and ``settings``; a line with ``user`` and ``settings``
alone changes those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from bot.errors import Line, UsageError
from bot.replay.preferences import read_preferences
from memory.identifiers import message_id_of_line
from memory.places import DM, InvalidPlace, Place
from memory.text import readable

_MAX_ID = 128
_MAX_SAID = 20_000
_MAX_SHOWN = 60
_FIELDS: Final = frozenset({"at", "user", "place", "say", "id", "settings", "tick"})
_NOT_WITH_TICK: Final = ("user", "place", "say", "id", "settings")


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One checked line. ``say`` None and ``tick`` False: only settings change.

    ``settings`` are columns of a person's settings, as :class:`memory.people.People` takes them.
    """

    number: int
    at: datetime
    tick: bool = False
    user: str = ""
    place: Place = DM
    say: str | None = None
    id: str = ""
    settings: Mapping[str, Any] | None = None


def read_script(lines: Iterable[str], file: Path) -> tuple[ScriptLine, ...]:
    """Read a script; raises :class:`bot.errors.UsageError` with a line for everything that is wrong."""
    found: list[ScriptLine] = []
    problems: list[Line] = []
    latest: ScriptLine | None = None
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        checker = _Checker(file, number)
        line = checker.line(raw.strip())
        if line is not None and latest is not None and line.at < latest.at:
            checker.wrong("at", "replay.goes_back", value=line.at.isoformat(), other=latest.number)
        elif line is not None:
            latest = line
            found.append(line)
        problems.extend(checker.problems)
    if problems:
        raise UsageError(problems)
    if not found:
        raise UsageError.of("files.empty", file=file)
    return tuple(found)


class _Checker:
    """Checks one line and collects what is wrong with it."""

    def __init__(self, file: Path, number: int) -> None:
        self._file = file
        self._number = number
        self.problems: list[Line] = []

    def wrong(self, field: str, key: str, **values: object) -> None:
        """Note a problem of one field."""
        shown = {name: _shown(value) if name == "value" else value for name, value in values.items()}
        cause = Line.of(key, **shown)
        self.problems.append(
            Line.of("replay.line", file=self._file, line=self._number, field=field, cause=cause)
        )

    def line(self, raw: str) -> ScriptLine | None:
        """Return the checked line, or None where anything is wrong with it."""
        data = self._object(raw)
        if data is None:
            return None
        for name in sorted(set(data) - _FIELDS):
            self.wrong(name, "replay.unknown_field", known=", ".join(sorted(_FIELDS)))
        at = self._at(data)
        line = self._tick(data, at) if "tick" in data else self._said(data, at, raw)
        return None if self.problems else line

    def _object(self, raw: str) -> dict[str, Any] | None:
        cause = ""
        try:
            data = json.loads(raw)
        except RecursionError:
            cause = "nested too deep"
        except ValueError as error:
            cause = getattr(error, "msg", str(error))
        else:
            if isinstance(data, dict):
                return data
            cause = type(data).__name__
        self.problems.append(Line.of("files.broken_line", file=self._file, line=self._number, cause=cause))
        return None

    def _at(self, data: Mapping[str, Any]) -> datetime | None:
        value = data.get("at")
        if value is None:
            self.wrong("at", "replay.missing")
            return None
        try:
            moment = datetime.fromisoformat(value)
            moment.timestamp()
        except (TypeError, ValueError, OverflowError):
            self.wrong("at", "replay.no_time", value=value)
            return None
        if moment.tzinfo is None:
            self.wrong("at", "replay.no_offset", value=value)
            return None
        return moment

    def _tick(self, data: Mapping[str, Any], at: datetime | None) -> ScriptLine | None:
        if data["tick"] is not True:
            self.wrong("tick", "replay.tick_is_true", value=data["tick"])
        for name in _NOT_WITH_TICK:
            if name in data:
                self.wrong(name, "replay.not_with_tick")
        return ScriptLine(self._number, at, tick=True) if at is not None else None

    def _said(self, data: Mapping[str, Any], at: datetime | None, raw: str) -> ScriptLine | None:
        user = self._text(data, "user", _MAX_ID)
        say = None if "say" not in data and "settings" in data else self._text(data, "say", _MAX_SAID)
        line_id = self._text(data, "id", _MAX_ID) if "id" in data else message_id_of_line(raw)
        place = self._place(data)
        settings = None
        if "settings" in data:
            settings = read_preferences(data["settings"], self.wrong)
        if at is None or user is None or line_id is None or place is None:
            return None
        return ScriptLine(self._number, at, False, user, place, say, line_id, settings)

    def _text(self, data: Mapping[str, Any], field: str, longest: int) -> str | None:
        value = data.get(field)
        if value is None:
            self.wrong(field, "replay.missing")
        elif not isinstance(value, str) or not value.strip() or (field != "say" and readable(value) != value):
            self.wrong(field, "replay.no_text", value=value)
        elif len(value) > longest:
            self.wrong(field, "replay.too_long", found=len(value), most=longest)
        else:
            return value
        return None

    def _place(self, data: Mapping[str, Any]) -> Place | None:
        value = data.get("place", str(DM))
        try:
            return Place.parse(value)
        except (InvalidPlace, TypeError):
            self.wrong("place", "replay.no_place", value=value)
            return None


def _shown(value: object) -> str:
    """Return a value as it stands in the file, cut where it is long; a text that says something bare."""
    if isinstance(value, str) and value.strip():
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False, default=str)
    text = readable(text)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
