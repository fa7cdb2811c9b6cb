"""Lore: documents with keys, languages, half-life and expiry."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pydantic import ValidationError

from memory.catalog import LANGUAGES
from memory.model import Kind
from persona.lore import LoreDocument, documents_of, lore_for
from tests.persona.scenes import NOW, character


def test_an_entry_in_three_languages_becomes_three_documents() -> None:
    entry = {"id": "oven", "kind": "VERSIONED", "half_life_days": 45, "text": {"zh-TW": "烤箱", "en": "oven"}}
    documents = documents_of(entry, "character:x")
    assert [(d.id, d.language, d.text) for d in documents] == [
        ("oven:zh-TW", "zh-TW", "烤箱"),
        ("oven:en", "en", "oven"),
    ]
    assert {(d.kind, d.half_life_days, d.source) for d in documents} == {
        (Kind.VERSIONED, 45.0, "character:x")
    }


@pytest.mark.parametrize("who", ["lily", "shike"])
def test_each_character_has_the_same_lore_in_every_language(who: str) -> None:
    per_language = [{d.id.split(":")[0] for d in character(who).lore_in(tag)} for tag in LANGUAGES]
    assert per_language[0] == per_language[1] == per_language[2] != set()
    assert all(d.language == tag for tag in LANGUAGES for d in character(who).lore_in(tag))


def test_a_key_calls_lore_up_in_either_script() -> None:
    documents = (
        LoreDocument(id="a", text="她怕打雷", keys=("打雷",)),
        LoreDocument(id="b", text="無關", keys=("貓",)),
    )
    assert [d.id for d in lore_for(documents, "外面在打雷", "zh-TW", NOW)] == ["a"]
    snow = (LoreDocument(id="c", text="她喜歡下雪", keys=("聖誕節",)),)
    assert [d.id for d in lore_for(snow, "圣诞节快到了", "zh-TW", NOW)] == ["c"]


def test_constant_lore_comes_first_and_always() -> None:
    documents = (LoreDocument(id="a", text="x", keys=("貓",)), LoreDocument(id="b", text="y", constant=True))
    assert [d.id for d in lore_for(documents, "貓", "zh-TW", NOW)] == ["b", "a"]
    assert [d.id for d in lore_for(documents, "狗", "zh-TW", NOW)] == ["b"]


def test_lore_leaves_at_its_expiry_or_the_days_after_its_end() -> None:
    fixed = LoreDocument(id="a", text="x", expires_at=NOW)
    counted = LoreDocument(id="b", text="x", valid_to=NOW - timedelta(days=3), expires_after_days=3)
    assert not fixed.live_at(NOW)
    assert fixed.live_at(NOW - timedelta(seconds=1))
    assert not counted.live_at(NOW)
    assert LoreDocument(id="c", text="x", expires_after_days=3).live_at(NOW)


@pytest.mark.parametrize(
    "field", [{"half_life_days": 0}, {"text": ""}, {"id": ""}, {"kind": "OTHER"}, {"colour": 1}]
)
def test_a_document_that_makes_no_sense_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LoreDocument.model_validate({"id": "a", "text": "x", **field})
