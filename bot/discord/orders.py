"""What a person tells her to do with her memory: remember this, forget that, that is wrong. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

import yaml


class Kind(StrEnum):
    """What she is told to do."""

    REMEMBER = "remember"
    FORGET = "forget"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Order:
    """An order, and what it is about as far as the words say."""

    kind: Kind
    what: str = ""


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How orders are given, from ``orders.yaml`` beside this file."""

    negated: re.Pattern[str]
    asked: re.Pattern[str]
    orders: Sequence[tuple[Kind, re.Pattern[str]]]


def order_in(text: str) -> Order | None:
    """Return the order a whole message is; a question, or 別忘了, is none."""
    said, patterns = text.strip(), _patterns()
    if not said or patterns.negated.search(said) or patterns.asked.search(said):
        return None
    for kind, pattern in patterns.orders:
        match = pattern.fullmatch(said)
        if match is not None:
            return Order(kind, match["what"].strip(" ，,、：:"))
    return None


@cache
def _patterns() -> _Patterns:
    file = resources.files("bot") / "discord" / "orders.yaml"
    data = yaml.safe_load(file.read_text(encoding="utf-8"))

    def compiled(pattern: str) -> re.Pattern[str]:
        for part in ("please", "end", "this"):
            pattern = pattern.replace(f"{{{part}}}", data[part])
        return re.compile(pattern, re.IGNORECASE | re.DOTALL)

    order = (Kind.FORGET, Kind.WRONG, Kind.REMEMBER)
    return _Patterns(
        compiled(data["negated"]),
        compiled(data["asked"]),
        [(kind, compiled(pattern)) for kind in order for pattern in data[str(kind)]],
    )
