"""From a model's text to a validated shape: find the JSON, check it, ask once more, else say why not."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, RootModel, ValidationError

from llm.errors import ModelEmpty, ModelMalformed
from llm.protocols import Shape

REPAIR_ECHO = 4_000
"""Characters of a failed answer shown to the model again; enough for any shape here."""

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENS_OBJECT = re.compile(r'\{\s*(?:"|\})')

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said; ``cut`` when the token limit ended it."""

    text: str
    cut: bool = False


class Unfit(Exception):
    """The text is not the shape. ``reason`` is safe for a log, ``advice`` is for the model alone."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


async def answer_in_shape(ask: Callable[[str], Awaitable[Said]], prompt: str, shape: type[Shape]) -> Shape:
    """Ask, validate, and ask once more with the error.

    An empty first answer is asked for again as it is. Raises what ``ask`` raises;
    :class:`ModelMalformed` when the second answer does not fit either.
    """
    try:
        said = await ask(prompt)
    except ModelEmpty:
        return await _last(ask, prompt, shape)
    try:
        return read(said.text, shape)
    except Unfit as unfit:
        advice = f"{unfit.advice} The answer was cut off: be much shorter." if said.cut else unfit.advice
    return await _last(ask, repair_prompt(prompt, said.text, advice), shape)


async def _last(ask: Callable[[str], Awaitable[Said]], prompt: str, shape: type[Shape]) -> Shape:
    said = await ask(prompt)
    try:
        return read(said.text, shape)
    except Unfit as unfit:
        cut = " (cut off at the token limit)" if said.cut else ""
        reason = f"no {shape.__name__} after two tries{cut}: {unfit.reason}"
    raise ModelMalformed(reason)


def repair_prompt(prompt: str, answer: str, advice: str) -> str:
    """Return the prompt that asks for a failed answer once more."""
    return (
        f"{prompt}\n\n---\nYour previous answer could not be used.\n"
        f"Previous answer:\n{answer[:REPAIR_ECHO]}\n\nProblem: {advice}\n"
        "Answer again: one JSON object of the required shape, nothing before or after it."
    )


def without_thoughts(text: str) -> str:
    """Return ``text`` without ``<think>`` blocks, closed or not, stripped.

    A lone closing tag ends thoughts whose opening the chat template swallowed.
    """
    text = _THOUGHTS.sub("", text)
    return re.split(r"</think(?:ing)?>", text, flags=re.IGNORECASE)[-1].strip()


def read(text: str, shape: type[Shape]) -> Shape:
    """Return the ``shape`` a text holds: plain JSON, fenced, or after thoughts or a sentence.

    Raises :class:`Unfit`. An object that shares no field with the shape is unfit even where every
    field has a default: else a broken answer would pass for "nothing found".
    """
    unfit = Unfit("no JSON object in it", "It holds no JSON object.")
    for candidate in _objects(without_thoughts(text)):
        try:
            return _validated(candidate, shape)
        except Unfit as error:
            unfit = error
    raise unfit


def _objects(text: str) -> Iterator[str]:
    """Yield the outermost JSON objects of a text.

    A broken object ends the search: what stands inside it is a part, and a part may pass for a
    whole where fields have defaults.
    """
    at = text.find("{")
    while at >= 0:
        try:
            _, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if _OPENS_OBJECT.match(text, at):
                raise Unfit("broken JSON", "The JSON is broken or incomplete.") from None
            end = at + 1
        else:
            yield text[at:end]
        at = text.find("{", end)


def _validated(candidate: str, shape: type[Shape]) -> Shape:
    known = _field_names(shape)
    if not issubclass(shape, RootModel) and known and known.isdisjoint(json.loads(candidate)):
        expected = ", ".join(sorted(known))
        raise Unfit("none of the expected fields", f"It has none of the expected fields: {expected}.")
    try:
        return shape.model_validate_json(candidate)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
    names = _all_names(shape)
    reason = "; ".join(f"{_safe_path(item['loc'], names)}: {item['type']}" for item in problems[:5])
    advice = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in problems[:10])
    raise Unfit(reason, advice)


def _field_names(shape: type[BaseModel]) -> set[str]:
    names = set(shape.model_fields)
    for field in shape.model_fields.values():
        if field.alias is not None:
            names.add(field.alias)
        if isinstance(field.validation_alias, str):
            names.add(field.validation_alias)
    return names


def _all_names(shape: type[BaseModel]) -> set[str]:
    """Return every property name of the shape: the only words of a path that a log may hold."""
    found: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict):
                found.update(node["properties"])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(shape.model_json_schema())
    return found


def _safe_path(path: tuple[int | str, ...], names: set[str]) -> str:
    return ".".join(str(part) if isinstance(part, int) or part in names else "?" for part in path) or "(all)"
