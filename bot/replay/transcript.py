"""A replay as people read it: who said what when, and what it did to the memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory.catalog import Catalog
from memory.wording import spoken_date


class Transcript:
    """Puts answers into words: times in ``zone``, what happens to the memory in the catalog's language."""

    def __init__(self, catalog: Catalog, her_name: str, zone: str, language: str) -> None:
        self._catalog = catalog
        self._her_name = her_name
        self._zone = zone
        self._language = language

    def lines(self, answer: Mapping[str, Any]) -> Iterator[str]:
        """Yield the lines of one answer, an empty one last."""
        yield self._heading(answer)
        if "say" in answer:
            yield self._text("said", who=answer["user"], text=answer["say"])
            for part in answer["reply"]:
                yield self._text("said", who=self._her_name, text=part)
            if answer.get("known"):
                yield self._note("known")
        elif "settings" in answer:
            shown = ", ".join(f"{name}={value}" for name, value in answer["settings"].items())
            yield self._note("settings", user=answer["user"], changes=shown)
        yield from self._changes(answer)
        yield ""

    def _changes(self, answer: Mapping[str, Any]) -> Iterator[str]:
        for one in answer.get("written", ()):
            when = self._when(one)
            outcome = one.get("outcome")
            done = "written" if one["rev"] == 1 else "updated"
            key = f"{done}_outcome" if when and outcome else f"{done}_when" if when else done
            category = self._catalog.text(f"commands.categories.{one['category']}")
            yield self._note(key, text=one["text"], category=category, when=when, outcome=outcome)
        for one in answer.get("archived", ()):
            reason = self._catalog.text(f"commands.reasons.{one['reason']}")
            yield self._note("archived", text=one["text"], reason=reason)
        for one in answer.get("skipped", ()):
            yield self._note("skipped", text=one["text"])
        for one in answer.get("follow_ups", ()):
            yield self._note("follow_up", who=self._her_name, user=one["user"], text=one["text"])
        if answer.get("tick") and not answer["archived"] and not answer["follow_ups"]:
            yield self._note("nothing_due")
        if answer.get("waiting_for"):
            yield self._note("waiting", cause=answer["waiting_for"])

    def _heading(self, answer: Mapping[str, Any]) -> str:
        local = answer["at"].astimezone(ZoneInfo(self._zone))
        day = spoken_date(local, None, None, self._zone, self._language)
        where = f"　{answer['place']}" if answer.get("place", "dm") != "dm" else ""
        return f"[{day} {local:%H:%M}]{where}"

    def _when(self, one: Mapping[str, Any]) -> str:
        start: datetime | None = one["valid_from"]
        if start is None:
            return ""
        return spoken_date(start, one["valid_to"], one["precision"], self._zone, self._language)

    def _text(self, key: str, **values: object) -> str:
        return self._catalog.text(f"terminal.replay.{key}", **values)

    def _note(self, key: str, **values: object) -> str:
        return f"    {self._text(key, **values)}"
