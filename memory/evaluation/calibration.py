"""Thresholds for one embedder from labelled data, each by a stated criterion and with its confidence. Pure.

* ``duplicate``: the highest distance below which no pair lies that is not a duplicate; 0 (never skip
  unasked) where not even :data:`WORTH` of the duplicates lie below it, or where the data can't show
  that at worst :data:`SAFE` of the others would.
* ``gray``: the smallest distance within which :data:`COVER` of the contradictions and duplicates lie, so
  that the judge is asked about them.
* ``floor``: the highest similarity above which :data:`COVER` of what belongs together lies (a question and
  its answer), as long as that keeps out some of what doesn't.

What a figure does to data it was not chosen on is told by cross-validation over :data:`FOLDS` folds, with the
bound of a Wilson interval; how far the figure itself may be off by a bootstrap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.relations.types import Relation

COVER = 0.95
WORTH = 0.05
SAFE = 0.02
FOLDS = 5
LEAST = 10
"""Rows of each sort below which nothing is chosen: two a fold."""
_STEPS = 1000  # figures are told to a thousandth
_RESAMPLES = 500
_Z = 1.96  # 95 per cent, two-sided

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A threshold: between ``low`` and ``high`` with 95 per cent confidence.

    ``held_out``: what it does to ``rows`` it was not chosen on, a share; ``bound``: that share at worst.
    """

    value: float
    low: float
    high: float
    held_out: float
    bound: float
    rows: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """The three figures of an embedder. ``floor`` None: there was nothing to choose it from."""

    duplicate: Figure
    gray: Figure
    floor: Figure | None
    pairs: int
    kept_out: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as one JSON object."""
        return {
            "pairs": self.pairs,
            "duplicate": _told(self.duplicate, "others_below"),
            "gray": _told(self.gray, "covered"),
            "floor": _told(self.floor, "kept") if self.floor else None,
            "unrelated_kept_out": self.kept_out,
        }


class NotEnough(ValueError):
    """The data can't carry a threshold; the message says what is missing."""


def calibrate(
    distances: Sequence[float],
    labels: Sequence[Relation],
    related: Sequence[float] = (),
    unrelated: Sequence[float] = (),
    *,
    cover: float = COVER,
) -> Calibration:
    """Choose the thresholds from the distances of labelled pairs and from similarities of what is asked.

    ``related`` are the similarities of what belongs together, ``unrelated`` of what doesn't; both may be
    empty. Raises :class:`NotEnough`.
    """
    if not 0.5 <= cover < 1:
        raise NotEnough(f"the share to cover must be at least 0.5 and below 1, not {cover}")
    whole = np.asarray(distances, dtype=np.float64)
    sorts = np.asarray([str(label) for label in labels])
    _check(whole, sorts)
    same = whole[sorts == Relation.DUPLICATE]
    other = whole[sorts != Relation.DUPLICATE]
    asked = whole[sorts != Relation.DIFFERENT]
    duplicate = _duplicate(same, other)
    gray = _figure(asked, lambda part: _quantile_up(part, cover), lambda limit, part: part <= limit)
    if gray.value < duplicate.value:
        gray = Figure(duplicate.value, gray.low, gray.high, gray.held_out, gray.bound, gray.rows)
    floor, kept_out = _floor(np.asarray(related, float), np.asarray(unrelated, float), cover)
    return Calibration(duplicate, gray, floor, len(whole), kept_out)


def _check(distances: Numbers, sorts: NDArray[np.str_]) -> None:
    if not np.isfinite(distances).all():
        raise NotEnough("a distance is no number: the embedder gave an empty vector")
    for relation in Relation:
        found = int((sorts == relation).sum())
        if found < LEAST:
            raise NotEnough(f"{found} rows are labelled {relation}, and at least {LEAST} are needed")
    if float(np.ptp(distances)) < 1 / _STEPS:
        raise NotEnough("all distances are the same: this embedder can't tell these texts apart")


def _duplicate(same: Numbers, other: Numbers) -> Figure:
    """Choose where to skip: a share of the others that lies below, at worst, is what it costs."""
    figure = _figure(
        other, lambda part: _down(float(part.min())), lambda limit, part: part < limit, worst=max
    )
    if float((same < figure.value).mean()) < WORTH or figure.bound > SAFE:
        return Figure(0.0, 0.0, 0.0, 0.0, 0.0, len(other))  # nothing is ever below it
    return figure


def _floor(related: Numbers, unrelated: Numbers, cover: float) -> tuple[Figure | None, float | None]:
    if not len(related) and not len(unrelated):
        return None, None
    for name, found in (("belong together", len(related)), ("don't belong together", len(unrelated))):
        if found < LEAST:
            raise NotEnough(f"{found} pairs {name}, and at least {LEAST} are needed for the floor")
    figure = _figure(
        related, lambda part: max(0.0, -_quantile_up(-part, cover)), lambda limit, part: part >= limit
    )
    return figure, float((unrelated < figure.value).mean())


def _figure(
    data: Numbers,
    choose: Callable[[Numbers], float],
    holds: Callable[[float, Numbers], NDArray[np.bool_]],
    worst: Callable[[float, float], float] = min,
) -> Figure:
    """Choose on all of the data; measure on folds it was not chosen on; resample for its own spread."""
    order = np.random.default_rng(0)
    fold = order.permutation(len(data)) % FOLDS
    held = sum(int(holds(choose(data[fold != i]), data[fold == i]).sum()) for i in range(FOLDS))
    resampled = [choose(order.choice(data, len(data))) for _ in range(_RESAMPLES)]
    low, high = np.quantile(resampled, (0.025, 0.975))
    bounds = _wilson(held, len(data))
    return Figure(
        value=choose(data),
        low=round(float(low), 3),
        high=round(float(high), 3),
        held_out=held / len(data),
        bound=worst(*bounds),
        rows=len(data),
    )


def _quantile_up(data: Numbers, share: float) -> float:
    """Return the smallest thousandth within which ``share`` of the data lies."""
    ordered = np.sort(data)
    return math.ceil(float(ordered[math.ceil(share * len(data)) - 1]) * _STEPS) / _STEPS


def _down(value: float) -> float:
    return math.floor(max(value, 0.0) * _STEPS) / _STEPS


def _wilson(hits: int, rows: int) -> tuple[float, float]:
    """Return the bounds of a share's 95 per cent confidence interval (Wilson)."""
    share, square = hits / rows, _Z * _Z
    middle = share + square / (2 * rows)
    spread = _Z * math.sqrt(share * (1 - share) / rows + square / (4 * rows * rows))
    scale = 1 + square / rows
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def _told(figure: Figure, measure: str) -> dict[str, Any]:
    return {
        "value": figure.value,
        "confidence_95": [figure.low, figure.high],
        f"{measure}_held_out": figure.held_out,
        f"{measure}_at_worst": figure.bound,
        "rows": figure.rows,
    }
