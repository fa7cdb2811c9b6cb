"""Words of commands: names and descriptions in every language, and what is said to one person."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from memory.catalog import Catalog, closest_language, load_catalog

_LOCALES = {discord.Locale.taiwan_chinese: "zh-TW", discord.Locale.japanese: "ja"}
"""Discord's locales that get names of their own; English is what everybody else sees."""


def said(key: str) -> app_commands.locale_str:
    """Return the English text at ``discord.commands.<key>``, translated when the commands are synced."""
    full = f"discord.commands.{key}"
    return app_commands.locale_str(load_catalog("bot", "en").text(full), key=full)


class Translations(app_commands.Translator):
    """Names and descriptions from the locale files."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the text in a locale of ours, None to leave the English."""
        key, language = string.extras.get("key"), _LOCALES.get(locale)
        if key is None or language is None:
            return None
        return load_catalog("bot", language).text(str(key))


class Tongue:
    """What is said to one person, in their language."""

    def __init__(self, language: str) -> None:
        self.language = closest_language(language)
        self.catalog: Catalog = load_catalog("bot", self.language)

    def text(self, key: str, /, **values: object) -> str:
        """Return the text at ``discord.<key>``."""
        return self.catalog.text(f"discord.{key}", **values)

    def reason(self, reason: object) -> str:
        """Return why something was archived, in words."""
        return self.catalog.text(f"commands.reasons.{reason}")

    def category(self, category: object) -> str:
        """Return what a category is called."""
        return self.catalog.text(f"commands.categories.{category}")


def locale_language(interaction: discord.Interaction[Any]) -> str:
    """Return the language a person's Discord is in."""
    return closest_language(str(interaction.locale))
