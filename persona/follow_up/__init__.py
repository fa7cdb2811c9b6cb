"""Asking how it went: the words of a follow-up, and whether an answer of hers asks one."""

from persona.follow_up.watching import asks_about
from persona.follow_up.writer import FollowUpWriter, Occasion

__all__ = ["FollowUpWriter", "Occasion", "asks_about"]
