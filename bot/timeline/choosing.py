"""Which memories stand on which picture, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from memory.model import Category, Kind, Memory

ROWS_PER_PICTURE = 18
"""Rows of one picture: what still reads in a chat without zooming in on a telephone."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_ORDER = {category: place for place, category in enumerate(Category)}
_CORE = frozenset({Category.NAME, Category.IDENTITY})

Chain = tuple[Memory, ...]


def chains(memories: Iterable[Memory]) -> tuple[Chain, ...]:
    """Put the versions of a thing together, the first version first; every memory is in one chain."""
    by_id = {one.id: one for one in sorted(memories, key=_age)}
    after: dict[str, list[Memory]] = {}
    for one in by_id.values():
        if one.supersedes_id in by_id and one.supersedes_id != one.id:
            after.setdefault(one.supersedes_id or "", []).append(one)
    placed: set[str] = set()
    found: list[Chain] = []
    firsts = [one for one in by_id.values() if one.supersedes_id not in by_id or one.supersedes_id == one.id]
    # what is left after those are rings: no first version, so any of them begins
    for first in (*firsts, *by_id.values()):
        chain: list[Memory] = []
        waiting = [first]
        while waiting:
            one = waiting.pop()
            if one.id in placed:
                continue
            placed.add(one.id)
            chain.append(one)
            waiting.extend(reversed(after.get(one.id, ())))
        if chain:
            found.append(tuple(chain))
    return tuple(found)


def pages(
    memories: Iterable[Memory], now: datetime, most: int = ROWS_PER_PICTURE
) -> tuple[tuple[Memory, ...], ...]:
    """Return the rows of each picture, at most ``most`` on one; all of them together hold every memory.

    The first picture has what matters most: who the person is, what lies ahead, what changed last.
    Within a picture kinds of things stand together, and versions of one thing below each other.
    """
    if most < 1:
        raise ValueError("a picture has at least one row")
    ranked = sorted(chains(memories), key=lambda chain: _rank(chain, now))
    pieces = [chain[at : at + most] for chain in ranked for at in range(0, len(chain), most)]
    sheets: list[list[Chain]] = []
    room = 0
    for piece in pieces:
        if len(piece) > room:
            sheets.append([])
            room = most
        sheets[-1].append(piece)
        room -= len(piece)
    return tuple(tuple(one for chain in sorted(sheet, key=_place) for one in chain) for sheet in sheets)


def _rank(chain: Chain, now: datetime) -> tuple[int, float, str]:
    last = chain[-1]
    if not last.archived and last.category in _CORE:
        group = 0
    elif not last.archived and last.kind is Kind.EVENT and last.valid_from is not None:
        group = 1 if (last.valid_to or last.valid_from) > now else 2
    else:
        group = 2
    return group, -_last_change(chain).timestamp() if _last_change(chain) > _LONG_AGO else 0.0, last.id


def _last_change(chain: Sequence[Memory]) -> datetime:
    moments = [m for one in chain for m in (one.created_at, one.updated_at, one.archived_at) if m is not None]
    return max(moments, default=_LONG_AGO)


def _place(chain: Chain) -> tuple[int, datetime, str]:
    first = chain[0]
    return _ORDER[chain[-1].category], first.created_at or first.valid_from or _LONG_AGO, first.id


def _age(memory: Memory) -> tuple[bool, datetime, str]:
    return memory.created_at is not None, memory.created_at or _LONG_AGO, memory.id
