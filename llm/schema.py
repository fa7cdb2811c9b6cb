"""A pydantic model as the JSON schema that the providers' structured modes take."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

_UNWANTED = ("title", "default", "discriminator")


def schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of ``shape``: every field required, nothing extra, no titles or defaults.

    That is what strict modes ask for, and it keeps a model from leaving out a field by habit. The
    order of the fields is kept, for a model reasons in the order it writes. Descriptions of fields
    travel; docstrings of classes do not, they speak to whoever reads the code.
    """
    schema = shape.model_json_schema()
    for described in (schema, *schema.get("$defs", {}).values()):
        described.pop("description", None)
    cleaned = _clean(schema)
    assert isinstance(cleaned, dict)
    return cleaned


def schema_text(shape: type[BaseModel]) -> str:
    """Return the schema as compact JSON, for a prompt."""
    return json.dumps(schema_of(shape), ensure_ascii=False, separators=(",", ":"))


def _clean(node: Any) -> Any:
    if isinstance(node, list):
        return [_clean(item) for item in node]
    if not isinstance(node, dict):
        return node
    cleaned = {
        key: _clean_names(value) if key in ("properties", "$defs") else _clean(value)
        for key, value in node.items()
        if key not in _UNWANTED
    }
    if "const" in cleaned:
        cleaned["enum"] = [cleaned.pop("const")]
    properties = cleaned.get("properties")
    if isinstance(properties, dict):
        cleaned["required"] = list(properties)
        cleaned["additionalProperties"] = False
    return cleaned


def _clean_names(named: dict[str, Any]) -> dict[str, Any]:
    """Clean the values only: a field may itself be called ``title``."""
    return {name: _clean(value) for name, value in named.items()}
