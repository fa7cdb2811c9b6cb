"""Why she could not answer: one closed set, whatever the model or the house calls it."""

from __future__ import annotations

from enum import StrEnum

from llm.errors import (
    ModelBlocked,
    ModelDown,
    ModelEmpty,
    ModelError,
    ModelMalformed,
    ModelRateLimited,
    ModelRefused,
    ModelTimeout,
    ModelTruncated,
)


class Failure(StrEnum):
    """The failures she has words for; a character's replies hold them under ``failure.<value>``."""

    BLOCKED = "blocked"
    EMPTY = "empty"
    CUT_OFF = "cut_off"
    MALFORMED = "malformed"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    DOWN = "down"
    REFUSED = "refused"
    BUDGET = "budget"
    TOO_LONG = "too_long"
    QUEUE_FULL = "queue_full"
    UNKNOWN = "unknown"


_BY_ERROR: tuple[tuple[type[ModelError], Failure], ...] = (
    (ModelBlocked, Failure.BLOCKED),
    (ModelEmpty, Failure.EMPTY),
    (ModelTruncated, Failure.CUT_OFF),
    (ModelMalformed, Failure.MALFORMED),
    (ModelRateLimited, Failure.RATE_LIMITED),
    (ModelTimeout, Failure.TIMEOUT),
    (ModelDown, Failure.DOWN),
    (ModelRefused, Failure.REFUSED),
)


def failure_of(error: ModelError) -> Failure:
    """Return which failure an error of a model is."""
    return next((failure for kind, failure in _BY_ERROR if isinstance(error, kind)), Failure.UNKNOWN)
