"""The settings: read once, checked whole, frozen."""

from bot.settings.loading import load_settings
from bot.settings.policy import Role, characters_folder, memory_policy, provider_for
from bot.settings.sections import EmbedderName, Provider, Settings

__all__ = [
    "EmbedderName",
    "Provider",
    "Role",
    "Settings",
    "characters_folder",
    "load_settings",
    "memory_policy",
    "provider_for",
]
