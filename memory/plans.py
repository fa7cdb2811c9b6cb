"""Questions for whatever is coming (我接下來有什麼行程？): no day is named, every plan ahead is meant."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from importlib import resources

import yaml

from memory.lexical import is_bare_question
from memory.model import Flag, Kind, Memory, Phase
from memory.text import fold, fold_same_length, has_cjk

# 等一下, later: what may still be meant by it.
SOON = timedelta(hours=12)
# How far ahead a plan is half as much worth telling: nearer ones come first where there are many.
HALVES_IN_DAYS = 30.0
# A plan without a date may come any day.
UNDATED = 0.25


def asks_for_plans(text: str) -> timedelta | None:
    """Return how far ahead a question asks for plans, ``timedelta.max`` for no limit; None: it does not.

    Only where it names nothing else: 我之後有什麼安排 does, 我之後要怎麼安排搬家 is about the move. What
    she herself is up to (你在做什麼) is none of the person's plans.
    """
    folded = fold(text)
    if _pattern("plans").search(folded) is None:
        return None
    if _pattern("hers").search(folded) and not _pattern("mine").search(folded):
        return None
    soon = _pattern("soon").search(folded) is not None
    rest = folded
    for key in ("soon", "ahead", "plans"):
        rest = _pattern(key).sub(" ", rest)
    if not is_bare_question(rest):
        return None
    return SOON if soon else timedelta.max


def plan_match(
    memory: Memory,
    window: tuple[datetime, datetime] | None,
    stands: Phase | None,
    now: datetime,
    within: timedelta,
) -> float:
    """Return how well a memory answers a question for plans: 1 for what is on, less the further ahead.

    0 for what is no plan, is over, called off, or lies beyond ``within``.
    """
    if memory.kind is not Kind.EVENT or Flag.CANCELLED in memory.flags or stands is Phase.PAST:
        return 0.0
    if window is None:
        return UNDATED
    ahead = max(window[0] - now, timedelta())
    return 0.0 if ahead > within else float(0.5 ** (ahead / timedelta(days=HALVES_IN_DAYS)))


@lru_cache(maxsize=1)
def _terms() -> dict[str, str]:
    loaded = yaml.safe_load((resources.files("memory") / "plan_terms.yaml").read_text(encoding="utf-8"))
    return {str(key): str(value) for key, value in loaded.items()}


@lru_cache(maxsize=8)
def _pattern(key: str) -> re.Pattern[str]:
    source = "".join(fold_same_length(c) if has_cjk(c) else c for c in _terms()[key])
    return re.compile(source)
