"""From what pydantic finds to lines that name the key, what is wrong, and how to mend it."""

from __future__ import annotations

import copy
import re
import types
from collections.abc import Mapping, Sequence
from enum import EnumMeta
from typing import Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from bot.errors import Line
from bot.settings.base import near
from bot.settings.sections import Secrets, Settings

_SECRET = re.compile(r"token|api_?key|secret|passw", re.IGNORECASE)
_SHOWN = 40
_LIKELY = 0.6
_SURELY = 0.85


def lines_of(error: ValidationError, section: str, origins: Mapping[str, str]) -> list[Line]:
    """Return one line for each thing wrong in a section."""
    return [_line(details, section, origins) for details in error.errors()]


def without_faults(given: Any, error: ValidationError) -> Any:
    """Return a copy of what was given without the keys that an error is about; None where nothing is left.

    What remains can be validated again: checks over several keys only run where each is right.
    """
    if not isinstance(given, Mapping):
        return None
    rest = copy.deepcopy(dict(given))
    for details in error.errors():
        context = details.get("ctx", {})
        below = str(context["field"]).split(".") if context.get("house") and "field" in context else []
        _drop(rest, [*details["loc"], *below])
    return None if rest == given else rest


def _drop(rest: dict[str, Any], path: Sequence[int | str]) -> None:
    """Remove the deepest mapping key on a path."""
    holder, key, inner = rest, "", rest
    for part in path:
        if not isinstance(inner, dict) or part not in inner:
            break
        holder, key, inner = inner, str(part), inner[part]
    holder.pop(key, None)


def unknown_key(path: tuple[str, ...], origins: Mapping[str, str]) -> Line:
    """Return the line of a key that does not exist, with the one that was likely meant."""
    field = named(path, origins)
    siblings = _model_at(path[:-1])
    known_here = [name for name in siblings.model_fields if name != "secrets"] if siblings else []
    is_secret = path[0] == "secrets" or _SECRET.search(path[-1]) is not None
    meant = None if path[0] == "secrets" else near(path[-1], known_here, _SURELY if is_secret else _LIKELY)
    if is_secret and meant is None:
        return Line.of("settings.secret_in_config", field=field, secret=_secret_meant(path))
    if meant is not None:
        return Line.of("settings.unknown_key_near", field=field, near=".".join((*path[:-1], meant)))
    elsewhere = next((known for known in _all_keys() if known[-1] == path[-1]), None)
    if elsewhere is not None:
        return Line.of("settings.unknown_key_near", field=field, near=".".join(elsewhere))
    return Line.of("settings.unknown_key", field=field, known=", ".join(known_here))


def named(path: tuple[str, ...], origins: Mapping[str, str]) -> str:
    """Return a dotted key, with the variable that set it where one did."""
    dotted = ".".join(path)
    origin = origins.get(dotted) or next(
        (variable for key, variable in origins.items() if key.startswith(f"{dotted}.")), None
    )
    return f"{dotted} ({origin})" if origin else dotted


def _line(details: ErrorDetails, section: str, origins: Mapping[str, str]) -> Line:
    context = details.get("ctx", {})
    path = (section, *(str(part) for part in details["loc"] if not _is_noise(part)))
    if context.get("house"):
        if "field" in context:
            path = (*path, *str(context["field"]).split("."))
        values = {name: _value(value) for name, value in context.items() if name not in {"house", "field"}}
        return Line.of(f"settings.{details['type']}", field=named(path, origins), **values)
    if details["type"] == "extra_forbidden":
        return unknown_key(path, origins)
    if details["type"] == "missing":
        return Line.of("settings.missing", field=named(path, origins))
    field = _field_at(path)
    is_section = details["type"] in {"model_type", "model_attributes_type", "mapping_type", "dict_type"}
    return Line.of(
        "settings.expected",
        field=named(path, origins),
        value=_value(details["input"]),
        expected=Line.of("settings.kinds.section") if is_section or not field else _expected(field, details),
    )


def _is_noise(part: int | str) -> bool:
    """Whether a part of a location names a branch of a type and not a key."""
    return isinstance(part, str) and (part in {"[key]"} or "[" in part or "(" in part)


def _value(value: object) -> str:
    shown = "true" if value is True else "false" if value is False else str(value)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"


def _expected(field: FieldInfo, details: ErrorDetails) -> Line:
    annotation = field.annotation
    types_inside = list(_leaves(annotation))
    if details["type"] in {"literal_error", "enum"}:
        return Line.of("settings.kinds.choice", choices=", ".join(_choices(types_inside)))
    if any(get_origin(kind) is tuple for kind in types_inside) and isinstance(details["loc"][-1], str):
        return Line.of("settings.kinds.list")
    choices = _choices(types_inside)
    if choices:
        return Line.of("settings.kinds.choice", choices=", ".join(choices))
    kind = "switch" if bool in types_inside else "whole" if int in types_inside else None
    kind = kind or ("number" if float in types_inside else "text")
    low, above, high = _bounds([*field.metadata, *_metadata(annotation)])
    if low is None and above is None and high is None:
        return Line.of(f"settings.kinds.{kind}")
    start = low if low is not None else above
    ends = {"low": f"{start:g}" if start is not None else "", "high": f"{high:g}" if high is not None else ""}
    return Line.of(f"settings.kinds.{kind}_{'above' if low is None else 'from'}", **ends)


def _leaves(annotation: Any) -> list[Any]:
    """Return the plain types inside Annotated, optionals and tuples."""
    origin = get_origin(annotation)
    if origin in {Union, types.UnionType}:
        return [leaf for part in get_args(annotation) for leaf in _leaves(part)]
    if origin is tuple:
        return [annotation, *(leaf for part in get_args(annotation)[:1] for leaf in _leaves(part))]
    if hasattr(annotation, "__metadata__"):
        return _leaves(get_args(annotation)[0])
    return [] if annotation is type(None) else [annotation]


def _metadata(annotation: Any) -> list[Any]:
    inner = [found for part in get_args(annotation) for found in _metadata(part)]
    for item in getattr(annotation, "__metadata__", ()):
        inner.extend(item.metadata if isinstance(item, FieldInfo) else [item])
    return inner


def _bounds(metadata: list[Any]) -> tuple[float | None, float | None, float | None]:
    low: float | None = None
    above: float | None = None
    high: float | None = None
    for item in metadata:
        low = float(item.ge) if isinstance(item, annotated_types.Ge) else low  # type: ignore[arg-type]
        above = float(item.gt) if isinstance(item, annotated_types.Gt) else above  # type: ignore[arg-type]
        high = float(item.le) if isinstance(item, annotated_types.Le) else high  # type: ignore[arg-type]
    return low, above, high


def _choices(kinds: list[Any]) -> list[str]:
    found: list[str] = []
    for kind in kinds:
        if get_origin(kind) is Literal:
            found.extend(str(choice) for choice in get_args(kind))
        elif isinstance(kind, EnumMeta):
            members: list[Any] = list(kind)
            found.extend(str(member.value) for member in members)
    return found


def _model_at(path: tuple[str, ...]) -> type[BaseModel] | None:
    """Return the model whose keys live below a dotted path."""
    model: type[BaseModel] = Settings
    for part in path:
        field = model.model_fields.get(part)
        inner = None if field is None else _model_in(field.annotation)
        if inner is None:
            # below a mapping (thresholds) the next part is a name that people choose
            return model if model is not Settings and part not in model.model_fields else None
        model = inner
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _field_at(path: tuple[str, ...]) -> FieldInfo | None:
    model = _model_at(path[:-1])
    return model.model_fields.get(path[-1]) if model else None


def _all_keys(model: type[BaseModel] = Settings, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = []
    for name, field in model.model_fields.items():
        if name == "secrets":
            continue
        keys.append((*above, name))
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            keys.extend(_all_keys(field.annotation, (*above, name)))
    return keys


def _secret_meant(path: tuple[str, ...]) -> str:
    names = [name.upper() for name in Secrets.model_fields]
    whole = "_".join(path).upper()
    return near(whole, names, 0.4) or near(path[-1], names, 0.3) or names[0]
