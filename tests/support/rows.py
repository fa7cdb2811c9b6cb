"""Every row of a store, and words that make rows of every table."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select

from memory.model import Category
from memory.places import Place
from memory.store.database import Database
from memory.store.schema import metadata, people
from tests.support.world import World, fact

TRANSIENT = {"leases", "outbox"}


async def rows_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of a store by table, what is only under way left out."""
    async with database.read() as connection:
        return {
            table.name: [
                tuple(row) for row in await connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
            if table.name not in TRANSIENT
        }


async def told_much(world: World) -> None:
    """Tell what makes rows of every table, in several scripts, with every kind of empty column."""
    await world.tell("使用者叫小明", Category.NAME)
    await world.tell("使用者愛吃 🍮🇹🇼👩‍👩‍👧", Category.PREFERENCE, place=Place.parse("guild:7/channel:8"))
    await world.say("九月二十號看電影", fact("使用者要看電影", Category.SCHEDULE, when_text="九月二十號"))
    await world.tell("user says \"quotes\", 'more' and \\ ends", user="u2")
    await world.say("今天好熱")  # nothing to keep: an empty extraction, no reply
    async with world.service.database.write() as connection:
        await connection.execute(
            insert(people).values(user_id="u2", check_ins=True, paused=False, quiet_from="23:00")
        )
    (one, *_) = await world.all()
    await world.service.lifecycle.forget(one.id, "test")
