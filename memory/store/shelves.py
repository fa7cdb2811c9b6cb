"""The collections of Chroma, worked on synchronously: in a thread, or in a process of their own.

Vectors are handed in by us (no embedding function), the space is cosine. Every call can be repeated.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from llm.protocols import Vector
from memory.store.chroma import connect, hang_up
from memory.store.errors import StoreError
from memory.store.hnsw import blank_unused

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

USER_MEMORY = "user_memory"
CHARACTER_LORE = "character_lore"

# After so many changes Chroma writes a collection's graph to its file. Until then they wait in one log
# for all collections, which the first touch of each of them reads from end to end: with the default of
# 1000 and 64 collections of 400 vectors that took 139 ms, with 100 it takes 12 (benchmarks/README.md).
GRAPH_WRITTEN_AFTER = 100

Rows = tuple[list[str], np.ndarray[Any, np.dtype[np.float32]], list[dict[str, Any]]]
"""Ids, their vectors as the rows of a matrix, their metadata."""


class Shelves:
    """One Chroma: in process under ``folder``, or the server at ``url``. Raises what Chroma raises."""

    def __init__(self, folder: Path | None, url: str | None) -> None:
        self._folder = None if url else folder
        self._url = url
        self._client: Client | None = None
        self._connecting = threading.Lock()
        self._collections: dict[str, Collection] = {}

    def nearest(self, name: str, ids: Sequence[str], query: Vector, count: int) -> tuple[str, ...]:
        """Return which of these ids lie nearest to a query, nearest first.

        Nothing where the collection has lost one of them: Chroma then answers for none.
        """
        from chromadb.errors import InternalError

        collection = self._collection(name)
        try:
            found = collection.query(
                query_embeddings=_one(query), ids=list(ids), n_results=min(count, len(ids)), include=[]
            )
        except InternalError as error:
            if "finding id" in str(error):
                return ()
            raise
        return tuple(found["ids"][0])

    def upsert(self, name: str, rows: Rows) -> None:
        """Make a collection hold these rows; what else it holds stays."""
        ids, vectors, metadatas = rows
        # the library's types want lists of exactly its own unions
        self._collection(name).upsert(ids=ids, embeddings=vectors, metadatas=metadatas)  # type: ignore[arg-type]

    def drop(self, name: str) -> None:
        """Remove a collection, where it is there."""
        client = self.open()
        self._collections.pop(name, None)
        if name in {collection.name for collection in client.list_collections()}:
            client.delete_collection(name)

    def clear(self) -> None:
        """Remove every collection of ours; an embedded index too damaged for that is removed whole.

        All that is in it is in SQL as well.
        """
        try:
            self._clear()
        except Exception:
            if self._folder is None:
                raise
            self.reset()
            for inside in self._folder.iterdir() if self._folder.is_dir() else ():
                if inside.is_dir():
                    shutil.rmtree(inside)
                else:
                    inside.unlink()
            self.open()

    def _clear(self) -> None:
        client = self.open()
        self._collections.clear()
        for collection in client.list_collections():
            if collection.name.startswith(USER_MEMORY) or collection.name == CHARACTER_LORE:
                client.delete_collection(collection.name)

    def contents(self) -> dict[str, dict[str, Any]]:
        """Return every memory's metadata by id."""
        found: dict[str, dict[str, Any]] = {}
        for collection in self.open().list_collections():
            if collection.name.startswith(USER_MEMORY):
                got = self._collection(collection.name).get(include=["metadatas"])
                found.update(zip(got["ids"], map(dict, got["metadatas"] or []), strict=True))
        return found

    def held(self) -> int:
        """Return how many memories there are in all."""
        return sum(
            self._collection(collection.name).count()
            for collection in self.open().list_collections()
            if collection.name.startswith(USER_MEMORY)
        )

    def put_lore(self, owner: str, rows: Rows) -> None:
        """Make the lore collection hold exactly these documents of one owner."""
        collection = self._collection(CHARACTER_LORE)
        known = set(collection.get(where={"persona_id": owner}, include=[])["ids"])
        stale = known - set(rows[0])
        if stale:
            collection.delete(ids=sorted(stale))
        if rows[0]:
            self.upsert(CHARACTER_LORE, rows)

    def nearest_lore(self, owner: str, query: Vector, count: int) -> tuple[str, ...]:
        """Return the ids of an owner's lore nearest to a query."""
        found = self._collection(CHARACTER_LORE).query(
            query_embeddings=_one(query), n_results=count, where={"persona_id": owner}, include=[]
        )
        return tuple(found["ids"][0])

    def compact(self) -> None:
        """Rewrite the embedded index so that nothing dropped is left; a server keeps its own house.

        Chroma leaves the files of a dropped collection's vectors behind; they are removed here.
        """
        self.reset()
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

    def reset(self) -> None:
        """Let go of the connection; the next call makes a new one."""
        client, self._client = self._client, None
        self._collections.clear()
        if client is not None:
            hang_up(client)

    def open(self) -> Client:
        """Connect, unless that is done."""
        with self._connecting:
            if self._client is None:
                self._client = connect(self._folder, self._url)
            return self._client

    def _collection(self, name: str) -> Collection:
        collection = self._collections.get(name)
        if collection is None:
            written = dict.fromkeys(("batch_size", "sync_threshold"), GRAPH_WRITTEN_AFTER)
            configuration: Any = {"hnsw": {"space": "cosine", **written}}
            collection = self.open().get_or_create_collection(
                name, embedding_function=None, configuration=configuration
            )
            space = (collection.configuration_json.get("hnsw") or {}).get("space")
            if space != "cosine":
                raise StoreError(f"collection {name} measures {space!r}, not cosine; run 'lily reindex'")
            self._collections[name] = collection
        return collection


def _one(query: Vector) -> Any:
    return np.asarray([query], dtype=np.float32)
