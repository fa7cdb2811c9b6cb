from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, Field

from llm.schema import schema_of, schema_text


class Mood(StrEnum):
    GLAD = "glad"
    SAD = "sad"


class Part(BaseModel):
    """What a part is."""

    title: str = "none"
    default: int = 0


class Whole(BaseModel):
    """What is asked for."""

    reason: str = Field("", description="think first")
    kind: Literal["only"] = "only"
    mood: Mood = Mood.GLAD
    parts: tuple[Part, ...] = ()
    note: str | None = None


def objects(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for item in node for found in objects(item)]
    if not isinstance(node, dict):
        return []
    inner = [found for value in node.values() for found in objects(value)]
    return [node, *inner] if isinstance(node.get("properties"), dict) else inner


def test_every_field_of_every_object_is_required_and_nothing_else_allowed() -> None:
    found = objects(schema_of(Whole))
    assert len(found) == 2
    assert all(one["required"] == list(one["properties"]) for one in found)
    assert all(one["additionalProperties"] is False for one in found)


def test_the_order_of_the_fields_is_kept() -> None:
    assert list(schema_of(Whole)["properties"]) == ["reason", "kind", "mood", "parts", "note"]


def test_fields_named_like_schema_words_survive() -> None:
    assert list(schema_of(Whole)["$defs"]["Part"]["properties"]) == ["title", "default"]


def test_titles_and_defaults_stay_home_and_descriptions_travel() -> None:
    reason = schema_of(Whole)["properties"]["reason"]
    assert reason == {"type": "string", "description": "think first"}


def test_docstrings_of_classes_stay_home() -> None:
    assert "What is asked for" not in schema_text(Whole)
    assert "What a part is" not in schema_text(Whole)


def test_a_constant_is_an_enumeration_of_one() -> None:
    assert schema_of(Whole)["properties"]["kind"] == {"type": "string", "enum": ["only"]}


def test_the_text_is_the_same_schema() -> None:
    assert json.loads(schema_text(Whole)) == schema_of(Whole)
