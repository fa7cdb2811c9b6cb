"""Dates out of words: pure, no I/O. Code computes, from the moment the words were said."""

from memory.grounding.types import Direction, Tense, TimeExpression

__all__ = ["Direction", "Tense", "TimeExpression"]
