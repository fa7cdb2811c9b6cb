"""Patterns from the grammar files, matched on folded text: Traditional and Simplified alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from memory.text import fold_same_length

# The C loader reads the same YAML ten times faster; it is not in every build of PyYAML.
FAST_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
GRAMMARS = ("zh", "en", "ja")
Patterns = Mapping[str, tuple[re.Pattern[str], ...]]


def folded(text: str) -> str:
    """Return ``text`` as the patterns see it; offsets stay those of ``text``."""
    return fold_same_length(text).replace("’", "'")


def compile_folded(pattern: str) -> re.Pattern[str]:
    """Compile a pattern written in Traditional (or any) script so that it matches folded text."""
    return re.compile("".join(c if c.isascii() else fold_same_length(c) for c in pattern))


@lru_cache(maxsize=64)
def read_grammar(name: str, language: str) -> Mapping[str, Any]:
    """Read ``grammar/<name>.<language>.yaml``."""
    path = resources.files("persona") / "grammar" / f"{name}.{language}.yaml"
    loaded = yaml.load(path.read_text(encoding="utf-8"), Loader=FAST_LOADER)  # noqa: S506 (a safe loader)
    if not isinstance(loaded, Mapping):
        raise TypeError(f"persona/grammar/{name}.{language}.yaml: expected a mapping of patterns")
    return loaded


@lru_cache(maxsize=64)
def load_patterns(name: str, language: str) -> Patterns:
    """Return the patterns of one grammar file by key, in the order of the file.

    ``{word}`` places in a pattern are filled from the file's ``words`` first.
    """
    raw = dict(read_grammar(name, language))
    words = {key: f"(?:{value})" for key, value in (raw.pop("words", None) or {}).items()}
    compiled = {}
    for key, value in raw.items():
        lines = [value] if isinstance(value, str) else value
        compiled[key] = tuple(compile_folded(_fill(line, words)) for line in lines)
    return compiled


def _fill(pattern: str, words: Mapping[str, str]) -> str:
    for key, value in words.items():
        pattern = pattern.replace("{" + key + "}", value)
    return pattern
