"""The composition root: from settings to a house that talks. Nothing else builds these objects."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from bot.cast import Cast
from bot.conversations import Conversations
from bot.discord.shards import shards_of
from bot.errors import UsageError
from bot.lock import check_folder, lock_folder
from bot.logs import open_log
from bot.models import open_models, rules_only
from bot.settings.policy import characters_folder, memory_policy
from bot.settings.sections import EmbedderName, Settings
from llm.usage import UsageSink
from llm.watch import Watch
from memory.clock import Clock
from memory.recall import Recall
from memory.service import MemoryService, StoreLocation, claim_embedder, embedder_of, open_memory
from memory.steps import OnStep, ignore_step
from memory.store.errors import IndexUnavailable
from memory.warming import warm
from persona.character import Character
from persona.companion import Companion
from persona.library import load_character


@dataclass(frozen=True, slots=True)
class House:
    """Everything, open: what every client (terminal, replay, Discord) is given."""

    settings: Settings
    memory: MemoryService
    cast: Cast
    conversations: Conversations
    clock: Clock
    watch: Watch

    @property
    def character(self) -> Character:
        """The house's own character: who speaks where nobody has chosen another."""
        return self.cast.default.character

    @property
    def companion(self) -> Companion:
        """The same one, as she answers."""
        return self.cast.default.companion


@asynccontextmanager
async def open_house(
    settings: Settings,
    clock: Clock,
    *,
    command: str,
    usage: UsageSink | None = None,
    on_step: OnStep = ignore_step,
    index_apart: bool = False,
) -> AsyncIterator[House]:
    """Open the house and hold the data folder until it is closed; what is pending is mirrored on the way out.

    ``index_apart``: many people talk at once. An embedded index gets a process of its own, and a thread
    builds the tables that the first messages would wait for.
    Raises :class:`bot.errors.UserError`, ``StoreError``, ``CharacterError`` or ``ModelError``, each
    with one line that says what to do.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(lock_folder(settings.storage.data_dir, command))
        stack.enter_context(open_log(settings.storage.data_dir, settings.ops.log_level))
        if index_apart:
            stack.callback(asyncio.create_task(asyncio.to_thread(warm), name="warming").cancel)
        models = await stack.enter_async_context(open_models(settings, usage))
        policy = memory_policy(settings)
        memory = await stack.enter_async_context(
            open_memory(
                replace(locate(settings, alone=True), index_apart=index_apart),
                models.memory,
                clock,
                policy,
                on_step=on_step,
            )
        )
        await stack.enter_async_context(memory.outbox.running(memory.reindexer.reindex))
        folder = characters_folder(settings)
        own = load_character(settings.persona.character, folder)
        cast = Cast(own, folder, memory, models.chat)
        await cast.prepare()
        yield House(
            settings=settings,
            memory=memory,
            cast=cast,
            conversations=Conversations(
                memory,
                cast.companion,
                models.memory.embedder,
                clock,
                recent_turns=settings.persona.recent_turns,
                heard_here=shards_of(settings.discord).hold,
                at_once=2 * settings.models.at_once,  # one half is with the model, the other on its way
                on_step=on_step,
            ),
            clock=clock,
            watch=models.watch,
        )


@asynccontextmanager
async def open_store(settings: Settings, clock: Clock) -> AsyncIterator[MemoryService]:
    """Open the memory alone, beside whoever holds the folder: for commands that go through SQL.

    No model is asked and the index is not written: what changes waits in the outbox.
    """
    check_folder(settings.storage.data_dir)
    settings.storage.data_dir.mkdir(parents=True, exist_ok=True)
    async with open_memory(
        locate(settings, alone=False), rules_only(), clock, memory_policy(settings), check_embedder=False
    ) as memory:
        yield memory


@asynccontextmanager
async def open_memory_alone(
    settings: Settings,
    clock: Clock,
    *,
    command: str,
    embedder: EmbedderName | None = None,
    check_embedder: bool = True,
) -> AsyncIterator[MemoryService]:
    """Open the memory with its models and hold the folder: import, migrate, reindex, recall."""
    async with AsyncExitStack() as stack:
        stack.enter_context(lock_folder(settings.storage.data_dir, command))
        models = await stack.enter_async_context(open_models(settings, embedder=embedder))
        yield await stack.enter_async_context(
            open_memory(
                locate(settings, alone=True),
                models.memory,
                clock,
                memory_policy(settings),
                check_embedder=check_embedder,
            )
        )


async def settle_index(settings: Settings, clock: Clock, *, command: str) -> None:
    """Mirror what a command changed, where nobody holds the folder: else the holder does it."""
    with contextlib.suppress(UsageError, IndexUnavailable):
        async with open_memory_alone(settings, clock, command=command, check_embedder=False) as memory:
            await memory.outbox.drain()


@dataclass(frozen=True, slots=True)
class Reader:
    """What it takes to ask the memory something beside a running bot."""

    memory: MemoryService
    recall: Recall


@asynccontextmanager
async def open_reader(settings: Settings, clock: Clock) -> AsyncIterator[Reader]:
    """Open the memory to read it with the settings' embedder, beside whoever holds the folder.

    The index is left alone: one process at a time may open an embedded one. The recall looks at
    every row in SQL instead, which finds the same and more. An empty store stays unclaimed.
    """
    check_folder(settings.storage.data_dir)
    settings.storage.data_dir.mkdir(parents=True, exist_ok=True)
    policy = memory_policy(settings)
    async with (
        open_models(settings) as models,
        open_memory(
            locate(settings, alone=False), models.memory, clock, policy, check_embedder=False
        ) as memory,
    ):
        identity = memory.embedder.identity
        if await embedder_of(memory.database) is not None:
            await claim_embedder(memory.database, str(identity))
        yield Reader(memory, Recall(memory.database, None, identity.name, clock, policy))


def locate(settings: Settings, *, alone: bool) -> StoreLocation:
    """Return where the settings keep facts and vectors."""
    storage = settings.storage
    return StoreLocation(
        data_dir=storage.data_dir,
        database_url=storage.database_url.get_secret_value() if storage.database_url else None,
        chroma_url=None if storage.chroma == "embedded" else storage.chroma,
        shards=storage.collections,
        alone=alone,
    )
