"""Settings as a file once more: what differs from the defaults, without secrets and folders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from enum import Enum
from typing import Any
from urllib.parse import urlsplit

import yaml

from bot.settings.base import NEVER
from bot.settings.sections import Settings

_OF_THIS_MACHINE: Any = {
    "secrets": True,
    "storage": {"data_dir", "database_url"},
    "persona": {"characters_dir"},
}


def as_file(settings: Settings) -> str:
    """Return the text of a settings file that gives these settings elsewhere.

    Left out: secrets, the address of the database (it may hold a password), folders of this machine,
    and a Chroma address with a password.
    """
    ours = settings.model_dump(exclude=_OF_THIS_MACHINE)
    address = ours["storage"]["chroma"]
    if "@" in urlsplit(address).netloc or "?" in address:
        del ours["storage"]["chroma"]
    changed = _difference(ours, Settings().model_dump())
    return yaml.safe_dump(changed, allow_unicode=True, sort_keys=False) if changed else ""


def _difference(ours: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for key, value in ours.items():
        if key in default and default[key] == value:
            continue
        if isinstance(value, Mapping):
            known = default.get(key)
            inner = _difference(value, known if isinstance(known, Mapping) else {})
            if inner:
                changed[key] = inner
        else:
            changed[key] = _plain(value)
    return changed


def _plain(value: Any) -> Any:
    if value is None:
        return NEVER  # the one key whose None is not its default is a half-life or the like
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
