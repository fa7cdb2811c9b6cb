"""Which language the command line speaks."""

from __future__ import annotations

from collections.abc import Mapping

from memory.catalog import DEFAULT_LANGUAGE, LANGUAGES

_SILENT = {"", "C", "POSIX"}


def interface_language(environ: Mapping[str, str]) -> str:
    """Return the language of the terminal's locale; zh-TW where it names none, en where it names another."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name, "").split(".")[0]
        if value in _SILENT:
            continue
        primary = value.split("_")[0].lower()
        known = {language.split("-")[0]: language for language in LANGUAGES}
        return known.get(primary, "en")
    return DEFAULT_LANGUAGE
