"""The Chroma index: it proposes ids, SQL decides.

Vectors are handed in by us (no embedding function), the space is cosine. A person's vectors lie in
one of a fixed number of collections, so that a filtered query costs what the collection costs, not
what the whole store costs. Embedded writes hold the interpreter, so there is one writer thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import urlsplit
from urllib.request import urlopen

import numpy as np

from llm.protocols import Vector
from memory.identifiers import shard_of
from memory.model import Memory, Visibility
from memory.places import Place
from memory.store.errors import IndexUnavailable, StoreError
from memory.store.hnsw import blank_unused

if TYPE_CHECKING:
    from collections.abc import Callable

    from chromadb.api import ClientAPI
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

USER_MEMORY = "user_memory"
CHARACTER_LORE = "character_lore"
EVERYWHERE = "everywhere"
_TRIES = 2
_PROBE_SECONDS = 5.0
_Result = TypeVar("_Result")


def audiences(memory: Memory) -> list[str]:
    """Return the tags a place is matched with: where the words of this memory may be used."""
    tags = {_audience(Place.parse(place)) for place in memory.places}
    if memory.visibility is Visibility.EVERYWHERE:
        tags.add(EVERYWHERE)
    return sorted(tags)


def live_filter(user_id: str, persona_id: str, place: Place) -> dict[str, Any]:
    """Return the ``where`` of every query: this person, this character, not archived, allowed here."""
    conditions: list[dict[str, Any]] = [
        {"user_id": user_id},
        {"persona_id": persona_id},
        {"archived": False},
    ]
    if not place.is_dm:
        tags = {f"guild:{place.guild}", _audience(place), EVERYWHERE}
        conditions.append({"$or": [{"audiences": {"$contains": tag}} for tag in sorted(tags)]})
    return {"$and": conditions}


class VectorIndex:
    """``shards`` collections of memories and one of lore, in process or on a server."""

    def __init__(self, folder: Path | None, url: str | None, shards: int) -> None:
        self._folder = None if url else folder
        self._url = url
        self._shards = shards
        self._client: Client | None = None
        self._connecting = threading.Lock()
        self._collections: dict[str, Collection] = {}
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="chroma-writer")
        self._readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="chroma-reader")

    async def nearest(
        self, user_id: str, persona_id: str, place: Place, query: Vector, count: int
    ) -> tuple[str, ...]:
        """Return the ids nearest to a query among what may be used here, nearest first."""

        def ask() -> tuple[str, ...]:
            collection = self._collection(self.collection_of(user_id))
            found = collection.query(
                query_embeddings=np.asarray([query], dtype=np.float32),
                n_results=count,
                where=live_filter(user_id, persona_id, place),
                include=[],
            )
            return tuple(found["ids"][0])

        return await self._run(self._readers, ask)

    async def mirror(self, items: Sequence[tuple[Memory, Vector]]) -> None:
        """Make the index hold these memories as they are now; idempotent by id."""
        by_name: dict[str, list[tuple[Memory, Vector]]] = {}
        for memory, vector in items:
            by_name.setdefault(self.collection_of(memory.user_id), []).append((memory, vector))

        def write(name: str, part: list[tuple[Memory, Vector]]) -> None:
            self._collection(name).upsert(
                ids=[memory.id for memory, _ in part],
                embeddings=np.asarray([vector for _, vector in part], dtype=np.float32),
                metadatas=[_metadata(memory) for memory, _ in part],
            )

        for name, part in by_name.items():
            await self._run(self._writer, write, name, part)

    async def forget_person(self, user_id: str, keep: Sequence[tuple[Memory, Vector]]) -> None:
        """Drop the collection a person's vectors lie in, and refill it with everybody else's."""

        def drop() -> None:
            client = self._open()
            name = self.collection_of(user_id)
            self._collections.pop(name, None)
            if name in {collection.name for collection in client.list_collections()}:
                client.delete_collection(name)

        await self._run(self._writer, drop)
        await self.mirror(keep)

    async def clear(self) -> None:
        """Drop every collection of ours: the index is about to be filled anew."""

        def drop() -> None:
            client = self._open()
            self._collections.clear()
            for collection in client.list_collections():
                if collection.name.startswith(USER_MEMORY) or collection.name == CHARACTER_LORE:
                    client.delete_collection(collection.name)

        await self._run(self._writer, drop)

    async def contents(self) -> dict[str, dict[str, Any]]:
        """Return every memory's metadata by id: for checking that SQL and the index agree."""

        def read() -> dict[str, dict[str, Any]]:
            found: dict[str, dict[str, Any]] = {}
            for collection in self._open().list_collections():
                if collection.name.startswith(USER_MEMORY):
                    got = self._collection(collection.name).get(include=["metadatas"])
                    found.update(zip(got["ids"], map(dict, got["metadatas"] or []), strict=True))
            return found

        return await self._run(self._writer, read)

    async def put_lore(self, persona_id: str, items: Sequence[tuple[str, Vector]]) -> None:
        """Make the lore collection hold exactly these documents of a character."""

        def write() -> None:
            collection = self._collection(CHARACTER_LORE)
            known = set(collection.get(where={"persona_id": persona_id}, include=[])["ids"])
            stale = known - {lore_id for lore_id, _ in items}
            if stale:
                collection.delete(ids=sorted(stale))
            if items:
                collection.upsert(
                    ids=[lore_id for lore_id, _ in items],
                    embeddings=np.asarray([vector for _, vector in items], dtype=np.float32),
                    metadatas=[{"persona_id": persona_id} for _ in items],
                )

        await self._run(self._writer, write)

    async def nearest_lore(self, persona_id: str, query: Vector, count: int) -> tuple[str, ...]:
        """Return the ids of a character's lore nearest to a query."""

        def ask() -> tuple[str, ...]:
            found = self._collection(CHARACTER_LORE).query(
                query_embeddings=np.asarray([query], dtype=np.float32),
                n_results=count,
                where={"persona_id": persona_id},
                include=[],
            )
            return tuple(found["ids"][0])

        return await self._run(self._readers, ask)

    async def compact(self) -> None:
        """Rewrite the embedded index so that nothing dropped is left; a server keeps its own house.

        Chroma leaves the files of a dropped collection's vectors behind; they are removed here.
        """

        def rewrite() -> None:
            self._reset()
            file = self._folder / "chroma.sqlite3" if self._folder else None
            if file is None or not file.exists():
                return
            with closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as connection:
                connection.execute("PRAGMA secure_delete=ON")
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                segments = {row[0] for row in connection.execute("SELECT id FROM segments")}
            for folder in (path for path in file.parent.iterdir() if path.is_dir()):
                if folder.name in segments:
                    blank_unused(folder)
                else:
                    shutil.rmtree(folder)

        await self._run(self._writer, rewrite)

    def close(self) -> None:
        """Let running work end and stop the threads."""
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self._reset()

    def _reset(self) -> None:
        """Let go of the connection; the next call makes a new one."""
        client, self._client = self._client, None
        self._collections.clear()
        if client is None:
            return
        _hang_up(client)

    def collection_of(self, user_id: str) -> str:
        """Return the name of the collection a person's vectors lie in."""
        return f"{USER_MEMORY}_{shard_of(user_id, self._shards):03d}"

    def _open(self) -> Client:
        with self._connecting:
            if self._client is None:
                self._client = _connect(self._folder, self._url)
            return self._client

    def _collection(self, name: str) -> Collection:
        collection = self._collections.get(name)
        if collection is None:
            collection = self._open().get_or_create_collection(
                name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            space = (collection.configuration_json.get("hnsw") or {}).get("space")
            if space != "cosine":
                raise StoreError(f"collection {name} measures {space!r}, not cosine; run 'lily reindex'")
            self._collections[name] = collection
        return collection

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[..., _Result], *arguments: Any) -> _Result:
        loop = asyncio.get_running_loop()
        for attempt in range(_TRIES):
            try:
                return await loop.run_in_executor(pool, work, *arguments)
            except StoreError:
                raise
            except Exception as error:
                # all work is idempotent: once more over a fresh connection, then the index is away
                await loop.run_in_executor(self._writer, self._reset)
                if attempt == _TRIES - 1:
                    raise IndexUnavailable(f"Chroma: {type(error).__name__}") from error
        raise AssertionError("unreachable")


@asynccontextmanager
async def open_index(folder: Path | None, url: str | None, shards: int) -> AsyncIterator[VectorIndex]:
    """Open the index lazily: in process under ``folder``, or on the Chroma server at ``url``."""
    index = VectorIndex(folder, url, shards)
    try:
        yield index
    finally:
        index.close()


def _connect(folder: Path | None, url: str | None) -> Client:
    client: ClientAPI
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if url:
        parts = urlsplit(url)
        _probe(f"{parts.scheme}://{parts.netloc}")
        where: dict[str, Any] = {
            "host": parts.hostname or "localhost",
            "port": parts.port or (443 if parts.scheme == "https" else 8000),
            "ssl": parts.scheme == "https",
            "settings": settings,
        }
        name = parts.path.strip("/")
        if name:
            _make_database(where, name)
            where["database"] = name
        client = chromadb.HttpClient(**where)
    else:
        client = chromadb.PersistentClient(path=str(folder), settings=settings)
    return cast("Client", client)


def _make_database(where: dict[str, Any], name: str) -> None:
    """Make the database a URL names, unless it is there."""
    import chromadb
    from chromadb.errors import ChromaError, NotFoundError

    client = cast("Client", chromadb.HttpClient(**where))
    admin = client._admin_client
    try:
        admin.get_database(name)
    except NotFoundError:
        try:
            admin.create_database(name)
        except ChromaError:
            admin.get_database(name)  # somebody else was faster
    finally:
        _hang_up(client)


def _hang_up(client: Client) -> None:
    """Close a client with all it has open, broken or not."""
    # over HTTP the client and its admin have a session each, which the library leaves open
    servers = [getattr(part, "_server", None) for part in (client, client._admin_client)]
    sessions = [getattr(server, "_session", None) for server in servers]
    for closable in (*sessions, client):
        if closable is not None:
            with contextlib.suppress(Exception):  # it may be broken already
                closable.close()


def _probe(url: str) -> None:
    """Ask a server whether it is there: the library leaves a socket open where it is not."""
    with urlopen(f"{url.rstrip('/')}/api/v2/heartbeat", timeout=_PROBE_SECONDS) as answer:  # noqa: S310
        answer.read()


def _audience(place: Place) -> str:
    if place.is_dm or place.private:
        return str(place)
    return f"guild:{place.guild}"


def _metadata(memory: Memory) -> dict[str, Any]:
    def seconds(moment: Any) -> float | None:
        return moment.timestamp() if moment is not None else None

    return {
        "user_id": memory.user_id,
        "persona_id": memory.persona_id,
        "archived": memory.archived,
        "audiences": audiences(memory),
        "category": str(memory.category),
        "kind": str(memory.kind),
        "rev": memory.rev,
        # None removes a key that an earlier revision had: an upsert merges
        "created_at": seconds(memory.created_at),
        "valid_from": seconds(memory.valid_from),
        "valid_to": seconds(memory.valid_to),
        "expires_at": seconds(memory.expires_at),
        "supersedes_id": memory.supersedes_id,
    }
