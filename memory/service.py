"""The memory as one thing: opened over a store and its models, used by the bot or from a notebook."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from llm.protocols import Embedder
from memory.clock import Clock
from memory.comparing import Comparer
from memory.erasure import Eraser
from memory.extraction.types import Extractor
from memory.inbox import Inbox
from memory.lifecycle import Lifecycle
from memory.lorebook import Lorebook
from memory.observe import Observer
from memory.people import People
from memory.policy import MemoryPolicy
from memory.recall import Recall
from memory.reindex import Reindexer
from memory.relations.types import RelationJudge
from memory.server_lore import ServerLore
from memory.steps import OnStep, ignore_step
from memory.store.database import Database, open_database
from memory.store.dialects import insert_if_absent, put
from memory.store.errors import EmbedderMismatch
from memory.store.index import VectorIndex, open_index
from memory.store.lease import Leases
from memory.store.outbox import Outbox
from memory.store.revisions import Revisions
from memory.store.schema import meta
from memory.transfer import Importer

EMBEDDER_KEY = "embedder"


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """Where a store lives.

    ``database_url`` None: a SQLite file in ``data_dir``; ``chroma_url`` None: Chroma in process, in
    ``data_dir``. ``alone``: this process holds the folder's lock.
    """

    data_dir: Path
    database_url: str | None = None
    chroma_url: str | None = None
    shards: int = 64
    alone: bool = True
    index_apart: bool = False

    @property
    def sql_url(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.data_dir / 'lily.db'}"

    @property
    def chroma_dir(self) -> Path | None:
        """The folder of the embedded index."""
        return None if self.chroma_url else self.data_dir / "chroma"


@dataclass(frozen=True, slots=True)
class Models:
    """What the memory asks of models. The fallbacks are the rules: they decide where a model is away."""

    embedder: Embedder
    extractor: Extractor
    judge: RelationJudge
    fallback_extractor: Extractor
    fallback_judge: RelationJudge


@dataclass(frozen=True, slots=True)
class MemoryService:
    """Everything the memory can do, over one open store."""

    database: Database
    index: VectorIndex
    inbox: Inbox
    people: People
    outbox: Outbox
    leases: Leases
    recall: Recall
    observer: Observer
    lifecycle: Lifecycle
    lorebook: Lorebook
    server_lore: ServerLore
    importer: Importer
    eraser: Eraser
    reindexer: Reindexer
    clock: Clock
    policy: MemoryPolicy
    embedder: Embedder


@asynccontextmanager
async def open_memory(
    location: StoreLocation,
    models: Models,
    clock: Clock,
    policy: MemoryPolicy,
    *,
    check_embedder: bool = True,
    on_step: OnStep = ignore_step,
) -> AsyncIterator[MemoryService]:
    """Open a store, bring its schema up to date, check whose vectors it holds, mirror what is pending.

    Raises ``StoreError`` kinds. ``check_embedder`` False is for the commands that never embed.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(location.sql_url))
        if check_embedder:
            await claim_embedder(database, str(models.embedder.identity))
        index = await stack.enter_async_context(
            open_index(location.chroma_dir, location.chroma_url, location.shards, apart=location.index_apart)
        )
        outbox = Outbox(database, index, on_step)
        leases = Leases(database, clock, shared=not (location.alone and database.is_sqlite))
        inbox, people = Inbox(database, clock), People(database)
        thresholds = policy.thresholds_for(models.embedder.identity.name)
        observer = Observer(
            database=database,
            inbox=inbox,
            people=people,
            leases=leases,
            outbox=outbox,
            embedder=models.embedder,
            extractor=models.extractor,
            fallback_extractor=models.fallback_extractor,
            comparer=Comparer(models.judge, policy, thresholds),
            fallback_comparer=Comparer(models.fallback_judge, policy, thresholds),
            clock=clock,
            policy=policy,
            on_step=on_step,
        )
        lorebook, kept = Lorebook(database, index, models.embedder, clock), Revisions()
        yield MemoryService(
            database=database,
            index=index,
            inbox=inbox,
            people=people,
            outbox=outbox,
            leases=leases,
            recall=Recall(database, index, models.embedder.identity.name, clock, policy, kept),
            observer=observer,
            lifecycle=Lifecycle(database, clock, policy),
            lorebook=lorebook,
            server_lore=ServerLore(database, lorebook, models.embedder, clock),
            importer=Importer(database, models.embedder, clock, policy=policy),
            eraser=Eraser(
                database,
                index,
                outbox,
                clock,
                location.shards,
                location.data_dir,
                models.embedder,
                kept,
            ),
            reindexer=Reindexer(database, index, outbox, lorebook, kept),
            clock=clock,
            policy=policy,
            embedder=models.embedder,
        )


async def embedder_of(database: Database) -> str | None:
    """Return the identity of the embedder whose vectors a store holds, or None for an empty one."""
    async with database.read() as connection:
        row = await connection.execute(select(meta.c.value).where(meta.c.key == EMBEDDER_KEY))
        return row.scalar()


async def name_embedder(database: Database, identity: str) -> None:
    """Say whose vectors a store without memories is about to hold, whatever it was named for before."""
    async with database.write() as connection:
        await put(connection, meta, key=EMBEDDER_KEY, value=identity)


async def claim_embedder(database: Database, identity: str) -> None:
    """Let the first embedder name the store's vector space; refuse another one."""
    known = await embedder_of(database)
    if known is None:
        async with database.write() as connection:
            await insert_if_absent(connection, meta, key=EMBEDDER_KEY, value=identity)
        known = await embedder_of(database)
    if known != identity:
        raise EmbedderMismatch(
            f"the vectors of this store come from {known}, the settings name {identity}; "
            "embed everything anew with 'lily reindex --embedder', or set models.embedder back",
            held=str(known),
            wanted=identity,
        )
