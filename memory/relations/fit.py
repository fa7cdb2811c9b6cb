"""Fits the classifier on the project's own pairs; ``python -m memory.relations.fit`` writes the weights."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from llm.offline import OfflineEmbedder
from llm.protocols import Embedder
from memory.lexical import embedding_text
from memory.relations.classifier import ORDER, Weights, by_likeness
from memory.relations.compare import Pair
from memory.relations.features import FEATURES, NEARNESS, features_of
from memory.relations.structure import by_structure
from memory.relations.types import Relation, Statement

STRENGTH = 0.005
"""How hard large weights are held back (L2, per row). Between 0.0005 and 0.02 the figures hardly move."""
OPEN_COUNTS = 10.0
"""How much more a pair counts that the rules leave open: those are what the classifier decides. Five folds
over the open ones: 1 gives 0.76 right, 3 to 50 give 0.79."""
_STEPS = 3000
_RATE = 0.5


@dataclass(frozen=True)
class LabelledPair:
    """One line of ``pairs.tsv``."""

    relation: Relation
    kind: str
    old: str
    new: str


def own_pairs() -> tuple[LabelledPair, ...]:
    """Read the pairs written for this project."""
    text = (resources.files("memory.relations") / "pairs.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(LabelledPair(Relation(row[0]), row[1], row[2], row[3]) for row in rows)


async def distances_of(pairs: Sequence[LabelledPair], embedder: Embedder) -> list[float]:
    """Return the cosine distance of each pair, embedded as stored memories are."""
    texts = [embedding_text(text) for pair in pairs for text in (pair.old, pair.new)]
    vectors = await embedder.embed_documents(texts)
    return [float(1.0 - vectors[i] @ vectors[i + 1]) for i in range(0, len(vectors), 2)]


def fit(pairs: Sequence[LabelledPair], distances: Sequence[float], source: str = "") -> Weights:
    """Fit both sets of weights: softmax regression by full gradient descent, the same every time."""
    plain = np.array([features_of(_pair(pair, None)) for pair in pairs])
    near = np.array([features_of(_pair(p, d)) for p, d in zip(pairs, distances, strict=True)])
    wanted = np.eye(len(ORDER))[[ORDER.index(pair.relation) for pair in pairs]]
    left_open = [by_structure(_pair(pair, None)) is None for pair in pairs]
    shares = np.where(left_open, OPEN_COUNTS, 1.0)
    shares /= shares.mean()
    return Weights(_descend(plain, wanted, shares), _descend(near, wanted, shares), source)


def _pair(pair: LabelledPair, distance: float | None) -> Pair:
    return Pair(Statement(pair.old, distance=distance), Statement(pair.new))


def _descend(
    values: NDArray[np.float64], wanted: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    weights = np.zeros((wanted.shape[1], values.shape[1]))
    for _ in range(_STEPS):
        scores = values @ weights.T
        grown = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = grown / grown.sum(axis=1, keepdims=True)
        slope = ((chances - wanted) * shares[:, None]).T @ values / len(values) + STRENGTH * weights
        weights -= _RATE * slope
    return weights


def cross_validate(
    pairs: Sequence[LabelledPair], distances: Sequence[float], folds: int = 10, *, rules: bool = True
) -> tuple[float, int]:
    """Return (accuracy, DIFFERENT called CONTRADICT) when each fold is judged by the others' weights.

    ``rules`` False scores the classifier alone.
    """
    right = retired = 0
    for fold in range(folds):
        kept = [i for i in range(len(pairs)) if i % folds != fold]
        weights = fit([pairs[i] for i in kept], [distances[i] for i in kept])
        for i in range(fold, len(pairs), folds):
            pair = _pair(pairs[i], distances[i])
            verdict = (by_structure(pair) if rules else None) or by_likeness(pair, weights)
            right += verdict.relation is pairs[i].relation
            retired += (verdict.relation, pairs[i].relation) == (Relation.CONTRADICT, Relation.DIFFERENT)
    return right / len(pairs), retired


def as_json(weights: Weights) -> str:
    """Return the text of ``weights.json``."""
    return json.dumps(
        {
            "source": weights.source,
            "order": [str(relation) for relation in ORDER],
            "features": [*FEATURES, *NEARNESS],
            "plain": np.round(weights.plain, 4).tolist(),
            "near": np.round(weights.near, 4).tolist(),
        },
        indent=1,
    )


async def refit(embedder: Embedder) -> tuple[str, str]:
    """Fit on the own pairs; return the text of ``weights.json`` and a line about how good they are."""
    pairs = own_pairs()
    distances = await distances_of(pairs, embedder)
    source = f"{len(pairs)} pairs of pairs.tsv, distances by {embedder.identity}, L2 {STRENGTH}"
    text = as_json(fit(pairs, distances, source)) + "\n"
    both, retired = cross_validate(pairs, distances)
    alone, _ = cross_validate(pairs, distances, rules=False)
    figures = f"rules and classifier {both:.3f} ({retired} wrongly retired), alone {alone:.3f}"
    return text, f"{source}: ten folds, {figures}"


if __name__ == "__main__":
    fitted_text, report = asyncio.run(refit(OfflineEmbedder()))
    Path(__file__).with_name("weights.json").write_text(fitted_text, encoding="utf-8")
    sys.stdout.write(report + "\n")
