"""Column types of ours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, String, TypeDecorator


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
        if value is None:
            return None
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        return moment.astimezone(UTC)
