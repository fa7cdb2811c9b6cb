"""All commands together; told to Discord only when they have changed."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.admin import add_prune, lily_group
from bot.discord.commands.begun import Begun
from bot.discord.commands.checkin import checkin_group
from bot.discord.commands.desk import Desk
from bot.discord.commands.failures import Failures
from bot.discord.commands.memory_change import add_changing
from bot.discord.commands.memory_data import add_data
from bot.discord.commands.memory_read import add_reading
from bot.discord.commands.memory_timeline import add_timeline
from bot.discord.commands.menus import add_menus
from bot.discord.commands.person import add_person
from bot.discord.commands.presses import Presses
from bot.discord.commands.words import Translations, said
from bot.discord.parts import Parts

log = logging.getLogger(__name__)

KNOWN_NAME = "discord-commands.sha256"
"""The file in the data folder that holds what Discord was told last."""

_TYPES: Mapping[discord.AppCommandOptionType, tuple[type, ...]] = {
    discord.AppCommandOptionType.string: (str,),
    discord.AppCommandOptionType.integer: (int,),
    discord.AppCommandOptionType.boolean: (bool,),
    discord.AppCommandOptionType.number: (int, float),
}


class LilyTree(app_commands.CommandTree[Any]):
    """The commands of one client; what fails in them is answered by :class:`Failures`.

    ``begun``: the commands, presses and forms that are being answered.
    """

    def __init__(self, client: discord.Client, failures: Failures) -> None:
        super().__init__(client)
        self._failures = failures
        self.begun = Begun()

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Count the command in; refuse values its options don't take: the library hands on what comes."""
        self.begun.count()
        data: Any = interaction.data
        if data.get("type", 1) == discord.AppCommandType.chat_input.value:
            command, filled = self._get_app_command_options(data)
            known = {one.display_name: one for one in command.parameters}
            for option in filled:
                parameter = known.get(option["name"])
                if parameter is not None and not _takes(parameter, option):
                    raise app_commands.CommandSignatureMismatch(command)
        return True

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer for a command that failed."""
        await self._failures.failed(interaction, error)


def _takes(parameter: app_commands.Parameter, option: Mapping[str, Any]) -> bool:
    """Whether a value is of its option's type and, once chosen, one of its choices and in its range."""
    wanted, value = _TYPES.get(parameter.type), option.get("value")
    if wanted is None:
        return True
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        return False
    if option.get("focused") or isinstance(value, bool):
        return True
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size: Any = len(value) if isinstance(value, str) else value
    low, high = parameter.min_value, parameter.max_value
    return (low is None or size >= low) and (high is None or size <= high)


def build_tree(parts: Parts) -> LilyTree:
    """Make all commands, and let the client's buttons act."""
    desk = Desk(parts)
    failures = Failures(desk)
    tree = LilyTree(parts.client, failures)
    memory = app_commands.Group(name=said("memory.name"), description=said("memory.about"))
    add_reading(memory, desk)
    add_changing(memory, desk)
    add_data(memory, desk)
    add_timeline(memory, desk)
    tree.add_command(memory)
    add_person(tree, desk)
    tree.add_command(checkin_group(desk))
    add_prune(tree, desk)
    tree.add_command(lily_group(desk))
    add_menus(tree, desk)
    parts.client.presser = Presses(desk, failures, tree.begun)
    return tree


async def sync_if_changed(tree: LilyTree, folder: Path) -> bool:
    """Tell Discord the commands unless it was told the same before; whether it was told."""
    translations = Translations()
    if tree.translator is None:
        await tree.set_translator(translations)
    commands = tree.get_commands()
    payload = [await command.get_translated_payload(tree, translations) for command in commands]
    text = json.dumps([tree.client.application_id, payload], sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    known = folder / KNOWN_NAME
    if known.is_file() and known.read_text(encoding="ascii").strip() == digest:
        return False
    await tree.sync()
    known.write_text(digest + "\n", encoding="ascii")
    log.info("%d commands were told to Discord", len(commands))
    return True
