"""Where settings come from: a YAML file, then the environment; ``.env`` beneath the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

import yaml
from dotenv.parser import parse_stream

from bot.errors import Line
from bot.settings.sections import Secrets, Settings

PREFIX = "LILY_"
_OTHERWISE = "too deep, too much, half a character, or an alias that leads back to itself"
_MOST_VALUES = 10_000
"""Values in a file or a variable; far more than there are settings."""
SECTIONS = tuple(name for name in Settings.model_fields if name != "secrets")
SECRET_NAMES = tuple(name.upper() for name in Secrets.model_fields)


@dataclass(slots=True)
class Raw:
    """What was given, before it is checked.

    ``values`` is nested; ``origins`` tells which variable set a dotted key; ``problems`` is what
    could not even be read.
    """

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    problems: list[Line] = field(default_factory=list)


class _Loader(yaml.SafeLoader):
    """YAML as people mean it: ``22:00`` is a time and not 1320, a key given twice is refused."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, (str, int, float, bool)):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be a word", key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key} is given twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


_SEXAGESIMAL = re.compile(r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$")
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _first in "-+0123456789":
    _Loader.yaml_implicit_resolvers[_first].insert(0, ("tag:yaml.org,2002:str", _SEXAGESIMAL))


def parse_yaml(text: str) -> Any:
    """Parse YAML; ``yaml.YAMLError`` where it is broken, ``ValueError`` where it has no end."""
    loaded = yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    left, level = _MOST_VALUES, [loaded]
    while level:  # an alias may lead back to where it stands, or stand for ever more of the same
        left -= len(level)
        if left < 0:
            raise ValueError
        for one in level:
            if isinstance(one, str):
                one.encode()  # half a character is a ValueError too
        level = [child for one in level for child in _children(one)]
    return loaded


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return chain(value, value.values())
    return value if isinstance(value, (list, tuple, set)) else ()


def read_config(config: Path | None, cwd: Path) -> Raw:
    """Read the file given, else ``config.yaml`` in ``cwd``, else the defaults of the package."""
    raw = Raw()
    path = config if config is None else cwd / config
    if path is None and _is_there(cwd / "config.yaml"):
        path = cwd / "config.yaml"
    text = ""
    try:
        text = packaged_config() if path is None else _text(path)
        loaded = parse_yaml(text)
    except FileNotFoundError:
        missing = "settings.file_missing" if config is not None else "settings.link_broken"
        raw.problems.append(Line.of(missing, file=config or _shown(path, cwd)))
    except UnicodeDecodeError as error:
        raw.problems.append(_not_utf8(error, _shown(path, cwd)))
    except OSError as error:
        raw.problems.append(Line.of("settings.file_unreadable", file=_shown(path, cwd), cause=error.strerror))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raw.problems.append(_broken(error, _shown(path, cwd), text))
    else:
        _take_config(raw, loaded, _shown(path, cwd))
    return raw


def packaged_config() -> str:
    """Return the commented defaults: in a wheel beside the package, in a checkout at its root."""
    packaged = resources.files("bot") / "config.default.yaml"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / "config.yaml").read_text(encoding="utf-8")


def read_environment(raw: Raw, environ: Mapping[str, str]) -> None:
    """Lay ``LILY_SECTION__KEY`` variables over ``raw``; an empty one counts as unset."""
    for name in sorted(environ):
        if not name.startswith(PREFIX) or not environ[name].strip():
            continue
        path = [part.lower() for part in name.removeprefix(PREFIX).split("__")]
        if len(path) < 2:
            section, _, key = path[0].partition("_")
            if section in SECTIONS:
                better = f"{PREFIX}{section.upper()}__{key.upper()}" if key else f"{name}__KEY"
                raw.problems.append(Line.of("settings.variable_form", field=name, better=better))
            continue
        if not all(path):
            raw.problems.append(Line.of("settings.variable_form", field=name, better=f"{PREFIX}SECTION__KEY"))
            continue
        _put(raw, path, name, environ[name])


def read_dotenv(cwd: Path, environ: Mapping[str, str]) -> tuple[dict[str, str], list[Line]]:
    """Return the variables with those of ``.env`` beneath them, and what is wrong with that file."""
    path = cwd / ".env"
    try:
        text = _text(path) if _is_there(path) else ""
    except FileNotFoundError:
        return dict(environ), [Line.of("settings.link_broken", file=".env")]
    except UnicodeDecodeError as error:
        return dict(environ), [_not_utf8(error, ".env")]
    except OSError as error:
        return dict(environ), [Line.of("settings.file_unreadable", file=".env", cause=error.strerror)]
    given, problems = dict[str, str](), list[Line]()
    for one in parse_stream(StringIO(text)):
        # its words may be a secret: only the line is told; NUL fits into no variable
        if one.error or "\0" in one.original.string:
            blank = len(one.original.string) - len(one.original.string.lstrip("\r\n"))
            line = one.original.line + one.original.string[:blank].count("\n")
            problems.append(Line.of("settings.broken_env", file=".env", line=line))
        elif one.key and one.value:
            given[one.key] = one.value
    return {**given, **{name: value for name, value in environ.items() if value.strip()}}, problems


def _is_there(path: Path) -> bool:
    """Whether there is anything by that name: a folder or a broken link is told, not passed over."""
    return path.exists() or path.is_symlink()


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def _not_utf8(error: UnicodeDecodeError, file: str) -> Line:
    return Line.of("settings.file_not_utf8", file=file, line=error.object[: error.start].count(b"\n") + 1)


def _shown(path: Path | None, cwd: Path) -> str:
    if path is None:
        return "config.default.yaml"
    return str(path.relative_to(cwd)) if path.is_relative_to(cwd) else str(path)


def _broken(error: Exception, file: str, text: str) -> Line:
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position]
        return Line.of(
            "settings.odd_character", file=file, line=before.count("\n") + 1, code=f"{_code(error):04X}"
        )
    mark = getattr(error, "problem_mark", None)
    cause = getattr(error, "problem", None) or _OTHERWISE
    return Line.of("settings.broken_yaml", file=file, line=mark.line + 1 if mark else 1, cause=cause)


def _code(error: yaml.reader.ReaderError) -> int:
    return error.character if isinstance(error.character, int) else ord(error.character)


def _take_config(raw: Raw, loaded: Any, file: str) -> None:
    if loaded is None:
        return
    if not isinstance(loaded, Mapping):
        raw.problems.append(Line.of("settings.not_a_mapping", file=file))
        return
    raw.values = without_empty(loaded)


def without_empty(given: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a mapping without the keys that have no value: they count as unset."""
    kept: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            kept[str(key)] = without_empty(value)
        elif value is not None and not (isinstance(value, str) and not value.strip()):
            kept[str(key)] = value
    return kept


def _put(raw: Raw, path: list[str], name: str, text: str) -> None:
    try:
        value = parse_yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        value = text.encode("utf-8", "replace").decode("utf-8")
    if value is None:
        return
    if isinstance(value, Mapping):
        value = without_empty(value)
    section = raw.values
    for part in path[:-1]:
        inner = section.get(part)
        if not isinstance(inner, dict):
            inner = section[part] = {}
        section = inner
    section[path[-1]] = value
    raw.origins[".".join(path)] = name
