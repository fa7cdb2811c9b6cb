"""``lily card``: take a character card into the host's own characters."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from bot.cli.env import Env
from bot.errors import UsageError
from bot.settings import characters_folder
from persona.card import MAX_CARD_BYTES, import_card
from persona.library import character_id_for, save_character


async def run(arguments: Namespace, env: Env) -> int:
    """Import the card and tell how to talk with the character."""
    settings = env.settings
    card = import_card(_bytes_of(env.cwd / arguments.file, arguments.file), settings.persona.language)
    character_id = character_id_for(card.name)
    folder = save_character(characters_folder(settings), character_id, card.file, card.lore)
    for note in card.notes:
        env.out.note(note)
    if env.out.json:
        env.out.row({"id": character_id, "name": card.name, "folder": folder, "lore": len(card.lore)})
    else:
        env.out.say(env.catalog.text("cli.card.saved", name=card.name, folder=folder, id=character_id))
    return 0


def _bytes_of(path: Path, shown: Path) -> bytes:
    """Return the file's bytes, at most one more than a card may have."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_CARD_BYTES + 1)
    except FileNotFoundError:
        raise UsageError.of("files.missing", file=shown) from None
    except OSError as error:
        raise UsageError.of("files.unreadable", file=shown, cause=error.strerror) from None
