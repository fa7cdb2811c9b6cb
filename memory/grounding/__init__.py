"""Grounding: what people say about time becomes dates, in code."""

from __future__ import annotations

from memory.grounding.offsets import offset_agrees
from memory.grounding.resolver import dates_memory, ground_phrase, resolve
from memory.grounding.tense import tense_of
from memory.grounding.types import Direction, Tense, TimeExpression
from memory.grounding.warm import warm

__all__ = [
    "Direction",
    "Tense",
    "TimeExpression",
    "dates_memory",
    "ground_phrase",
    "offset_agrees",
    "resolve",
    "tense_of",
    "warm",
]
