"""What a person chose: zone, language, check-ins, quiet hours, pause, snooze."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from memory.store.database import Database
from memory.store.dialects import insert_if_absent, put
from memory.store.schema import follow_ups, people


@dataclass(frozen=True, slots=True)
class Person:
    """A person's settings; None means the default of the house. Hours are ``HH:MM`` in their zone.

    ``check_ins_chosen``: they said yes or no themselves; until then the house's default counts.
    ``snooze_until``: she asks nothing by herself before that moment.
    """

    user_id: str
    zone: str | None = None
    language: str | None = None
    check_ins: bool = False
    quiet_from: str | None = None
    quiet_to: str | None = None
    paused: bool = False
    snooze_until: datetime | None = None
    check_ins_chosen: bool = False

    def wants_check_ins(self, default: bool) -> bool:
        """Whether she may ask by herself: what the person chose, else the house's ``default``."""
        return self.check_ins if self.check_ins_chosen else self.check_ins or default


class People:
    """Reads and writes people's settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: str) -> Person:
        """Return a person's settings, the defaults for somebody new."""
        return await self._database.snapshot(_person_in, user_id)

    async def change(self, user_id: str, **values: Any) -> Person:
        """Change some settings and return all. What waits to be asked is looked at anew."""
        if "check_ins" in values:
            values.setdefault("check_ins_chosen", True)
        async with self._database.write() as connection:
            person = replace(await locked_person(connection, user_id), **values)
            await put(
                connection, people, **{name: getattr(person, name) for name in Person.__dataclass_fields__}
            )
            await connection.execute(
                update(follow_ups).where(follow_ups.c.user_id == user_id).values(next_at=None)
            )
        return person


async def person_in(connection: AsyncConnection, user_id: str) -> Person:
    """Return a person's settings as this transaction sees them."""
    return await connection.run_sync(_person_in, user_id)


async def locked_person(connection: AsyncConnection, user_id: str) -> Person:
    """Return a person's settings and hold their row until the transaction ends.

    Two schedulers that look at the same person at once go one after the other.
    """
    held = select(people).where(people.c.user_id == user_id).with_for_update()
    row = (await connection.execute(held)).first()
    if row is None:
        await insert_if_absent(connection, people, user_id=user_id, check_ins=False, paused=False)
        row = (await connection.execute(held)).first()
    return _person(user_id, row)


def _person_in(connection: Connection, user_id: str) -> Person:
    return _person(user_id, connection.execute(select(people).where(people.c.user_id == user_id)).first())


def _person(user_id: str, row: Row[Any] | None) -> Person:
    return Person(**row._mapping) if row is not None else Person(user_id)
