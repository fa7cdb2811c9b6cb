"""What each call to a model cost, told to whoever counts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

logger = logging.getLogger(__name__)


class Purpose(StrEnum):
    """What a model was called for."""

    REPLY = "reply"
    ANSWER = "answer"
    EMBED_DOCUMENTS = "embed_documents"
    EMBED_QUERY = "embed_query"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens as the provider counts them; None where it doesn't say. Thoughts count as output."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """One request to a model, answered or not.

    ``shape`` names the answer asked for (``Extraction``, ``Verdicts``); ``failure`` is the name of
    the :class:`llm.errors.ModelError` it ended in, None when the provider answered. A retry is a
    request of its own.
    """

    model: str
    purpose: Purpose
    seconds: float
    tokens: Tokens = Tokens()
    shape: str | None = None
    failure: str | None = None


UsageSink = Callable[[Usage], None]


def report(sink: UsageSink | None, usage: Usage) -> None:
    """Hand ``usage`` to ``sink``; a counter that fails is logged and costs nobody an answer."""
    if sink is None:
        return
    try:
        sink(usage)
    except Exception as error:
        logger.warning("the usage counter failed: %s", type(error).__name__)
