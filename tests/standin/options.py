"""A slash command's options as a person's client fills them in: types, ranges, choices, resolved ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.standin import permissions, shapes
from tests.standin.errors import Refused
from tests.standin.model import Application, Channel, Role, User
from tests.standin.permissions import USE_COMMANDS, in_channel, may
from tests.standin.routes_messages import attachment
from tests.standin.world import World

SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)


@dataclass
class Filled:
    """Values by option name; ``focused`` is the one being typed, for autocomplete."""

    values: Mapping[str, Any]
    focused: str | None = None
    used: set[str] = field(default_factory=set)


def called(thing: Mapping[str, Any], locale: str) -> set[str]:
    """The names a command or option goes by: its own, and the one people of this language see."""
    shown = (thing.get("name_localizations") or {}).get(locale)
    return {thing["name"], shown} if shown else {thing["name"]}


def find(bot: Application, channel: Channel, name: str, kind: int, locale: str) -> dict[str, Any]:
    """The command of that name: the server's own before the one for everywhere."""
    tables = [bot.commands.get(channel.guild.id if channel.guild else -1, {}), bot.commands.get(None, {})]
    for table in tables:
        for command in table.values():
            if command["type"] == kind and name in called(command, locale):
                return command
    raise Refused(f"no command {name!r} here")


def may_use(command: Mapping[str, Any], channel: Channel, user: User) -> None:
    """Refuse a command this person isn't offered in this place."""
    if not may(channel, user, USE_COMMANDS):
        raise Refused("no permission to use commands here")
    contexts = command.get("contexts")
    if contexts is not None and (0 if channel.guild else 1) not in contexts:
        raise Refused("the command is not offered here")
    needed = command.get("default_member_permissions")
    if needed is not None and channel.guild is not None:
        held = in_channel(channel, user)
        admin = held & permissions.ADMINISTRATOR
        if not admin and (int(needed) == 0 or held & int(needed) != int(needed)):
            raise Refused("the command is for members with other permissions")


class Maker:
    """Turns values into what Discord sends, collecting what their ids stand for."""

    def __init__(self, world: World, channel: Channel, locale: str = "en-US") -> None:
        self._world = world
        self._channel = channel
        self._locale = locale
        self.resolved: dict[str, dict[str, Any]] = {}

    def fill(self, command: Mapping[str, Any], path: list[str], filled: Filled) -> dict[str, Any]:
        """The ``options`` and ``resolved`` of an interaction's data."""
        made = self._level(command.get("options") or [], path, filled)
        unknown = set(filled.values) - filled.used
        if unknown:
            raise Refused(f"no such option: {', '.join(sorted(unknown))}")
        data: dict[str, Any] = {"options": made}
        if self.resolved:
            data["resolved"] = self.resolved
        return data

    def _level(self, offered: list[dict[str, Any]], path: list[str], filled: Filled) -> list[dict[str, Any]]:
        if path:
            part = next(
                (
                    one
                    for one in offered
                    if one["type"] in {SUB, GROUP} and path[0] in called(one, self._locale)
                ),
                None,
            )
            if part is None:
                raise Refused(f"no sub-command {path[0]!r}")
            inside = self._level(part.get("options") or [], path[1:], filled)
            return [{"name": part["name"], "type": part["type"], "options": inside}]
        if any(one["type"] in {SUB, GROUP} for one in offered):
            raise Refused("a sub-command is missing")
        made = []
        for option in offered:
            name = next((one for one in called(option, self._locale) if one in filled.values), None)
            if name is not None:
                filled.used.add(name)
                made.append(self._option(option, filled.values[name], focused=name == filled.focused))
            elif option.get("required") and filled.focused is None:
                raise Refused(f"option {option['name']!r} is required")
        return made

    def _option(self, option: dict[str, Any], value: Any, *, focused: bool) -> dict[str, Any]:
        made = {"name": option["name"], "type": option["type"]}
        if focused:
            if not option.get("autocomplete"):
                raise Refused(f"option {option['name']!r} has no autocomplete")
            return made | {"value": str(value), "focused": True}
        return made | {"value": self._value(option, value)}

    def _value(self, option: dict[str, Any], value: Any) -> Any:
        name, kind = option["name"], option["type"]
        if kind in {USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT}:
            return self.resolve(value)
        right: Any = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: (int, float)}[kind]
        if option.get("choices"):
            for choice in option["choices"]:
                if value in (choice["value"], choice["name"]):
                    return choice["value"]
            raise Refused(f"{value!r} is no choice of {name!r}")
        if not isinstance(value, right) or (kind != BOOLEAN and isinstance(value, bool)):
            raise Refused(f"{value!r} doesn't fit option {name!r}")
        size = len(value) if kind == STRING else value
        low, high = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
        if kind != BOOLEAN and (size < option.get(low, size) or size > option.get(high, size)):
            raise Refused(f"{name!r} is out of range")
        if kind == STRING and len(value) > 6000:
            raise Refused(f"{name!r} is too long")
        return value

    def resolve(self, value: Any) -> str:
        """The id of a person, role, channel or (name, content) of a file; what it stands for is kept."""
        value = getattr(value, "user", value)
        if isinstance(value, User):
            for key, part in self.resolved_user(value).items():
                self.resolved.setdefault(key, {}).update(part)
            return str(value.id)
        if isinstance(value, Role):
            self.resolved.setdefault("roles", {})[str(value.id)] = shapes.role(value)
            return str(value.id)
        if isinstance(value, Channel):
            shape = shapes.channel(value) | {"permissions": str(permissions.USUAL)}
            self.resolved.setdefault("channels", {})[str(value.id)] = shape
            return str(value.id)
        name, content = value
        made = attachment(self._world, self._channel, name, content) | {"ephemeral": True}
        self.resolved.setdefault("attachments", {})[made["id"]] = made
        return str(made["id"])

    def resolved_user(self, user: User) -> dict[str, Any]:
        """An account, and its membership if there is one here."""
        found: dict[str, Any] = {"users": {str(user.id): shapes.user(user)}}
        guild = self._channel.guild
        if guild is not None and user.id in guild.members:
            member = shapes.member(guild.members[user.id], with_user=False)
            held = str(permissions.in_channel(self._channel, user))
            found["members"] = {str(user.id): member | {"permissions": held}}
        return found
