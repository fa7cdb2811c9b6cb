"""Column types of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, String, Text, TypeDecorator

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class UtcDateTime(TypeDecorator[datetime]):
    """Aware UTC instants. Kept as sortable ISO text in SQLite, as ``timestamptz`` elsewhere."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Choose the column type."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(String(32))
        return dialect.type_descriptor(DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Refuse naive instants, write UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime can't be stored")
        moment = value.astimezone(UTC)
        return moment.isoformat(timespec="microseconds") if dialect.name == "sqlite" else moment

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Read an aware UTC instant."""
        del dialect
        return _instant(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None]:
        """Return what reads an aware UTC instant: a plain function, for a recall reads a thousand."""
        del dialect, coltype
        return _instant


class Strings(TypeDecorator[list[str]]):
    """A few short strings of a small set (places, flags), as JSON: read again and again, so kept read."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Return what reads the list."""
        read = super().result_processor(dialect, coltype)
        return _strings if dialect.name == "sqlite" else read


class Words(TypeDecorator[str]):
    """What somebody wrote. What no database takes (a zero byte, half a character) becomes U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the words as they can be stored."""
        del dialect
        return _storable(value)


class Label(TypeDecorator[str]):
    """A few words of somebody's with a most: PostgreSQL refuses what is longer, so it is cut here."""

    impl = String
    cache_ok = True

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._most = most

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the words as they can be stored."""
        del dialect
        stored = _storable(value)
        return stored[: self._most] if stored is not None else None


def _storable(value: str | None) -> str | None:
    return _UNSTORABLE.sub("\ufffd", value) if value is not None else None


def _instant(value: Any) -> datetime | None:
    if value is None:
        return None
    moment: datetime = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)


def _strings(value: str | None) -> list[str] | None:
    return None if value is None else list(_read(value))


@lru_cache(maxsize=4096)
def _read(value: str) -> tuple[str, ...]:
    return tuple(json.loads(value))
