"""``lily migrate``: take over an older Chroma store, its texts and vectors as they are."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from argparse import Namespace

from sqlalchemy import func, select

from bot.cli.env import Env
from bot.errors import UsageError
from bot.house import open_memory_alone
from llm.protocols import EmbedderIdentity
from memory.legacy import LegacyRow, from_legacy, length_of, read_legacy, take_over
from memory.service import MemoryService, claim_embedder, embedder_of, name_embedder
from memory.store import gate
from memory.store.errors import IndexUnavailable
from memory.store.schema import memories

LEGACY = "legacy"


async def run(arguments: Namespace, env: Env) -> int:
    """Add every row that is not there yet; safe to run twice. Only what has no sound vector is embedded."""
    settings = env.settings
    folder = env.cwd / arguments.source.expanduser()
    rows = await asyncio.to_thread(read_legacy, folder)
    async with open_memory_alone(settings, env.clock, command="migrate", check_embedder=False) as memory:
        await _claim(memory, rows, settings.persona.character)
        mine = await embedder_of(memory.database) == str(memory.embedder.identity)
        done = await take_over(
            memory.database,
            rows,
            settings.persona.character,
            memory.policy,
            env.clock.now(),
            memory.embedder if mine else None,
        )
        with contextlib.suppress(IndexUnavailable):
            await memory.outbox.drain()
        held = await embedder_of(memory.database)
    foreign = held is not None and held != str(memory.embedder.identity)
    command = _next_command(env, settings.models.embedder)
    if env.out.json:
        env.out.row(
            {
                "added": done.added,
                "known": done.known,
                "undated": done.undated,
                "damaged": done.damaged,
                "embedder": held,
                "next": command if foreign else None,
            }
        )
        return 0
    env.out.say(
        env.catalog.text("commands.migrate.done", added=done.added, known=done.known, undated=done.undated)
    )
    if done.damaged:
        key = "made_anew" if done.embedded else "damaged"
        env.out.say(env.catalog.text(f"commands.migrate.{key}", count=done.damaged))
    if foreign:
        env.out.say(env.catalog.text("commands.migrate.next", held=held, command=command))
    return 0


async def _claim(memory: MemoryService, rows: tuple[LegacyRow, ...], persona_id: str) -> None:
    """Settle whose vectors the store holds, before any is taken over.

    Vectors as long as the embedder's are taken for its own. Others give a store that has no memories
    yet an identity of its own; a store that has some keeps to its space and takes in no new row.
    """
    if not rows:
        return
    identity = memory.embedder.identity
    length = length_of(rows) or 0
    foreign = str(EmbedderIdentity(LEGACY, length))
    held = await embedder_of(memory.database)
    if length == identity.dimensions and held in (None, str(identity)):
        await claim_embedder(memory.database, str(identity))
        return
    if held == foreign:
        return
    async with memory.database.read() as connection:
        ids = [from_legacy(row, persona_id, memory.policy).id for row in rows]
        known = await gate.some(connection, ids)
        count = (await connection.execute(select(func.count()).select_from(memories))).scalar_one()
    if len(known) == len(set(ids)):
        return
    if count:
        raise UsageError.of("commands.migrate_mixed", held=held, length=length)
    await name_embedder(memory.database, foreign)


def _next_command(env: Env, name: str) -> str:
    parts = ["lily"]
    if env.config is not None:
        parts += ["--config", str(env.config)]
    if env.data is not None:
        parts += ["--data", str(env.data)]
    return shlex.join([*parts, "reindex", "--embedder", str(name)])
