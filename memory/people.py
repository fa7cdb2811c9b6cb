"""What a person chose: zone, language, check-ins, quiet hours, pause."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from memory.store.database import Database
from memory.store.dialects import put
from memory.store.schema import people


@dataclass(frozen=True, slots=True)
class Person:
    """A person's settings; None means the default of the house. Hours are ``HH:MM`` in their zone."""

    user_id: str
    zone: str | None = None
    language: str | None = None
    check_ins: bool = False
    quiet_from: str | None = None
    quiet_to: str | None = None
    paused: bool = False


class People:
    """Reads and writes people's settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: str) -> Person:
        """Return a person's settings, the defaults for somebody new."""
        async with self._database.read() as connection:
            row = (await connection.execute(select(people).where(people.c.user_id == user_id))).first()
        return Person(**row._mapping) if row else Person(user_id)

    async def change(self, user_id: str, **values: Any) -> Person:
        """Change some settings and return all."""
        person = replace(await self.get(user_id), **values)
        async with self._database.write() as connection:
            await put(
                connection, people, **{name: getattr(person, name) for name in Person.__dataclass_fields__}
            )
        return person
