"""What every embedder does to the numbers it gets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from llm.errors import ModelMalformed
from llm.protocols import Vector


def unit(values: Sequence[float] | Vector, dimensions: int) -> Vector:
    """Return ``values`` as a float32 vector of length 1; :class:`ModelMalformed` if it can't be one."""
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelMalformed("an embedding holds something that is no number") from None
    if vector.shape != (dimensions,):
        raise ModelMalformed(f"an embedding has shape {vector.shape}, not ({dimensions},)")
    norm = float(np.linalg.norm(vector))
    if not np.isfinite(norm) or norm == 0.0:
        raise ModelMalformed("an embedding has no direction (zero, infinite or not a number)")
    return (vector / norm).astype(np.float32)
