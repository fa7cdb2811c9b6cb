"""The word tables of the rules: YAML, written in Traditional script, matched in folded text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml


@lru_cache(maxsize=32)
def table(name: str) -> Mapping[str, Any]:
    """Read one table by its name without ``.yaml``; ``TypeError`` where it is no mapping."""
    text = (resources.files(__package__) / f"{name}.yaml").read_text(encoding="utf-8")
    loaded = yaml.safe_load(text)
    if not isinstance(loaded, Mapping):
        raise TypeError(f"{name}.yaml: expected a mapping")
    return loaded


@lru_cache(maxsize=256)
def expression(name: str, key: str) -> str:
    """Return one entry of a table as an alternation: a list of expressions is joined by ``|``."""
    value = table(name)[key]
    return str(value) if isinstance(value, str) else "|".join(map(str, value))
