"""The expressions of this package's rules, from the file beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

import yaml

from memory.statements.patterns import expression


@lru_cache(maxsize=1)
def _loaded() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    text = (resources.files("memory.relations") / "wording.yaml").read_text(encoding="utf-8")
    return {name: tuple(map(expression, written)) for name, written in yaml.safe_load(text).items()}


def wording(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the expressions under a name."""
    return _loaded()[name]


def says(name: str, text: str) -> bool:
    """Whether one of the expressions under a name is in a folded text."""
    return any(pattern.search(text) for pattern in wording(name))
