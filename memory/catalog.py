"""Words people read, by language, from the YAML files beside their user."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

LANGUAGES = ("zh-TW", "en", "ja")
DEFAULT_LANGUAGE = "zh-TW"


def closest_language(tag: str | None) -> str:
    """Return the language of ours nearest to a BCP 47 tag: ``en-GB`` -> ``en``, ``zh-CN`` -> ``zh-TW``."""
    primary = (tag or DEFAULT_LANGUAGE).split("-")[0].lower()
    return next((language for language in LANGUAGES if language.split("-")[0] == primary), DEFAULT_LANGUAGE)


class Catalog:
    """The texts of one package in one language; a missing key falls back to zh-TW, then fails loudly."""

    def __init__(self, texts: Mapping[str, Any], fallback: Mapping[str, Any]) -> None:
        self._texts = texts
        self._fallback = fallback

    def get(self, key: str) -> Any:
        """Return the value at a dotted key; ``KeyError`` where no language has it."""
        for texts in (self._texts, self._fallback):
            value: Any = texts
            for part in key.split("."):
                value = value.get(part) if isinstance(value, Mapping) else None
            if value is not None:
                return value
        raise KeyError(key)

    def text(self, key: str, /, **values: object) -> str:
        """Return the text at a dotted key with ``{name}`` places filled."""
        return str(self.get(key)).format(**values)


@lru_cache(maxsize=32)
def load_catalog(package: str, language: str) -> Catalog:
    """Load ``<package>/locales/<language>.yaml``; an unknown language gets the closest one."""
    return Catalog(_read(package, closest_language(language)), _read(package, DEFAULT_LANGUAGE))


@lru_cache(maxsize=32)
def _read(package: str, language: str) -> Mapping[str, Any]:
    text = (resources.files(package) / "locales" / f"{language}.yaml").read_text(encoding="utf-8")
    loaded = yaml.safe_load(text)
    if not isinstance(loaded, Mapping):
        raise TypeError(f"{package}/locales/{language}.yaml: expected a mapping of texts")
    return loaded
