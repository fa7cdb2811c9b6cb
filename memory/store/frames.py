"""What two processes of ours say to each other through a pipe: a length, then a pickled value."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import IO, Any

LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer; ``is_ours``: a ``StoreError`` whose text tells what to do."""

    text: str
    is_ours: bool = False


def pack_frame(value: Any) -> bytes:
    """Return a value with its length in front."""
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


def unpack_frame(body: bytes) -> Any:
    """Return the value of a frame's body."""
    return pickle.loads(body)  # noqa: S301 - from a child of ours, through a pipe nobody else holds


def read_frame(source: IO[bytes]) -> Any | None:
    """Return the next value, or None where the other side has ended."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    body = source.read(size)
    return unpack_frame(body) if len(body) == size else None
