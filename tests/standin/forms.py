"""Forms and selects as a person's client fills them in, in both styles a form can have (rows, labels)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.standin.checks import LABELLED, ROW, SELECTS, STRING_SELECT, TEXT_INPUT
from tests.standin.errors import Refused
from tests.standin.options import Maker

FILE_UPLOAD = 19


def chosen(
    select: Mapping[str, Any], values: Sequence[Any], maker: Maker
) -> tuple[list[str], dict[str, Any]]:
    """The values a select sends, and what their ids stand for."""
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if not low <= len(values) <= high:
        raise Refused(f"between {low} and {high} must be chosen")
    if select["type"] != STRING_SELECT:
        return [maker.resolve(one) for one in values], maker.resolved
    by_name = {one["label"]: one["value"] for one in select["options"]}
    by_name |= {one["value"]: one["value"] for one in select["options"]}
    for one in values:
        if one not in by_name:
            raise Refused(f"{one!r} is not on offer")
    return [by_name[one] for one in values], {}


def filled(
    modal: Mapping[str, Any], values: Mapping[str, Any], maker: Maker
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The components a form sends; fields not named keep what the bot put there."""
    left = dict(values)
    parts = [_part(part, index, left, maker) for index, part in enumerate(modal["components"], start=1)]
    if left:
        raise Refused(f"no such field: {', '.join(sorted(left))}")
    return parts, maker.resolved


def _part(part: Mapping[str, Any], number: int, left: dict[str, Any], maker: Maker) -> dict[str, Any]:
    if part["type"] == ROW:
        inside = [_field(one, one.get("label"), left, maker) for one in part["components"]]
        return {"type": ROW, "id": number, "components": inside}
    if part["type"] == LABELLED:
        inner = _field(part["component"], part.get("label"), left, maker)
        return {"type": LABELLED, "id": number, "component": inner}
    return {"type": part["type"], "id": number}


def _field(one: Mapping[str, Any], label: str | None, left: dict[str, Any], maker: Maker) -> dict[str, Any]:
    name = next((key for key in (label, one["custom_id"]) if key in left), None)
    made: dict[str, Any] = {"type": one["type"], "id": one.get("id") or 100, "custom_id": one["custom_id"]}
    if one["type"] == TEXT_INPUT:
        text = left.pop(name) if name else one.get("value") or ""
        made["value"] = _text(one, label, text)
    elif one["type"] in SELECTS:
        default = [each["value"] for each in one.get("options") or [] if each.get("default")]
        given = left.pop(name) if name else default
        if given or one.get("required", True):
            made["values"], _ = chosen(one, given, maker)
        else:
            made["values"] = []
    elif one["type"] == FILE_UPLOAD:
        made["values"] = [maker.resolve(each) for each in (left.pop(name) if name else [])]
    else:
        raise Refused(f"fields of type {one['type']} are not served here")
    return made


def _text(one: Mapping[str, Any], label: str | None, text: str) -> str:
    if one.get("required", True) and not text:
        raise Refused(f"{label or one['custom_id']!r} is required")
    if text and len(text) < (one.get("min_length") or 0):
        raise Refused(f"{label or one['custom_id']!r} is too short")
    if len(text) > (one.get("max_length") or 4000):
        raise Refused(f"{label or one['custom_id']!r} is too long")
    return text
