"""REST: registering application commands, everywhere or on one server."""

from __future__ import annotations

from typing import Any

from tests.standin import command_checks
from tests.standin.errors import ApiError, missing_access
from tests.standin.rest import Call, Route, found_or_404

Table = dict[int, dict[str, Any]]


def _table(call: Call) -> Table:
    if call.id("application_id") != call.bot.id:
        raise ApiError(403, 20012, "You are not authorized to perform this action on this application")
    where = call.id("guild_id") if "guild_id" in call.args else None
    if where is not None:
        guild = call.world.guilds.get(where)
        if guild is None or call.bot.user.id not in guild.members:
            raise missing_access()
    return call.bot.commands.setdefault(where, {})


def _settled(call: Call, given: dict[str, Any], number: int | None) -> dict[str, Any]:
    """A command as Discord gives it back."""
    permissions = given.get("default_member_permissions")
    kept = {key: value for key, value in given.items() if value is not None}
    command: dict[str, Any] = {
        "type": 1,
        "description": "",
        "nsfw": False,
        "contexts": None,
        "integration_types": [0],
        **kept,
        "id": str(number or call.world.new_id()),
        "application_id": str(call.bot.id),
        "version": str(call.world.new_id()),
        "default_member_permissions": None if permissions is None else str(permissions),
        "name_localizations": given.get("name_localizations"),
        "description_localizations": given.get("description_localizations"),
    }
    command.pop("dm_permission", None)
    if "options" in command:
        command["options"] = [_option(one) for one in command["options"]]
    if "guild_id" in call.args:
        command["guild_id"] = call.args["guild_id"]
        command.pop("integration_types")
        command.pop("contexts")
    return command


def _option(given: dict[str, Any]) -> dict[str, Any]:
    option = {key: value for key, value in given.items() if value is not None}
    if "options" in option:
        option["options"] = [_option(one) for one in option["options"]]
    return option


def _key(command: dict[str, Any]) -> tuple[int, str]:
    return command.get("type") or 1, command["name"]


def _list(call: Call) -> Any:
    return list(_table(call).values())


def _replace_all(call: Call) -> Any:
    table = _table(call)
    command_checks.commands(call.body)
    known = {_key(one): number for number, one in table.items()}
    made = [_settled(call, one, known.get(_key(one))) for one in call.body]
    table.clear()
    table.update({int(one["id"]): one for one in made})
    call.world.change()
    return made


def _upsert(call: Call) -> Any:
    table = _table(call)
    command_checks.command(call.body)
    known = {_key(one): number for number, one in table.items()}
    others = [one for one in table.values() if _key(one) != _key(call.body)]
    command_checks.commands([*others, call.body])
    made = _settled(call, call.body, known.get(_key(call.body)))
    table[int(made["id"])] = made
    return made


def _find(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = found_or_404(
        _table(call).get(call.id("command_id")), 10063, "application command"
    )
    return found


def _get(call: Call) -> Any:
    return _find(call)


def _change(call: Call) -> Any:
    merged = {**_find(call), **call.body}
    command_checks.command(merged)
    made = _settled(call, merged, call.id("command_id"))
    _table(call)[int(made["id"])] = made
    return made


def _delete(call: Call) -> Any:
    _find(call)
    del _table(call)[call.id("command_id")]


ROUTES = [
    Route(method, f"/applications/{{application_id}}{where}/commands{tail}", handle)
    for where in ("", "/guilds/{guild_id}")
    for method, tail, handle in (
        ("GET", "", _list),
        ("PUT", "", _replace_all),
        ("POST", "", _upsert),
        ("GET", "/{command_id}", _get),
        ("PATCH", "/{command_id}", _change),
        ("DELETE", "/{command_id}", _delete),
    )
]
