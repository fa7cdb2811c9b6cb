"""Memory systems people would take instead, offline and with their own defaults; their vectors are given."""

from __future__ import annotations

import logging
import os
import uuid
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contestants.worker import COUNT
from benchmarks.lab import DIMENSIONS, text_of

_BATCH = 500


class Given:
    """An embedder that is told the vector before it is asked."""

    def __init__(self) -> None:
        self.next: list[float] = []

    def embed(self, *_: Any, **__: Any) -> list[float]:
        """Return it, as one text's vector."""
        return self.next

    embed_query = embed

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return it for each text."""
        return [self.next for _ in texts]


class Mem0:
    """mem0 with its default store (Qdrant in a local folder): memories as ``add(infer=False)`` keeps them.

    They are put into its store in batches, for its own ``add`` writes one at a time; it is asked by
    its own ``search``, whose order counts.
    """

    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Fill its store."""
        os.environ.update(
            {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "home"), "OPENAI_API_KEY": "none"}
        )
        logging.disable(logging.CRITICAL)
        from mem0 import Memory

        place = {
            "collection_name": "m",
            "embedding_model_dims": DIMENSIONS,
            "path": str(folder / "qdrant"),
            "on_disk": True,
        }
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": place},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._given = Given()
        self._memory.embedding_model = self._given
        store = self._memory.vector_store
        store._get_bm25_encoder = lambda: None  # needs a model from the network
        held = store.client.count("m").count
        for start in range(held, len(vectors), _BATCH):
            rows = range(start, min(start + _BATCH, len(vectors)))
            store.insert(
                vectors=[vectors[row].tolist() for row in rows],
                ids=[str(uuid.UUID(int=row)) for row in rows],
                payloads=[
                    {"data": text_of(row % each), "hash": str(row), "user_id": f"u{row // each}", "row": row}
                    for row in rows
                ],
            )

    def find(self, person: int, query: Any) -> list[int]:
        """Search as its users do."""
        self._given.next = query.tolist()
        found = self._memory.search(
            text_of(person), filters={"user_id": f"u{person}"}, top_k=COUNT, threshold=0.0
        )
        return [one["metadata"]["row"] for one in found["results"]]


class _Graph:
    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Put every memory under its person's namespace."""
        from langgraph.store.base import PutOp

        self._given, self._each = _Told(), each
        self._store = self._open(folder, {"dims": DIMENSIONS, "embed": self._given, "fields": ["text"]})
        for start in range(self._held(), len(vectors), _BATCH):
            rows = range(start, min(start + _BATCH, len(vectors)))
            # the text names the row, whose vector the embedder looks up
            self._given.rows = {row: vectors[row].tolist() for row in rows}
            texts = [f"{text_of(row % each)}#{row}#" for row in rows]
            self._store.batch(
                [
                    PutOp(("memories", f"u{row // each}"), str(row), {"text": text})
                    for row, text in zip(rows, texts, strict=True)
                ]
            )

    def find(self, person: int, query: Any) -> list[int]:
        """Search the person's namespace."""
        self._given.rows = {-1: query.tolist()}
        found = self._store.search(("memories", f"u{person}"), query="#-1#", limit=COUNT)
        return [int(item.key) for item in found]

    def _open(self, folder: Path, index: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _held(self) -> int:
        return 0


def _told_class() -> Any:
    from langchain_core.embeddings import Embeddings

    class Told(Embeddings):
        """Looks up the vectors it was told."""

        def __init__(self) -> None:
            self.rows: dict[int, list[float]] = {}

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.rows[int(text.split("#")[1])] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    return Told


def _Told() -> Any:  # noqa: N802 - stands for a class that needs the library
    return _told_class()()


class LangGraphMemory(_Graph):
    """LangGraph's store in memory."""

    def _open(self, folder: Path, index: dict[str, Any]) -> Any:
        del folder
        from langgraph.store.memory import InMemoryStore

        return InMemoryStore(index=index)


class LangGraphSqlite(_Graph):
    """LangGraph's store in a SQLite file."""

    def _open(self, folder: Path, index: dict[str, Any]) -> Any:
        from langgraph.store.sqlite import SqliteStore

        self._context = SqliteStore.from_conn_string(str(folder / "store.db"), index=index)
        store = self._context.__enter__()
        store.setup()
        return store

    def _held(self) -> int:
        return int(self._store.conn.execute("SELECT count(*) FROM store").fetchone()[0])


def exact(vectors: Any, person: int, each: int, query: Any) -> list[int]:
    """Return the true nearest of a person: what every contestant's answer is held against."""
    start = person * each
    scores = np.asarray(vectors[start : start + each]) @ query
    return [start + int(row) for row in np.argsort(-scores)]
