"""Between table rows and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from llm.protocols import Vector
from memory.model import Memory
from memory.statements import is_single_valued, subject_key

FIELDS = tuple(Memory.model_fields)
_ENUMS = ("visibility", "category", "kind", "precision", "archived_reason")


def slot_of(memory: Memory) -> str | None:
    """Return the key under which only one live value may stand, or None for an open-ended attribute."""
    if memory.attribute is None or not is_single_valued(memory.attribute):
        return None
    return f"{subject_key(memory.subject)}|{memory.attribute}"


def to_row(memory: Memory) -> dict[str, Any]:
    """Return the column values of a memory, the vector aside."""
    row: dict[str, Any] = {name: getattr(memory, name) for name in FIELDS}
    for name in _ENUMS:
        row[name] = str(row[name]) if row[name] is not None else None
    row["places"] = list(memory.places)
    row["flags"] = [str(flag) for flag in memory.flags]
    row["slot"] = slot_of(memory)
    return row


def from_row(row: Any) -> Memory:
    """Return the memory a row holds."""
    values = row._mapping
    return Memory.model_validate({name: values[name] for name in FIELDS})


def from_values(values: Sequence[Any]) -> Memory:
    """Return the memory of a row that starts with the columns of :data:`FIELDS` in their order."""
    return Memory.model_validate(dict(zip(FIELDS, values, strict=False)))


def pack(vector: Vector) -> bytes:
    """Return the stored form of a vector: float32, little endian."""
    return np.asarray(vector, dtype="<f4").tobytes()


def unpack(data: bytes) -> Vector:
    """Return the vector of a stored form."""
    return np.frombuffer(data, dtype="<f4").astype(np.float32, copy=False)
