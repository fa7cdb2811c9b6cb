"""The word tables of the rules: YAML, written in Traditional script, matched in folded text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from memory.model import Category

_REFERENCE = re.compile(r"@([a-z_]+)@")


@dataclass(frozen=True, slots=True)
class Rule:
    """A shape of sentence: what it is searched by, the shelf and slot it fills, when it does not hold."""

    source: str
    category: Category
    attribute: str | None = None
    unless: str | None = None
    only_user: bool = False


@lru_cache(maxsize=32)
def table(name: str) -> Any:
    """Read one table by its name without ``.yaml``."""
    text = (resources.files(__package__) / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


@lru_cache(maxsize=256)
def expression(name: str, key: str) -> str:
    """Return one entry of a table as an expression: a list is joined by ``|``, ``@word@`` filled in."""
    return _filled(table(name)[key])


def word(key: str) -> str:
    """Return an entry of ``words.yaml``."""
    return expression("words", key)


@lru_cache(maxsize=16)
def rules(name: str) -> tuple[Rule, ...]:
    """Return a table of rules, in its order."""
    return tuple(
        Rule(
            source=_filled(row["says"]),
            category=Category(row["category"]),
            attribute=row.get("attribute"),
            unless=_filled(row["unless"]) if "unless" in row else None,
            only_user=row.get("only_user", False),
        )
        for row in table(name)
    )


def _filled(value: str | list[str]) -> str:
    source = value if isinstance(value, str) else "|".join(value)
    return _REFERENCE.sub(lambda found: word(found[1]), source)
