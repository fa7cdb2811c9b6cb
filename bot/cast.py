"""Who speaks where: the characters of the house, and the one each server has chosen.

In a DM the house's own character speaks, except to answer: whoever asked there by herself is
answered, and stays until that chat has gone quiet. On a server the one its admins chose speaks,
else the house's own. Each character has memories, turns and follow-ups of her own.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import delete, select

from llm.protocols import ChatModel
from memory.catalog import LANGUAGES
from memory.follow_up_book import asked_lately
from memory.lorebook import LoreDocument
from memory.places import Place
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.dialects import put
from memory.store.schema import meta
from persona.character import Character, CharacterError
from persona.companion import Companion
from persona.follow_up import FollowUpWriter, Occasion
from persona.library import list_characters, load_character, load_face
from persona.lore import LoreDocument as CharacterLore

log = logging.getLogger(__name__)

ANSWERED_WITHIN = timedelta(days=1)
"""So long after she asked in a DM by herself, what is said there counts as said to her."""

CHAT_GAP = timedelta(hours=1)
"""So long after its last word a chat that began with such a question is over."""

_CHOICE = "speaks:guild:"


@dataclass(frozen=True, slots=True)
class Voice:
    """A character who can speak: in answer, and by herself."""

    character: Character
    companion: Companion
    writer: FollowUpWriter

    @property
    def id(self) -> str:
        """The key of all that is hers."""
        return self.character.id


class Cast:
    """The characters installed and who of them speaks where. Loads each when she is first needed."""

    def __init__(
        self, default: Character, own_folder: Path, memory: MemoryService, chat: ChatModel | None
    ) -> None:
        self._own_folder = own_folder
        self._memory = memory
        self._chat = chat
        self._voices: dict[str, Voice] = {}
        self.default = self._add(default)

    def installed(self) -> tuple[str, ...]:
        """Return the ids of all characters that can be chosen, as the folders hold them now."""
        return tuple(list_characters(self._own_folder))

    def names(self, language: str) -> dict[str, str]:
        """Return what the installed are called, by id; reads their cards: not for the loop that answers."""
        found = {}
        for persona_id in self.installed():
            try:
                found[persona_id] = load_face(persona_id, self._own_folder).name_in(language)
            except CharacterError as error:
                log.warning("a character can't be read: %s", error)
        return found

    async def voice(self, persona_id: str) -> Voice | None:
        """Return a character by id; None for one that is no longer installed, or can't be read."""
        try:
            return await self._load(persona_id)
        except CharacterError as error:
            log.warning("a character can't speak: %s", error)
            return None

    async def companion(self, persona_id: str) -> Companion | None:
        """Return who answers what was said to a character; None where she is gone."""
        voice = await self.voice(persona_id)
        return voice.companion if voice is not None else None

    async def at(self, place: Place, user_id: str | None = None) -> Voice:
        """Return who speaks in a place, to a person."""
        if place.guild is not None:
            return await self.on_server(place.guild)
        return await self._whom(await self._asked_by(user_id))

    async def on_server(self, guild: str | None) -> Voice:
        """Return who speaks on a server; the house's own where it is none."""
        return await self._whom(await self.chosen(guild) if guild is not None else None)

    async def by_default(self, place: Place, user_id: str | None = None) -> Voice:
        """Return the house's own, wherever it is: for when nothing can be looked up."""
        del place, user_id
        return self.default

    async def speaks_in(self, persona_id: str, place: Place) -> bool:
        """Whether a character may begin to speak in a place: on a server only the one who speaks there."""
        if place.guild is None:
            return True
        return persona_id == (await self.chosen(place.guild) or self.default.id)

    async def compose(self, occasion: Occasion) -> str:
        """Put a follow-up into the words of the character whose memory it is; "" where she is gone."""
        voice = await self.voice(occasion.memory.persona_id)
        return await voice.writer.compose(occasion) if voice is not None else ""

    async def chosen(self, guild: str) -> str | None:
        """Return whom a server's admins chose, whether or not she is still installed."""
        return await chosen_on(self._memory.database, guild)

    async def choose(self, guild: str, persona_id: str) -> Voice:
        """Let a character speak on a server from now on. Raises ``CharacterError`` where she can't."""
        voice = await self._load(persona_id)
        async with self._memory.database.write() as connection:
            key = f"{_CHOICE}{guild}"
            if voice.id == self.default.id:  # a change of the house's own shall be felt there
                await connection.execute(delete(meta).where(meta.c.key == key))
            else:
                await put(connection, meta, key=key, value=voice.id)
        return voice

    async def prepare(self) -> None:
        """Make the house's own ready, and whomever a server chose."""
        await self._learn_lore(self.default.character)
        async with self._memory.database.read() as connection:
            chosen = select(meta.c.value).where(meta.c.key.startswith(_CHOICE, autoescape=True)).distinct()
            wanted = [row[0] for row in await connection.execute(chosen)]
        for persona_id in wanted:
            await self.voice(persona_id)

    async def _whom(self, persona_id: str | None) -> Voice:
        if persona_id is None or persona_id == self.default.id:
            return self.default
        return await self.voice(persona_id) or self.default

    async def _load(self, persona_id: str) -> Voice:
        if persona_id not in self._voices:
            character = await asyncio.to_thread(load_character, persona_id, self._own_folder)
            await self._learn_lore(character)
            self._add(character)
        return self._voices[persona_id]

    def _add(self, character: Character) -> Voice:
        writer = FollowUpWriter(character, self._chat, self._memory.policy)
        voice = Voice(character, Companion(character, self._chat), writer)
        return self._voices.setdefault(character.id, voice)

    async def _learn_lore(self, character: Character) -> None:
        for language in LANGUAGES:
            documents = [_stored(document) for document in character.lore_in(language)]
            await self._memory.lorebook.sync(f"{character.id}/{language}", documents)

    async def _asked_by(self, user_id: str | None) -> str | None:
        """Return who asked a person in their DM by herself, while what they say there is for her."""
        if user_id is None:
            return None
        now = self._memory.clock.now()
        async with self._memory.database.read() as connection:
            asked = await asked_lately(connection, user_id, now - ANSWERED_WITHIN)
        if asked is None or (asked.last_word is not None and now - asked.last_word >= CHAT_GAP):
            return None
        return asked.persona_id


async def chosen_on(database: Database, guild: str) -> str | None:
    """Return whom a server's admins chose; None where nobody did: the house's own speaks there."""
    async with database.read() as connection:
        key = f"{_CHOICE}{guild}"
        return (await connection.execute(select(meta.c.value).where(meta.c.key == key))).scalar()


def _stored(document: CharacterLore) -> LoreDocument:
    return LoreDocument(
        id=document.id,
        text=document.text,
        kind=document.kind,
        half_life_days=document.half_life_days,
        expires_at=document.expires_at,
        source=document.source,
    )
