"""Cards from anywhere: read when they are cards, refused in one line when they are not."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from persona.card import CardError, import_card
from persona.library import load_character, save_character
from persona.png import MAX_TEXT, SIGNATURE

DATA: dict[str, Any] = {
    "name": "咪咪",
    "description": "一隻會說話的貓",
    "personality": "懶",
    "scenario": "",
    "first_mes": "喵。",
    "mes_example": "{{user}}: 嗨\n{{char}}: 喵",
    "tags": ["貓"],
    "character_book": {
        "entries": [
            {"keys": ["魚"], "content": "@@depth 4\n咪咪愛吃鮪魚", "enabled": True},
            {"keys": ["狗"], "content": "關掉的", "enabled": False},
            {"keys": [], "content": "咪咪住在窗邊", "enabled": True, "constant": True},
        ]
    },
}
V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": DATA}
V3 = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**DATA, "nickname": "小咪"}}


def raw(card: object) -> bytes:
    return json.dumps(card, ensure_ascii=False).encode()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*chunks: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return SIGNATURE + header + b"".join(chunks) + pixels + chunk(b"IEND", b"")


def text(keyword: bytes, card: object) -> bytes:
    return chunk(b"tEXt", keyword + b"\0" + base64.b64encode(raw(card)))


def test_a_json_card_is_read_with_its_lore() -> None:
    card = import_card(raw(V3))
    assert card.name == "咪咪"
    assert card.file["data"]["nickname"] == "小咪"
    assert [(entry.text, entry.constant) for entry in card.lore] == [
        ("咪咪愛吃鮪魚", False),
        ("咪咪住在窗邊", True),
    ]


@pytest.mark.parametrize("keyword", [b"chara", b"ccv3", b"CHARA"])
def test_a_png_card_is_read(keyword: bytes) -> None:
    assert import_card(png(text(keyword, V2))).name == "咪咪"


def test_of_two_chunks_the_newer_format_wins() -> None:
    old = {**V2, "data": {**DATA, "name": "舊"}}
    assert import_card(png(text(b"chara", old), text(b"ccv3", V3))).name == "咪咪"


def test_compressed_and_international_chunks_are_read() -> None:
    packed = zlib.compress(base64.b64encode(raw(V2)))
    assert import_card(png(chunk(b"zTXt", b"chara\0\0" + packed))).name == "咪咪"
    international = b"chara\0\1\0zh\0\0" + packed
    assert import_card(png(chunk(b"iTXt", international))).name == "咪咪"
    plain = b"chara\0\0\0\0\0" + base64.b64encode(raw(V2))
    assert import_card(png(chunk(b"iTXt", plain))).name == "咪咪"


def test_a_first_generation_card_is_read() -> None:
    card = import_card(raw({"name": "老卡", "description": "x", "first_mes": "y"}))
    assert card.name == "老卡"
    assert card.notes == ("read as a V1 card",)


def test_an_imported_card_can_be_saved_loaded_and_speaks_with_the_plain_voice(tmp_path: Path) -> None:
    card = import_card(raw(V3))
    save_character(tmp_path, "mimi", card.file, card.lore)
    loaded = load_character("mimi", tmp_path)
    assert loaded.name_in("zh-TW") == "小咪"
    assert loaded.greeting("zh-TW") == "你好，我是小咪。要怎麼稱呼你？"
    assert len(loaded.lore_in("zh-TW")) == 2
    assert loaded.variants("failure.down", "ja")


REFUSED: list[tuple[bytes, str]] = [
    (b"", "empty"),
    (b"\xff\xfe\x00hello", "UTF-8"),
    (b"hello", "not valid JSON"),
    (b"[1, 2]", "object"),
    (b"{}", "field data is missing"),
    (raw({"spec": "chara_card_v3", "data": 3}), "field data"),
    (raw({"data": {}}), "field data.name"),
    (raw({"data": {"name": "   "}}), "field data.name"),
    (raw({"data": {"name": 7}}), "field data.name"),
    (raw({"data": {"name": "a", "description": ["x"]}}), "field data.description"),
    (raw({"data": {"name": "a", "description": "x" * 20_000}}), "field data.description"),
    (raw({"data": {"name": "a", "character_book": {"entries": 5}}}), "character_book.entries"),
    (b"[" * 100_000, "JSON|deep"),
    (b'{"data":' * 60 + b"1" + b"}" * 60, "deep"),
    (SIGNATURE, "no text chunk"),
    (png(), "no text chunk"),
    (png(chunk(b"tEXt", b"chara\0!!not base64!!")), "base64"),
    (png(chunk(b"tEXt", b"chara\0" + base64.b64encode(b"nonsense"))), "not valid JSON"),
    (png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"0" * (MAX_TEXT + 10)))), "larger than"),
    (b"x" * 32_000_001, "larger than"),
]


@pytest.mark.parametrize(("card", "names"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_card_is_refused_in_one_line_that_says_what_to_do(card: bytes, names: str) -> None:
    with pytest.raises(CardError, match=names) as caught:
        import_card(card)
    message = str(caught.value)
    assert "\n" not in message
    assert ";" in message
    assert len(message) < 200


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_crash_the_import(noise: bytes) -> None:
    for candidate in (noise, SIGNATURE + noise, png(chunk(b"tEXt", noise)), png(chunk(b"zTXt", noise))):
        with pytest.raises(CardError):
            import_card(candidate)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)
FIELDS = [*DATA, "nickname", "creator", "alternate_greetings", "extensions", "system_prompt"]


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), json_values))
def test_any_shape_of_fields_is_read_or_refused(data: dict[str, Any]) -> None:
    try:
        card = import_card(json.dumps({"data": data}).encode())
    except CardError as error:
        assert "\n" not in str(error)
    else:
        assert card.name


@settings(max_examples=100, deadline=None)
@given(st.lists(json_values, max_size=5))
def test_any_lorebook_is_read_or_refused(entries: list[Any]) -> None:
    try:
        card = import_card(
            json.dumps({"data": {"name": "a", "character_book": {"entries": entries}}}).encode()
        )
    except CardError as error:
        assert "\n" not in str(error)
    else:
        assert all(entry.text for entry in card.lore)


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_a_name_becomes_one_harmless_line(name: str) -> None:
    try:
        card = import_card(json.dumps({"data": {"name": name}}).encode())
    except CardError:
        return
    assert "\n" not in card.name
    assert 0 < len(card.name) <= 64
