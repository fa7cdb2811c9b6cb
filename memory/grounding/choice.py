"""Which occurrence is meant where the words name many: by tense, else the nearest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.grounding.calendar import Moment, Stretch
from memory.grounding.types import Tense

CLEAR_LEAD = 2.0
"""Without a tense the nearer of two yearly dates is taken for sure where the other is this much farther
(own judgement: 12/25 said in November is the coming one, said in May it is open). What is over is never
sure without a word that looks back."""
LEAN_AHEAD = 3.0
"""Without a tense what is coming is read before what is over, unless that is so many times nearer: plans
seldom wear a word for the future, what is over mostly wears one for the past (own judgement; the public
Chinese and English sets are within half a point for 2 to 8)."""
FEAST_LEAN = 8.0
"""The same for feasts, which are talked of ahead (own judgement)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Plausible stretches, best first; ``open_`` where the words don't settle which."""

    stretches: tuple[Stretch, ...]
    open_: bool = False


def only(stretch: Stretch | None) -> Choice | None:
    """Return a choice of one."""
    return None if stretch is None else Choice((stretch,))


def _distance(stretch: Stretch, now: datetime) -> float:
    if stretch.start <= now < stretch.end:
        return 0.0
    edge = stretch.start if stretch.start > now else stretch.end
    return abs((edge - now).total_seconds()) + 1.0


def _likelier_first(near: list[Stretch], now: datetime, lean: float) -> list[Stretch]:
    """Order the two nearest: the one that is over comes second, unless it is ``lean`` times nearer."""

    def weight(item: Stretch) -> float:
        return _distance(item, now) * (lean if item.end <= now else 1.0)

    return sorted(near, key=weight)


def by_tense(
    occurrences: Sequence[Stretch],
    moment: Moment,
    *,
    include_current: bool = True,
    lean: float = LEAN_AHEAD,
    sure: Callable[[float, float], bool] | None = None,
) -> Choice | None:
    """Pick from ``occurrences`` (in order of time): the next ahead, the last back, or the nearest.

    ``include_current`` says whether the stretch that holds the present counts as ahead and back;
    where it doesn't, it stays a second reading. ``lean`` is how much nearer what is over must be to be read
    first (see ``LEAN_AHEAD``). ``sure`` decides from the distances of the nearest
    and the next nearest (seconds) whether the nearest is certain without a tense.
    """
    now = moment.wall
    current = [item for item in occurrences if item.start <= now < item.end]
    ahead = [item for item in occurrences if item.start > now]
    back = [item for item in reversed(occurrences) if item.end <= now]
    if moment.tense is Tense.NONE:
        near = sorted(occurrences, key=lambda item: _distance(item, now))[:2]
        if not near:
            return None
        certain = len(near) == 1 or (
            sure is not None and near[0].end > now and sure(_distance(near[0], now), _distance(near[1], now))
        )
        if certain:
            return Choice(tuple(near[:1]))
        return Choice(tuple(_likelier_first(near, now, lean)), open_=True)
    line = ahead if moment.tense is Tense.FUTURE else back
    if include_current:
        chosen = [*current, *line][:1]
        return Choice(tuple(chosen)) if chosen else None
    chosen = [*line[:1], *current]
    return Choice(tuple(chosen), open_=len(chosen) > 1) if chosen else None


def clear_lead(near: float, far: float) -> bool:
    """Whether the nearer of two is certain by its lead alone."""
    return far > CLEAR_LEAD * near
