"""How long to wait for the rest of what somebody is saying. Pure: the messages so far, the house's bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

import yaml

LONG = 40
"""Characters after which a message is taken for whole; people who write in bursts send short lines."""

TYPING_SECONDS = 6.0
"""How long a person seen typing is waited for: their client tells of it again after eight to ten."""


class Why(StrEnum):
    """Why so long; the set is closed."""

    ASKED = "asked"
    ENDED = "ended"
    GOES_ON = "goes_on"
    LONG = "long"
    BURST = "burst"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds to wait after the last message, and why."""

    seconds: float
    why: Why


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How messages end, from ``patience.yaml`` beside this file."""

    asked: re.Pattern[str]
    ended: re.Pattern[str]
    goes_on: re.Pattern[str]


def wait_for_more(said: Sequence[str], *, least: float, most: float) -> Wait:
    """Decide how long to wait after the last of a burst's messages (``said``, at least one).

    A question or a finished sentence waits least; a comma, an ellipsis, an opener (欸, 我跟你說) or
    no words at all wait most. A long message is taken for whole. Who has sent several already
    waits most unless the last one asks: a full stop in mid-burst ends nothing. Everything else lies
    in the middle. ``least`` is never more than ``most``.
    """
    least = min(least, most)
    patterns, last = _patterns(), said[-1].strip()
    if patterns.asked.search(last):
        return Wait(least, Why.ASKED)
    if not last or patterns.goes_on.search(last):
        return Wait(most, Why.GOES_ON)
    if len(said) > 1:
        return Wait(most, Why.BURST)
    if patterns.ended.search(last):
        return Wait(least, Why.ENDED)
    if len(last) >= LONG:
        return Wait(least, Why.LONG)
    return Wait((least + most) / 2, Why.OPEN)


@cache
def _patterns() -> _Patterns:
    data = yaml.safe_load((resources.files("bot") / "discord" / "patience.yaml").read_text(encoding="utf-8"))

    def compiled(name: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{part})" for part in data[name]), re.IGNORECASE)

    return _Patterns(compiled("asked"), compiled("ended"), compiled("goes_on"))
