"""Hostile input: any JSON, spoilt good objects, texts that trip parsers, pictures with any chunks."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

TEXTS = (
    "",
    " ",
    "\x00",
    "\u202e反",
    "\ud800",
    "🫠" * 40,
    "\u0300" * 60,
    "a" * 5000,
    "莉" * 3000,
    "\r\n\t\x1b[31m",
    "@everyone",
    "<@1>",
    "{{user}}",
    "{name}",
    "%s %n",
    "' OR 1=1 --",
    "../../etc/passwd",
    "NaN",
    "null",
    "-" * 300,
    "```" * 50,
    "[" * 200,
    "9" * 400,
    "2026-02-30",
    "明天" * 200,
    "١٢٣",
    "\ufeff",
    "</data>",
)

texts = st.one_of(
    st.sampled_from(TEXTS),
    st.text(max_size=40),
    st.text(alphabet="0123456789年月日點半下週 :-/", max_size=24),
)
numbers = st.one_of(
    st.integers(),
    st.floats(),
    st.sampled_from((0, -1, 2**63, -(2**63) - 1, 10**400, 1e308, float("nan"), float("inf"))),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)


@st.composite
def spoilt(draw: st.DrawFn, good: Mapping[str, Any], extra: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a good object with some of its parts dropped or swapped for anything."""
    made = json.loads(json.dumps(good))
    for _ in range(draw(st.integers(0, 3))):
        place: Any = made
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if place is made:
                keys += [key for key in extra if key not in made]
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inner = place.get(key) if isinstance(place, dict) else place[key]
            if isinstance(inner, dict | list) and inner and draw(st.booleans()):
                place = inner
                continue
            if isinstance(place, dict) and draw(st.integers(0, 3)) == 0:
                place.pop(key, None)
            else:
                place[key] = draw(anything)
            break
    return dict(made)


@st.composite
def json_texts(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> str:
    """Return a value as JSON, now and then cut short, nested without end or with a byte too many."""
    text = json.dumps(draw(values), ensure_ascii=draw(st.booleans()))
    match draw(st.integers(0, 9)):
        case 0:
            return text[: draw(st.integers(0, len(text)))]
        case 1:
            depth = draw(st.sampled_from((50, 3000)))
            return draw(st.sampled_from(("[", '{"a":'))) * depth
        case 2:
            return text + draw(texts)
    return text


def as_bytes(text: str) -> bytes:
    """Return a text as it may lie on a disk, lone surrogates and all."""
    return text.encode("utf-8", "surrogatepass")


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@st.composite
def pictures(draw: st.DrawFn, cards: st.SearchStrategy[str]) -> bytes:
    """Return a PNG with text chunks of every kind, some of them bombs, broken or cut."""
    parts = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", bytes(13))]
    for _ in range(draw(st.integers(0, 3))):
        keyword = draw(st.sampled_from((b"chara", b"ccv3", b"Chara", b"x" * 80, b"", b"\xff")))
        body = draw(
            st.one_of(
                cards.map(as_bytes),
                cards.map(as_bytes).map(base64.b64encode),
                st.binary(max_size=60),
                st.sampled_from((b"a" * 100, b"\x00" * 9_000_000)),
            )
        )
        packed = zlib.compress(body) if draw(st.booleans()) else body
        match draw(st.integers(0, 3)):
            case 0:
                parts.append(chunk(b"tEXt", keyword + b"\0" + body))
            case 1:
                parts.append(
                    chunk(b"zTXt", keyword + b"\0" + draw(st.sampled_from((b"\0", b"\1", b""))) + packed)
                )
            case 2:
                flag = draw(st.sampled_from((b"\0\0", b"\1\0", b"\1", b"")))
                parts.append(chunk(b"iTXt", keyword + b"\0" + flag + b"en\0\0" + packed))
            case 3:
                parts.append(struct.pack(">I", draw(st.integers(0, 2**32 - 1))) + b"tEXt" + body)
    whole = b"".join(parts)
    return (
        whole[: draw(st.integers(0, len(whole)))]
        if draw(st.integers(0, 5)) == 0
        else whole + chunk(b"IEND", b"")
    )


def decoded(text: str) -> str:
    """Return a text as it comes out of a file of UTF-8: without halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8")
