"""The text chunks of a PNG, read without trusting a byte of it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT = 8_000_000
MAX_CHUNKS = 20_000


class PngError(ValueError):
    """A PNG whose text can't be read; the message says why."""


def text_chunks(png: bytes) -> dict[str, bytes]:
    """Return keyword -> text of the tEXt, zTXt and iTXt chunks; of equal keywords the last wins.

    A file that ends early gives what was whole before; a text that unpacks to more than
    ``MAX_TEXT`` bytes raises :class:`PngError`.
    """
    if not png.startswith(SIGNATURE):
        raise PngError("it is no PNG")
    found: dict[str, bytes] = {}
    for kind, data in _chunks(png):
        keyword, separator, rest = data.partition(b"\0")
        if not separator or len(keyword) > 79:
            continue
        name = keyword.decode("latin-1").strip().lower()
        text = _text_of(kind, rest)
        if text is not None:
            found[name] = text
    return found


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    offset = len(SIGNATURE)
    for _ in range(MAX_CHUNKS):
        if offset + 12 > len(png):
            return
        (length,) = struct.unpack_from(">I", png, offset)
        kind = png[offset + 4 : offset + 8]
        if kind == b"IEND" or offset + 12 + length > len(png):
            return
        if kind in {b"tEXt", b"zTXt", b"iTXt"}:
            yield kind, png[offset + 8 : offset + 8 + length]
        offset += 12 + length


def _text_of(kind: bytes, rest: bytes) -> bytes | None:
    if kind == b"tEXt":
        return rest if len(rest) <= MAX_TEXT else _too_large()
    if kind == b"zTXt":
        return _unpack(rest[1:]) if rest[:1] == b"\0" else None
    compressed, _language, rest = rest[:1], *rest[2:].partition(b"\0")[::2]
    _, separator, text = rest.partition(b"\0")
    if not separator:
        return None
    return _unpack(text) if compressed == b"\x01" else text


def _unpack(packed: bytes) -> bytes | None:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MAX_TEXT + 1)
    except zlib.error:
        return None
    return text if len(text) <= MAX_TEXT else _too_large()


def _too_large() -> bytes:
    raise PngError(f"its text is larger than {MAX_TEXT // 1_000_000} MB")
