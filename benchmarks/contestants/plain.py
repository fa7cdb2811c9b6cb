"""The floor and the usual way: an exact scan in NumPy, one Chroma collection with a filter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contestants.worker import COUNT


class Scan:
    """Every vector in memory; one person's are a slice."""

    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Load them."""
        del folder
        self._vectors, self._each = np.asarray(vectors), each

    def find(self, person: int, query: Any) -> list[int]:
        """Multiply and sort."""
        start = person * self._each
        scores = self._vectors[start : start + self._each] @ query
        return [start + int(row) for row in np.argsort(-scores)[:COUNT]]


class OneCollection:
    """Chroma as its guide shows it: one collection, a filter on the person, what is archived left out."""

    def build(self, folder: Path, vectors: Any, each: int) -> None:
        """Add a thousand at a time."""
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self._collection = client.get_or_create_collection(
            "memories", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        for start in range(self._collection.count(), len(vectors), 1000):
            rows = range(start, min(start + 1000, len(vectors)))
            self._collection.add(
                ids=[str(row) for row in rows],
                embeddings=np.asarray(vectors[rows.start : rows.stop]),
                metadatas=[{"user_id": f"u{row // each}", "archived": False} for row in rows],
            )

    def find(self, person: int, query: Any) -> list[int]:
        """Ask with the filter."""
        found = self._collection.query(
            query_embeddings=query[None], n_results=COUNT, include=["distances"],
            where={"$and": [{"user_id": f"u{person}"}, {"archived": False}]},
        )  # fmt: skip
        return [int(row) for row in found["ids"][0]]
