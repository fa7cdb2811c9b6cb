"""The types a setting may have, and the base of every section."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StrictBool,
    StrictFloat,
    StrictInt,
    model_validator,
)
from pydantic_core import PydanticCustomError

NEVER = "never"
_ZONE_CUTOFF = 0.5


class Section(BaseModel):
    """A group of keys: frozen, no unknown keys; a nested section only names what differs from its default."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=False)

    @model_validator(mode="before")
    @classmethod
    def _over_defaults(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        merged = dict(given)
        for name, field in cls.model_fields.items():
            if isinstance(field.default, BaseModel) and isinstance(given.get(name), Mapping):
                merged[name] = over(field.default, given[name])
        return merged


def over(default: BaseModel, given: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return ``given`` laid over a default, so that a part of a section can be set."""
    return {**{name: getattr(default, name) for name in type(default).model_fields}, **given}


def wrong(code: str, /, **values: object) -> PydanticCustomError:
    """Build the error of a value: ``code`` is its text in the locale files, below ``errors.settings``."""
    return PydanticCustomError(code, code, {"house": True, **values})


def at(field: str, code: str, /, **values: object) -> PydanticCustomError:
    """Build the error of a key of the section under validation."""
    return wrong(code, field=field, **values)


def near(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word most like ``word``, or the only one that starts with it, or None."""
    folded = {name.casefold(): name for name in known}
    matches = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    longer = [name for name in folded if name.startswith(word.casefold())] if len(word) > 2 else []
    if not matches and len(longer) == 1:
        matches = longer
    return folded[matches[0]] if matches else None


def _name(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _stripped(value: str) -> str:
    if not value.strip():
        raise wrong("expected_text", value=value)
    return value.strip()


def _time_of_day(value: object) -> object:
    if isinstance(value, time):
        return value
    if isinstance(value, str):
        hour, _, minute = value.strip().partition(":")
        if (
            hour.isdecimal()
            and minute.isdecimal()
            and len(minute) == 2
            and int(hour) < 24
            and int(minute) < 60
        ):
            return time(int(hour), int(minute))
    raise wrong("expected_time", value=value)


def _zone(value: str) -> str:
    name = value.strip()
    if has_zone(name):
        return name
    if not has_zone_data():
        raise wrong("no_zone_data")
    raise wrong("unknown_zone", value=name, near=near_zone(name) or "Asia/Taipei")


def has_zone(name: str) -> bool:
    """Whether this machine knows a time zone."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return False
    return True


def has_zone_data() -> bool:
    """Whether this machine knows any time zone: the system's data or the package tzdata."""
    return bool(available_timezones())


def near_zone(name: str) -> str | None:
    """Return the IANA zone a mistyped name most likely means."""
    zones = available_timezones()
    by_city: dict[str, str] = {}
    for zone in sorted(zones):
        by_city.setdefault(zone.rpartition("/")[2], zone)
    whole = near(name.replace(" ", "_"), zones, cutoff=_ZONE_CUTOFF)
    city = near(name.replace(" ", "_").rpartition("/")[2], by_city, cutoff=0.75)
    return by_city[city] if city and (not whole or "/" not in name) else whole


def _path(value: object) -> object:
    if not isinstance(value, (str, Path)) or "\0" in str(value):
        raise wrong("expected_path", value=value)
    try:
        return Path(value).expanduser()
    except RuntimeError:  # ~somebody who is not there
        raise wrong("expected_path", value=value) from None


def _never(value: object) -> object:
    return None if isinstance(value, str) and value.strip().casefold() == NEVER else value


def check_http_url(value: str) -> str:
    """Return an http(s) address without its last slash, or refuse it."""
    address = value.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise wrong("expected_url")
    return address


def _chroma(value: str) -> str:
    return value if value == "embedded" else check_http_url(value)


def _database_url(value: SecretStr) -> SecretStr:
    scheme = value.get_secret_value().partition("://")
    if not scheme[1] or scheme[0] not in {"postgresql", "postgresql+asyncpg", "sqlite+aiosqlite"}:
        raise wrong("expected_database_url")
    return value


Count = StrictInt
Number = StrictFloat
Switch = StrictBool
Name = Annotated[str, BeforeValidator(_name), AfterValidator(_stripped)]
TimeOfDay = Annotated[time, BeforeValidator(_time_of_day)]
Zone = Annotated[str, AfterValidator(_zone)]
Language = Literal["zh-TW", "en", "ja"]
Folder = Annotated[Path, BeforeValidator(_path)]
Port = Annotated[int, Field(strict=True, ge=1, le=65535)]
Days = Annotated[float, Field(strict=True, gt=0, le=36500)]
DaysOrNever = Annotated[Days | None, BeforeValidator(_never)]
RankOrNever = Annotated[Annotated[int, Field(strict=True, ge=1, le=100)] | None, BeforeValidator(_never)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Distance = Annotated[float, Field(strict=True, ge=0, le=2)]
ChromaAddress = Annotated[str, AfterValidator(_chroma)]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_database_url)]
