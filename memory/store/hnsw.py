"""The files of an HNSW segment, as far as erasing needs to know them."""

from __future__ import annotations

import os
import struct
from pathlib import Path

# header.bin of hnswlib as Chroma writes it: an int of the format, then offset of level 0, room for
# elements, elements, bytes an element (size_t each).
_HEADER = struct.Struct("<iQQQQ")


def blank_unused(segment: Path) -> None:
    """Zero the room behind the last vector of a segment.

    The library writes out memory it has only reserved; what lies there is whatever the process
    held before, an erased person's words included.
    """
    header, data = segment / "header.bin", segment / "data_level0.bin"
    if not header.is_file() or not data.is_file():
        return
    raw = header.read_bytes()
    if len(raw) < _HEADER.size:
        return
    _, _, room, count, width = _HEADER.unpack_from(raw)
    size = data.stat().st_size
    if count > room or room * width != size:
        return  # another layout: leave it alone, the search that follows tells
    with data.open("r+b") as file:
        file.seek(count * width)
        file.write(bytes(size - count * width))
        file.flush()
        os.fsync(file.fileno())
