"""Choosing among the ways to say a thing: no dice, never the same twice in a row."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from string import Formatter

_FORMATTER = Formatter()


def places_in(template: str) -> set[str]:
    """Return the names of the ``{places}`` of a template."""
    return {name for _, name, _, _ in _FORMATTER.parse(template) if name}


def fill(templates: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Return the templates that can be filled with the values at hand, filled."""
    known = {key: value for key, value in values.items() if value}
    return [t.format(**known) for t in templates if places_in(t) <= known.keys()]


def choose(options: Sequence[str], seed: str, recent: Sequence[str]) -> str | None:
    """Return one option: by the seed's hash, unused before used, the longest unused before others.

    ``recent`` are her last replies, oldest first; an option that is part of one counts as used.
    """
    if not options:
        return None
    start = int.from_bytes(hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    turned = [options[(start + step) % len(options)] for step in range(len(options))]
    return min(turned, key=lambda option: _last_used(option, recent))


def _last_used(option: str, recent: Sequence[str]) -> int:
    return next((place for place in range(len(recent), 0, -1) if option in recent[place - 1]), 0)
