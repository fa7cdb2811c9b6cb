"""Checks recorded traffic against Discord's published description (OpenAPI), where a copy is at hand."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.standin.recorder import Exchange, Frame, Recorder

VARIABLE = "LILY_DISCORD_OPENAPI"
NEARBY = Path(__file__).parents[3] / "shared" / "discord" / "openapi.json"
ROOT = "urn:discord"
ID_LISTS = frozenset({"users", "roles", "sticker_ids", "applied_tags", "user_ids"})
PARTS = {
    "READY": (("user", "UserPIIResponse"),),
    "GUILD_CREATE": (
        ("roles", "GuildRoleResponse"),
        ("channels", "GuildChannelResponse"),
        ("threads", "ThreadResponse"),
        ("members", "GuildMemberResponse"),
    ),
    "CHANNEL_CREATE": (("", "GuildChannelResponse"),),
    "CHANNEL_UPDATE": (("", "GuildChannelResponse"),),
    "THREAD_CREATE": (("", "ThreadResponse"),),
    "MESSAGE_CREATE": (("", "MessageResponse"),),
    "MESSAGE_UPDATE": (("", "MessageResponse"),),
    "INTERACTION_CREATE": (
        ("member", "GuildMemberResponse"),
        ("user", "UserResponse"),
        ("message", "MessageResponse"),
    ),
}
"""Events, or fields of them, in the shape of something REST answers; lists are checked item by item."""


@dataclass(frozen=True)
class Difference:
    """Where traffic and description part."""

    where: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.where} at {self.path or '.'}: {self.message}"


class Published:
    """Discord's description, ready to check with."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._paths = {_shape(path): item for path, item in document["paths"].items()}
        self._responses = document["components"]["responses"]
        resource: Resource[Any] = Resource.from_contents(document, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(ROOT, resource)
        self._validators: dict[str, Draft202012Validator] = {}
        self.requests = 0
        self.answers = 0
        self.events = 0

    @classmethod
    def at_hand(cls) -> Self | None:
        """The copy named in the environment, or the one in the sibling folder, or None."""
        named = os.environ.get(VARIABLE)
        path = Path(named) if named else NEARBY
        return cls(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None

    def differences(self, recorder: Recorder) -> list[Difference]:
        """Everything in the record that the description doesn't allow; made-up trouble is left out."""
        found = [each for one in recorder.exchanges if not one.fault for each in self.exchange(one)]
        events = {id(frame.data): frame for frame in recorder.frames}  # what is sent twice is checked once
        return found + [each for frame in events.values() for each in self.event(frame)]

    def exchange(self, one: Exchange) -> Iterator[Difference]:
        """One request and its answer."""
        where = f"{one.method} {one.template or one.path}"
        operation = self._paths.get(_shape(one.template), {}).get(one.method.lower())
        if operation is None:
            yield Difference(where, "", "no such route is described")
            return
        described = {each["name"] for each in operation.get("parameters", []) if each.get("in") == "query"}
        for name in set(one.query) - described:
            yield Difference(where, "", f"takes no {name!r} in its query")
        refused = 400 <= one.status < 500
        if one.body is not None and not refused:
            self.requests += 1
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                yield from self._check(
                    f"request {where}", with_ids_as_text(one.body), content["application/json"]["schema"]
                )
            else:
                yield Difference(where, "", "takes no body")
        response = self._response(operation["responses"], one.status)
        if response is None:
            yield Difference(where, "", f"never answers {one.status}")
            return
        self.answers += 1
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            if one.answer is not None:
                yield Difference(where, "", f"{one.status} has no body")
            return
        yield from self._check(f"answer {where} {one.status}", one.answer, schema)

    def event(self, frame: Frame) -> Iterator[Difference]:
        """What the gateway sent, against the shape of the same thing over REST."""
        if not frame.sent or frame.name not in PARTS or not isinstance(frame.data, dict):
            return
        self.events += 1
        for key, schema in PARTS[frame.name]:
            part = frame.data.get(key) if key else frame.data
            for one in part if isinstance(part, list) else [part]:
                if one is not None:
                    where = f"event {frame.name} {key}".strip()
                    yield from self._check(where, one, {"$ref": f"#/components/schemas/{schema}"})

    def _response(self, responses: dict[str, Any], status: int) -> dict[str, Any] | None:
        for key in (str(status), f"{status // 100}XX"):
            if key in responses:
                found: dict[str, Any] = responses[key]
                return self._responses[found["$ref"].rsplit("/", 1)[1]] if "$ref" in found else found
        return None

    def _check(self, where: str, value: Any, schema: dict[str, Any]) -> Iterable[Difference]:
        validator = self._validator(schema)
        if validator.is_valid(value):
            return
        error = best_match(validator.iter_errors(as_described(value)))
        if error is not None:
            path = ".".join(str(part) for part in error.absolute_path)
            yield Difference(where, path, error.message[:300])

    def _validator(self, schema: dict[str, Any]) -> Draft202012Validator:
        key = json.dumps(schema)
        if key not in self._validators:
            rooted = json.loads(key.replace('"#/components', f'"{ROOT}#/components'))
            self._validators[key] = Draft202012Validator(rooted, registry=self._registry)
        return self._validators[key]


def _shape(template: str) -> str:
    """A path without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", template)


def with_ids_as_text(value: Any) -> Any:
    """A request with its ids as strings: clients may send numbers, the description knows only strings."""
    if isinstance(value, list):
        return [with_ids_as_text(one) for one in value]
    if not isinstance(value, dict):
        return value
    done: dict[str, Any] = {}
    for key, inner in value.items():
        is_id = key.endswith("_id") or (key == "id" and "type" not in value)
        if is_id and isinstance(inner, int) and not isinstance(inner, bool):
            done[key] = str(inner)
        elif key in ID_LISTS and isinstance(inner, list):
            done[key] = [str(one) if isinstance(one, int) else one for one in inner]
        else:
            done[key] = with_ids_as_text(inner)
    return done


def as_described(value: Any) -> Any:
    """What was sent, but for the two things the description has differently from Discord's own reference.

    The codes of single fields in a refusal are words such as ``BASE_TYPE_REQUIRED``, described as integers; a
    message reference of type 1, a forward, is not described at all.
    """
    if isinstance(value, list):
        return [as_described(one) for one in value]
    if not isinstance(value, dict):
        return value
    done = {key: as_described(inner) for key, inner in value.items()}
    if isinstance(value.get("code"), str) and value.keys() == {"code", "message"}:
        done["code"] = 0
    if isinstance(value.get("message_reference"), dict) and value["message_reference"].get("type") == 1:
        done["message_reference"]["type"] = 0
    return done
