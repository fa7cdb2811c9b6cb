"""Ids derived from what they name: the same message read twice gives the same memories."""

from __future__ import annotations

from hashlib import blake2b


def memory_id(message_id: str, revision: int, ordinal: int) -> str:
    """Return the id of the ``ordinal``-th fact of one revision of a message."""
    return "m" + _digest(f"{message_id}\x1f{revision}\x1f{ordinal}")


def message_id_of_line(line: str) -> str:
    """Return the id of a replay line that carries none: the hash of the line."""
    return "replay:" + _digest(line)


def shard_of(user_id: str, shards: int) -> int:
    """Return which of ``shards`` collections holds a person's vectors."""
    return int.from_bytes(blake2b(user_id.encode(), digest_size=8).digest(), "big") % shards


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=10).hexdigest()
