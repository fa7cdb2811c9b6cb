"""Scripted models: what they answer is written in the test."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np

from llm.errors import ModelError
from llm.protocols import EmbedderIdentity, Turn, Vector
from memory.extraction.types import Extraction, ExtractionRequest, Fact, ZeroCause
from memory.relations.types import Relation, Statement, Verdict
from memory.text import lexical_terms


class TermEmbedder:
    """Texts that share characters and bigrams lie near each other; deterministic, no model."""

    def __init__(self, dimensions: int = 64, name: str = "terms") -> None:
        self._identity = EmbedderIdentity(name, dimensions)
        self.calls = 0

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    def vector(self, text: str) -> Vector:
        total = np.full(self._identity.dimensions, 1e-3, dtype=np.float32)
        for term in lexical_terms(text):
            seed = int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "big")
            total += np.random.default_rng(seed).normal(size=self._identity.dimensions).astype(np.float32)
        return (total / np.linalg.norm(total)).astype(np.float32)

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += len(texts)
        return [self.vector(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        self.calls += 1
        return self.vector(text)


class DistanceEmbedder(TermEmbedder):
    """Gives the listed texts exactly the listed cosine distances; all else is far from everything."""

    def __init__(self, distances: Mapping[tuple[str, str], float], name: str) -> None:
        super().__init__(name=name)
        texts = sorted({text for pair in distances for text in pair})
        gram = np.eye(len(texts))
        for (a, b), distance in distances.items():
            i, j = texts.index(a), texts.index(b)
            gram[i, j] = gram[j, i] = 1 - distance
        root = np.linalg.cholesky(gram + 1e-9 * np.eye(len(texts)))
        width = self.identity.dimensions
        self._known = {
            text: np.pad(root[i], (0, width - len(texts))).astype(np.float32) for i, text in enumerate(texts)
        }

    def vector(self, text: str) -> Vector:
        if text in self._known:
            return self._known[text]
        return super().vector(text)


class ScriptedExtractor:
    """Reads a message as the test says; a message it does not know holds nothing."""

    def __init__(self, facts: Mapping[str, Sequence[Fact] | Fact] | None = None) -> None:
        self.facts = dict(facts or {})
        self.error: ModelError | None = None
        self.calls: list[ExtractionRequest] = []

    @property
    def name(self) -> str:
        return "scripted"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.calls.append(request)
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        found = self.facts.get(request.text, ())
        facts = (found,) if isinstance(found, Fact) else tuple(found)
        return Extraction(
            facts=facts, cause=None if facts else ZeroCause.NOTHING_TO_KEEP, extractor=self.name
        )


class ScriptedJudge:
    """Gives the verdicts of a table by (known text, new text); DIFFERENT otherwise."""

    def __init__(self, verdicts: Mapping[tuple[str, str], Relation] | None = None) -> None:
        self.verdicts = dict(verdicts or {})
        self.error: ModelError | None = None
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    @property
    def name(self) -> str:
        return "scripted"

    async def judge(self, new: Statement, candidates: Sequence[Statement]) -> tuple[Verdict, ...]:
        self.asked.append((new.text, tuple(candidate.text for candidate in candidates)))
        if self.error is not None:
            raise self.error
        return tuple(
            Verdict(self.verdicts.get((candidate.text, new.text), Relation.DIFFERENT), "scripted")
            for candidate in candidates
        )


class ScriptedChat:
    """Answers with the given lines in turn; raises where one is an error."""

    def __init__(self, *answers: str | ModelError) -> None:
        self.answers = list(answers)
        self.seen: list[tuple[str, tuple[Turn, ...]]] = []

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def sees(self) -> bool:
        return False

    async def reply(self, system: str, turns: Sequence[Turn]) -> str:
        self.seen.append((system, tuple(turns)))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ModelError):
            raise answer
        return answer
