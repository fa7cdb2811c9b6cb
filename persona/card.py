"""Import of character cards, V1 to V3, from JSON or the text of a PNG. Every byte is hostile until read."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from memory.catalog import DEFAULT_LANGUAGE
from memory.text import single_line
from persona.character import MAX_FIELD, MAX_NAME, CardData, first_problem
from persona.lore import MAX_LORE_DOCUMENTS, MAX_LORE_TEXT, LoreDocument
from persona.png import SIGNATURE, PngError, text_chunks

MAX_CARD_BYTES = 32_000_000
MAX_JSON_BYTES = 4_000_000
MAX_DEPTH = 40
_SPECS = ("chara_card_v2", "chara_card_v3")
_TEXT_FIELDS = tuple(
    name for name, field in CardData.model_fields.items() if field.annotation is str and name != "name"
)
_DECORATOR = re.compile(r"^@@.*$", re.MULTILINE)


class CardError(ValueError):
    """A card that can't be imported. The message is one line that names the field and the fix."""


@dataclass(frozen=True, slots=True)
class ImportedCard:
    """A card in our own form: ``file`` is what goes into ``character.yaml``, ``notes`` what was left out."""

    name: str
    file: Mapping[str, Any]
    lore: tuple[LoreDocument, ...]
    notes: tuple[str, ...] = ()


def import_card(raw: bytes, language: str = DEFAULT_LANGUAGE) -> ImportedCard:
    """Read a card; :class:`CardError` on anything that is none. ``language`` is that of its lore."""
    if len(raw) > MAX_CARD_BYTES:
        raise CardError(f"card: larger than {MAX_CARD_BYTES // 1_000_000} MB; use a smaller picture")
    if not raw:
        raise CardError("card: the file is empty; give a card as JSON or PNG")
    text = _json_of_png(raw) if raw.startswith(SIGNATURE) else raw
    card = _parse(text)
    data, notes = _data_of(card)
    fields, field_notes = _clean(data)
    notes += field_notes
    try:
        checked = CardData.model_validate(fields)
    except ValidationError as error:
        raise CardError(f"card: {first_problem(error, 'data')}") from None
    lore, lore_notes = _lore_of(data.get("character_book"), checked.name, language)
    kept = checked.model_dump(mode="json", exclude_defaults=True)
    file = {"spec": "chara_card_v3", "spec_version": "3.0", "data": kept}
    return ImportedCard(checked.name, file, lore, tuple(notes + lore_notes))


def _json_of_png(raw: bytes) -> bytes:
    try:
        chunks = text_chunks(raw)
    except PngError as error:
        raise CardError(f"card: {error}; export the card again") from None
    for keyword in ("ccv3", "chara"):
        if keyword in chunks:
            return _decode(chunks[keyword], keyword)
    raise CardError("card: the PNG holds no text chunk 'ccv3' or 'chara'; export it as a character card")


def _decode(chunk: bytes, keyword: str) -> bytes:
    stripped = chunk.strip()
    if stripped.startswith(b"{"):
        return stripped
    try:
        return base64.b64decode(re.sub(rb"\s+", b"", stripped), validate=True)
    except (binascii.Error, ValueError):
        raise CardError(f"card: chunk {keyword!r} is not base64; export the card again") from None


def _parse(text: bytes) -> Mapping[str, Any]:
    if len(text) > MAX_JSON_BYTES:
        raise CardError(f"card: its JSON is larger than {MAX_JSON_BYTES // 1_000_000} MB; shorten the card")
    try:
        loaded = json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CardError("card: not UTF-8; save the card as UTF-8 JSON or as PNG") from None
    except RecursionError:
        raise CardError("card: nested too deep; export the card again") from None
    except ValueError as error:
        line = getattr(error, "lineno", None)
        where = f", line {line}" if line else ""
        raise CardError(f"card{where}: not valid JSON; give a character card as JSON or PNG") from None
    if not isinstance(loaded, Mapping):
        raise CardError("card: expected an object with the field data; give a character card")
    if _deeper_than(loaded, MAX_DEPTH):
        raise CardError("card: nested too deep; export the card again")
    return loaded


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            child
            for node in level
            for child in (
                node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
            )
            if isinstance(child, Mapping | list)
        ]
        if not level:
            return False
    return True


def _data_of(card: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    """Return the fields of a V2/V3 card, or of a V1 card, whose fields lie at the top."""
    spec = card.get("spec")
    if "data" in card:
        if not isinstance(card["data"], Mapping):
            raise CardError("card: field data is no object; put the character's fields into it")
        known = isinstance(spec, str) and spec in _SPECS
        shown = single_line(str(spec), 40)
        return card["data"], [] if known else [f"field spec is {shown!r}, read as a V2 card"]
    if isinstance(card.get("name"), str) and ("description" in card or "first_mes" in card):
        return card, ["read as a V1 card"]
    raise CardError("card: field data is missing; give a character card (V2 or V3)")


def _clean(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Bring the fields into our shape: wrong types are told, control characters and lone surrogates go."""
    if not isinstance(data.get("name"), str) or not (name := single_line(_tidy(data["name"]), MAX_NAME)):
        raise CardError("card: field data.name is missing or no text; give the character a name")
    fields: dict[str, Any] = {"name": name}
    notes: list[str] = []
    for key in _TEXT_FIELDS:
        value = data.get(key)
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            raise CardError(f"card: field data.{key} is no text; put it in quotes")
        tidy = _tidy(value)
        if key in {"nickname", "creator", "character_version"}:
            tidy = single_line(tidy, MAX_NAME)
        if len(tidy) > MAX_FIELD:
            raise CardError(f"card: field data.{key} is too long; keep it under {MAX_FIELD} characters")
        fields[key] = tidy
    for key, limit in (("tags", 64), ("alternate_greetings", 32)):
        value = data.get(key)
        if isinstance(value, list):
            texts = [_tidy(item)[:MAX_FIELD] for item in value if isinstance(item, str)]
            fields[key] = texts[:limit]
            if len(texts) > limit:
                notes.append(f"field data.{key}: the first {limit} of {len(texts)} kept")
        elif value is not None:
            notes.append(f"field data.{key} is no list and was left out")
    return fields, notes


def _tidy(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c for c in whole.replace("\r\n", "\n") if c in "\n\t" or c.isprintable()).strip()


def _lore_of(book: Any, name: str, language: str) -> tuple[tuple[LoreDocument, ...], list[str]]:
    if book is None:
        return (), []
    entries = book.get("entries") if isinstance(book, Mapping) else None
    if isinstance(entries, Mapping):  # world-info files number their entries
        entries = list(entries.values())
    if not isinstance(entries, list):
        raise CardError("card: field data.character_book.entries is no list; export the lorebook again")
    lore: list[LoreDocument] = []
    skipped = 0
    for place, entry in enumerate(entries):
        text = _entry_text(entry)
        if not text or entry.get("enabled") is False or len(lore) >= MAX_LORE_DOCUMENTS:
            skipped += 1
            continue
        keys = entry.get("keys", entry.get("key"))
        lore.append(
            LoreDocument(
                id=f"entry-{place + 1}",
                text=text,
                language=language,
                keys=tuple(single_line(_tidy(key), 80) for key in keys if isinstance(key, str))[:32]
                if isinstance(keys, list) and entry.get("use_regex") is not True
                else (),
                constant=entry.get("constant") is True,
                source=f"card:{name}",
            )
        )
    return tuple(lore), [
        f"{skipped} lorebook entries were empty, switched off or too many"
    ] if skipped else []


def _entry_text(entry: Any) -> str:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("content"), str):
        return ""
    return _DECORATOR.sub("", _tidy(entry["content"])).strip()[:MAX_LORE_TEXT]
