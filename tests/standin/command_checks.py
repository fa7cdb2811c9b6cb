"""What Discord refuses in a command: the name pattern, lengths, 25 options or choices, 8000 in all."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tests.standin.errors import ApiError, bad_length, form, required, too_long

Body = Mapping[str, Any]

_LOCALES = (
    "id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th "
    "zh-CN ja zh-TW ko"
)
LOCALES = frozenset(_LOCALES.split())
CHAT, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUB, GROUP = 1, 2
LIMIT, SUM = 25, 8000
PER_KIND = {CHAT: 100, USER_MENU: 15, MESSAGE_MENU: 15}

_LETTER = re.compile(r"[-_'\w\u0900-\u097F\u0E00-\u0E7F]{1,32}")


def good_name(name: str) -> bool:
    """Whether a slash command or option may be called that: 1 to 32 letters, digits, - _ ', no capitals."""
    return bool(_LETTER.fullmatch(name)) and name == name.lower()


def commands(given: Sequence[Body]) -> None:
    """Refuse a whole set: too many of a kind, or two with one name."""
    for kind, limit in PER_KIND.items():
        names = [one.get("name") for one in given if (one.get("type") or CHAT) == kind]
        if len(names) > limit:
            raise ApiError(400, 30032, f"Maximum number of application commands reached ({limit})")
        if len(set(names)) != len(names):
            raise form(
                "name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
    for index, one in enumerate(given):
        command(one, str(index))


def command(one: Body, path: str = "") -> None:
    """Refuse one command."""
    kind = one.get("type") or CHAT
    prefix = f"{path}." if path else ""
    _names(one, prefix, chat=kind == CHAT)
    if kind == CHAT:
        _descriptions(one, prefix)
    elif one.get("description") or one.get("options"):
        raise form(
            f"{prefix}description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_EMPTY", "Not for menus"
        )
    _options(one.get("options") or [], prefix, depth=0)
    if _total(one) > SUM:
        raise form(f"{prefix}name", "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({SUM})")


def _names(one: Body, prefix: str, *, chat: bool) -> None:
    if one.get("name") is None:
        raise required(f"{prefix}name")
    named = {"name": one["name"]} | {
        f"name_localizations.{locale}": text for locale, text in (one.get("name_localizations") or {}).items()
    }
    _locales(one, "name_localizations", prefix)
    for key, text in named.items():
        if not 1 <= len(text) <= 32:
            raise bad_length(f"{prefix}{key}", 1, 32)
        if chat and not good_name(text):
            raise form(f"{prefix}{key}", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _descriptions(one: Body, prefix: str) -> None:
    described = {"description": one.get("description") or ""} | {
        f"description_localizations.{key}": text
        for key, text in (one.get("description_localizations") or {}).items()
    }
    _locales(one, "description_localizations", prefix)
    for key, text in described.items():
        if not 1 <= len(text) <= 100:
            raise bad_length(f"{prefix}{key}", 1, 100)


def _locales(one: Body, key: str, prefix: str) -> None:
    for locale in one.get(key) or {}:
        if locale not in LOCALES:
            raise form(f"{prefix}{key}", "DICT_TYPE_CONVERT", f"{locale} is no locale of Discord's")


def _options(options: list[Body], prefix: str, depth: int) -> None:
    if len(options) > LIMIT:
        raise too_long(f"{prefix}options", LIMIT)
    names = [one.get("name") for one in options]
    if len(set(names)) != len(names):
        raise form(
            f"{prefix}options",
            "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
            "Option names must be unique",
        )
    nested = [one.get("type") in {SUB, GROUP} for one in options]
    if any(nested) and not all(nested):
        raise form(
            f"{prefix}options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands mix with nothing"
        )
    optional = False
    for index, one in enumerate(options):
        path = f"{prefix}options.{index}."
        _names(one, path, chat=True)
        _descriptions(one, path)
        if one.get("type") in {SUB, GROUP}:
            if depth >= 2 or (depth == 1 and one["type"] == GROUP):
                raise form(path + "type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Nested too deep")
            _options(one.get("options") or [], path, depth + 1)
            continue
        if one.get("required") and optional:
            raise form(
                path + "required",
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options come first",
            )
        optional = optional or not one.get("required")
        _choices(one, path)


def _choices(one: Body, path: str) -> None:
    given = one.get("choices") or []
    if len(given) > LIMIT:
        raise too_long(f"{path}choices", LIMIT)
    if given and one.get("autocomplete"):
        raise form(
            path + "autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", "Not with fixed choices"
        )
    for choice in given:
        for text in (choice.get("name"), *(choice.get("name_localizations") or {}).values()):
            if not 1 <= len(text or "") <= 100:
                raise bad_length(f"{path}choices.name", 1, 100)
        if isinstance(choice.get("value"), str) and len(choice["value"]) > 100:
            raise too_long(f"{path}choices.value", 100)


def _total(one: Body) -> int:
    """Characters that count for the 8000: names and descriptions by their longest form, choices' values."""

    def longest(key: str) -> int:
        texts = [one.get(key) or "", *(one.get(f"{key}_localizations") or {}).values()]
        return max(len(text) for text in texts)

    chosen = sum(
        max(len(text) for text in (choice["name"], *(choice.get("name_localizations") or {}).values()))
        + len(str(choice["value"]))
        for choice in one.get("choices") or []
    )
    return (
        longest("name")
        + longest("description")
        + chosen
        + sum(_total(each) for each in one.get("options") or [])
    )
