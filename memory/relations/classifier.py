"""A small classifier for what structure leaves open: a logistic regression over named features."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from memory.relations.compare import Pair
from memory.relations.features import FEATURES, NEARNESS, features_of
from memory.relations.types import Relation, Verdict

ORDER: tuple[Relation, ...] = (Relation.CONTRADICT, Relation.DUPLICATE, Relation.DIFFERENT)
# Set on the project's own pairs (pairs.tsv), cross-validated: archiving the wrong one is damage, so
# CONTRADICT must be nearly sure; for DUPLICATE the floor that is right most often (0.4 to 0.5 hardly differ).
CONTRADICT_FLOOR = 0.85
DUPLICATE_FLOOR = 0.45


@dataclass(frozen=True)
class Weights:
    """A row of weights per relation in :data:`ORDER`; ``near`` also reads the vector distance."""

    plain: NDArray[np.float64]
    near: NDArray[np.float64]
    source: str

    def probabilities(self, values: list[float]) -> NDArray[np.float64]:
        """Return the probability of each relation for the features of a pair."""
        rows = self.plain if len(values) == len(FEATURES) else self.near
        scores = rows @ np.asarray(values)
        grown = np.exp(scores - scores.max())
        shares: NDArray[np.float64] = grown / grown.sum()
        return shares


@lru_cache(maxsize=1)
def fitted() -> Weights:
    """Load the weights beside this module; they name the features they were fitted for."""
    loaded = json.loads((resources.files("memory.relations") / "weights.json").read_text("utf-8"))
    if loaded["features"] != [*FEATURES, *NEARNESS]:
        raise ValueError("memory/relations/weights.json was fitted for other features: fit again")
    return Weights(np.asarray(loaded["plain"]), np.asarray(loaded["near"]), loaded["source"])


def _adds(pair: Pair) -> bool:
    """Whether the new one surely says something else or more, however alike the two look."""
    a, b = pair.a, pair.b
    (kind_a, _, value_a), (kind_b, _, value_b) = ((p.slot or "").partition(":") for p in (a, b))
    softened = pair.same_dislike
    return any(
        (
            "rare" in (a.markers ^ b.markers),
            pair.dates_clash or pair.numbers_clash or pair.names_clash or pair.counts_more,
            kind_a == kind_b and value_a != value_b,
            pair.parity_differs and not softened,
            bool(a.polarity) != bool(b.polarity) and not softened,
            b.additive or pair.prepares or not pair.same_subject,
        )
    )


def by_likeness(pair: Pair, weights: Weights | None = None) -> Verdict:
    """Return the likeliest relation above its floor; DIFFERENT where none is."""
    chances = (weights or fitted()).probabilities(features_of(pair))
    contradict, duplicate = float(chances[0]), float(chances[1])
    if contradict >= CONTRADICT_FLOOR and pair.same_subject and pair.solid:
        return Verdict(Relation.CONTRADICT, f"likely a contradiction ({contradict:.2f})")
    seen = pair.shared or pair.distance is not None
    if duplicate >= DUPLICATE_FLOOR and duplicate > contradict and seen and not _adds(pair):
        return Verdict(Relation.DUPLICATE, f"likely the same ({duplicate:.2f})")
    return Verdict(Relation.DIFFERENT, "nothing shows that they say the same or exclude each other")
