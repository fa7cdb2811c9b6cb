"""Load the settings: file, environment, secrets; everything wrong is told at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticCustomError

from bot.errors import Line, SettingsError
from bot.settings.base import check_http_url, has_zone
from bot.settings.policy import Role, provider_for
from bot.settings.problems import lines_of, named, unknown_key, without_faults
from bot.settings.sections import EmbedderName, Provider, Secrets, Settings
from bot.settings.sources import SECRET_NAMES, SECTIONS, Raw, read_config, read_dotenv, read_environment

_ROLES: tuple[Role, ...] = ("chat", "extractor", "judge")


def load_settings(config: Path | None, environ: Mapping[str, str], cwd: Path) -> Settings:
    """Return the settings, or raise :class:`SettingsError` with a line for each problem.

    ``config`` is the file asked for, else ``config.yaml`` in ``cwd`` or the packaged defaults;
    ``.env`` is looked for in ``cwd``. Relative folders of the result start at ``cwd``.
    """
    raw = read_config(config, cwd)
    variables, problems = read_dotenv(cwd, environ)
    problems = [*raw.problems, *problems]
    raw.problems = []
    _refuse_password(raw, problems)
    read_environment(raw, variables)
    problems.extend(raw.problems)
    sections = _sections(raw, problems)
    secrets = _secrets(variables, problems)
    settings = Settings(**sections, secrets=secrets)
    if not any(line.key == "settings.no_zone_data" for line in problems) and not has_zone(
        settings.persona.zone
    ):
        problems.append(Line.of("settings.no_zone_data", field="persona.zone"))
    problems.extend(_unanswered(settings, raw.origins))
    if problems:
        raise SettingsError(problems)
    return _rooted(settings, cwd)


def _sections(raw: Raw, problems: list[Line]) -> dict[str, BaseModel]:
    """Validate each section by itself, and again without its faults, so that none hides another."""
    good: dict[str, BaseModel] = {}
    for name, given in raw.values.items():
        if name not in SECTIONS:
            inside = given if name == "secrets" and isinstance(given, Mapping) else ()
            paths: list[tuple[str, ...]] = [(name, str(key)) for key in inside] or [(name,)]
            problems.extend(unknown_key(path, raw.origins) for path in paths)
            continue
        model: Any = Settings.model_fields[name].annotation
        rest = given
        while rest is not None:
            try:
                good[name] = model.model_validate(rest)
                break
            except ValidationError as error:
                problems.extend(lines_of(error, name, raw.origins))
                rest = without_faults(rest, error)
    return good


def _secrets(variables: Mapping[str, str], problems: list[Line]) -> Secrets:
    found = {name: variables[name].strip() for name in SECRET_NAMES if variables.get(name, "").strip()}
    for name, value in found.items():
        if any(character.isspace() for character in value):
            problems.append(Line.of("settings.secret_with_space", field=name))
    if "OPENAI_BASE_URL" in found:
        try:
            check_http_url(found["OPENAI_BASE_URL"])
        except PydanticCustomError:
            problems.append(Line.of("settings.expected_url", field="OPENAI_BASE_URL"))
    return Secrets.model_validate({name.lower(): value for name, value in found.items()})


def _refuse_password(raw: Raw, problems: list[Line]) -> None:
    """Refuse a password in a database address of the file: it is a secret."""
    storage = raw.values.get("storage")
    url = storage.get("database_url") if isinstance(storage, Mapping) else None
    try:
        has_password = isinstance(url, str) and urlsplit(url).password is not None
    except ValueError:
        has_password = False
    if has_password:
        secret = "LILY_STORAGE__DATABASE_URL"  # noqa: S105 - the name of a variable
        problems.append(Line.of("settings.secret_in_config", field="storage.database_url", secret=secret))


def _unanswered(settings: Settings, origins: Mapping[str, str]) -> list[Line]:
    """Return what a chosen model still needs: a key, an address, a name."""
    lines: list[Line] = []
    models, secrets = settings.models, settings.secrets
    for role in (*_ROLES, "embedder"):
        field = named(("models", role), origins)
        chosen = provider_for(settings, role) if role in _ROLES else models.embedder
        if chosen in {Provider.GEMINI, EmbedderName.GEMINI} and not secrets.gemini_api_key:
            secret = "GEMINI_API_KEY"  # noqa: S105 - the name of a variable
            lines.append(Line.of("settings.needs_secret", field=field, value=chosen, secret=secret))
        if chosen in {Provider.OPENAI, EmbedderName.OPENAI}:
            if not secrets.openai_api_key and not secrets.openai_base_url:
                secret = "OPENAI_API_KEY / OPENAI_BASE_URL"  # noqa: S105 - the names of variables
                lines.append(Line.of("settings.needs_secret", field=field, value=chosen, secret=secret))
            if getattr(models.openai, role) is None:
                named_field = f"models.openai.{role}"
                lines.append(Line.of("settings.needs_name", field=named_field, other=f"models.{role}"))
    return lines


def _rooted(settings: Settings, cwd: Path) -> Settings:
    persona, data_dir = settings.persona, cwd / settings.storage.data_dir
    if persona.characters_dir is not None:
        folder = cwd / persona.characters_dir
        persona = persona.model_copy(update={"characters_dir": folder})
    return settings.with_data_dir(data_dir).model_copy(update={"persona": persona})
