"""Several processes over one PostgreSQL and one Chroma server: shards that talk, one that keeps the time."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from memory.clock import SystemClock
from memory.places import DM, Place
from memory.store.database import Database, open_database
from memory.store.schema import events, follow_ups, inbox
from tests.bot.discord.harness import answer_to
from tests.standin import Channel, Message, Person, Server, StandIn, environment
from tests.support.chroma_server import ChromaServer
from tests.support.postgres import PostgresServer

STARTS_WITHIN = 90.0
AT_NOON = {
    "LILY_SCHEDULE__WAKING_FROM": "06:00",
    "LILY_SCHEDULE__WAKING_UNTIL": "18:00",
    "LILY_SCHEDULE__CHECK_INS": "true",
    "LILY_SCHEDULE__SPREAD_MINUTES": "0",
    "LILY_SCHEDULE__NOT_WITHIN_MINUTES_OF_CHAT": "0",
}


@pytest.fixture
def stores(postgres: PostgresServer, chroma: ChromaServer) -> dict[str, str]:
    """What tells a process where facts and vectors lie."""
    url = postgres.fresh()
    name = url.rpartition("/")[2]
    return {"LILY_STORAGE__DATABASE_URL": url, "LILY_STORAGE__CHROMA": f"{chroma.url}/{name}"}


@asynccontextmanager
async def process(
    discord: StandIn, folder: Path, *arguments: str, **more: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run ``lily run`` with these arguments until the end, then let it go in order."""
    surroundings = environment(discord) | {"LILY_DISCORD__MERGE_WINDOW_SECONDS": "0.05"} | more
    command = (sys.executable, "-m", "bot", "run", "--data", os.fspath(folder), *arguments)
    running = await asyncio.create_subprocess_exec(
        *command, env=surroundings, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield running
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
        _, told = await asyncio.wait_for(running.communicate(), 60.0)
        assert running.returncode in {0, -signal.SIGKILL}, told.decode()
        assert "Traceback" not in told.decode()
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()


def shard(number: int) -> dict[str, str]:
    return {"LILY_DISCORD__SHARD_COUNT": "2", "LILY_DISCORD__SHARD_IDS": f"[{number}]"}


def servers(discord: StandIn, people: list[Person]) -> tuple[Server, Server]:
    """Return a server on each of two shards."""
    found: dict[int, Server] = {}
    while len(found) < 2:
        server = discord.server("Harbour", people)
        found[(server.id >> 22) % 2] = server
    return found[0], found[1]


def hers(discord: StandIn, channels: list[Channel]) -> Counter[int]:
    """Return how often each message was answered."""
    return Counter(
        one.reference.message_id
        for channel in channels
        for one in channel.messages.values()
        if one.author is discord.bot.user and one.reference is not None
    )


async def test_each_message_is_answered_once_and_each_follow_up_sent_once(tmp_path, stores):
    zone = noon_somewhere()
    async with StandIn() as discord:
        people = [discord.person(f"p{number}") for number in range(4)]
        even, odd = servers(discord, people)
        channels = [even.general, odd.general, *(person.dm_channel() for person in people)]
        settings = stores | AT_NOON | {"LILY_PERSONA__ZONE": zone}
        async with (
            process(discord, tmp_path / "0", "--no-schedule", **settings, **shard(0)),
            process(discord, tmp_path / "1", "--no-schedule", **settings, **shard(1)),
        ):
            await discord.ready(2, STARTS_WITHIN)
            said: list[Message] = []
            for number, person in enumerate(people):
                said += [
                    person.say(even.general, f"我喜歡喝第{number}號茶", mention=discord.bot),
                    person.say(odd.general, f"我喜歡吃第{number}號餅", mention=discord.bot),
                    person.dm("我下週二有期末考"),
                ]
            for person in people:
                for one in said:
                    if one.author is person.user:
                        await answer_to(person, one)
            async with open_database(stores["LILY_STORAGE__DATABASE_URL"]) as database:
                await until(database, observed)
                assert await where_it_lies(database) == {str(DM), channel_of(even), channel_of(odd)}
                await all_due(database)
                async with process(discord, tmp_path / "2", "--only-schedule", **settings):
                    for person in people:
                        await asked(discord, person)
                    await until(database, sent)
        assert hers(discord, channels) == Counter(one.id for one in said)
        for person in people:
            by_itself = [
                one for one in person.reads(person.dm_channel())
                if one.author is discord.bot.user and one.reference is None and "考" in one.content
            ]  # fmt: skip
            assert len(by_itself) == 1


async def test_a_shard_that_starts_leaves_to_the_other_what_is_the_others(tmp_path, stores):
    async with StandIn() as discord:
        ann = discord.person("ann")
        even, odd = servers(discord, [ann])
        async with process(discord, tmp_path / "1", "--no-schedule", **stores, **shard(1)) as one:
            await discord.ready(1, STARTS_WITHIN)
            waiting = ann.say(odd.general, "在嗎", mention=discord.bot)
            await answer_to(ann, waiting)
            one.kill()
            await one.wait()
        async with open_database(stores["LILY_STORAGE__DATABASE_URL"]) as database:
            async with database.write() as connection:  # it died before it had answered
                await connection.execute(update(inbox).values(state="received", reply=None))
            async with process(discord, tmp_path / "0", **stores, **shard(0)):
                await discord.ready(1, STARTS_WITHIN)
                mine = ann.say(even.general, "妳好", mention=discord.bot)
                await answer_to(ann, mine)

                async def settled(_: Database) -> bool:
                    return (await states(database))[mine.id] == "replied"

                await until(database, settled)
                assert await states(database) == {waiting.id: "received", mine.id: "replied"}


def noon_somewhere() -> str:
    """Return a zone where it is about noon: follow-ups go out in waking hours."""
    ahead = 12 - SystemClock().now().hour
    return f"Etc/GMT{-ahead:+d}"


def channel_of(server: Server) -> str:
    return str(Place(str(server.id), str(server.general.id)))


async def until(database: Database, check: Callable[[Database], object]) -> None:
    async with asyncio.timeout(STARTS_WITHIN):
        while not await check(database):  # type: ignore[misc]  # noqa: ASYNC110 - other processes change it
            await asyncio.sleep(0.1)


async def observed(database: Database) -> bool:
    async with database.read() as connection:
        rows = (await connection.execute(select(inbox.c.observed))).all()
    return len(rows) == 12 and all(row.observed for row in rows)


async def sent(database: Database) -> bool:
    async with database.read() as connection:
        rows = (await connection.execute(select(follow_ups.c.state))).all()
    return [row.state for row in rows] == ["sent"] * 4


async def states(database: Database) -> dict[int, str]:
    async with database.read() as connection:
        rows = await connection.execute(select(inbox.c.id, inbox.c.state))
        return {int(row.id.rpartition(":")[2]): row.state for row in rows}


async def where_it_lies(database: Database) -> set[str]:
    async with database.read() as connection:
        rows = await connection.execute(select(events.c.snapshot))
        return {place for row in rows for place in row.snapshot["places"]}


async def all_due(database: Database) -> None:
    async with database.write() as connection:
        now = SystemClock().now()
        await connection.execute(update(follow_ups).values(due_at=now - timedelta(hours=1), next_at=None))
        await connection.execute(update(inbox).values(said_at=now - timedelta(hours=5)))


async def asked(discord: StandIn, person: Person) -> None:
    channel = person.dm_channel()
    await discord.until(
        lambda: [one for one in channel.messages.values() if one.reference is None and "考" in one.content
                 and one.author is discord.bot.user],
        STARTS_WITHIN, "her question",
    )  # fmt: skip
