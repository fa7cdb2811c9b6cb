"""What stands beside the words of a message: what it replies to, and what came with it.

It is shown for one reply and then gone: nothing is learned from it, and none of it is kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import aiohttp
import discord

from bot.discord.listening import Listener
from bot.discord.pictures import is_picture, pictures_of
from llm.protocols import Speaker
from persona.situation import NOTHING, Attached, Attachment, Beside, Quoted

log = logging.getLogger(__name__)

LINKS = 3
"""How far up a chain of replies is looked."""
SECONDS = 3.0
"""How long looking up a chain may take; what was found by then is shown."""

_TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError)


class Surroundings:
    """Looks around messages that are about to be answered. Nothing that goes wrong with it is felt."""

    def __init__(self, client: discord.Client, listener: Listener) -> None:
        self._client = client
        self._listener = listener

    async def of(self, burst: Sequence[discord.Message], *, sees: bool, zone: str) -> Beside:
        """Return what stands beside a burst of messages; pictures only for one who ``sees``."""
        attached = tuple(one for said in burst for one in attachments_of(said))
        replying = next((said for said in reversed(burst) if replied_to(said) is not None), None)
        if not attached and replying is None:
            return NOTHING
        files = [one for said in burst for one in said.attachments] if sees else []
        try:
            pictures, quoted = await asyncio.gather(pictures_of(files), self._quoted(replying, zone))
        except Exception:
            log.exception("what stands beside a message can't be read; it is answered without")
            return Beside(attached)
        return Beside(attached, pictures, quoted)

    async def _quoted(self, said: discord.Message | None, zone: str) -> tuple[Quoted, ...]:
        """Return what a message replies to and what that replied to, the oldest first."""
        found: list[Quoted] = []
        try:
            async with asyncio.timeout(SECONDS):
                while said is not None and len(found) < LINKS:
                    said = await self._answered(said, fresh=not found)
                    if said is not None:
                        found.append(self._quote(said, zone))
        except TimeoutError:
            log.info("what a message replies to took too long to be looked up")
        except _TROUBLE as error:
            log.info("what a message replies to can't be looked up: %s", type(error).__name__)
        return tuple(reversed([one for one in found if one.text]))

    async def _answered(self, said: discord.Message, *, fresh: bool) -> discord.Message | None:
        """Return the message that one replies to: from the cache, as it came along, or from Discord.

        ``fresh``: the message has just come. What came along with an older one may have been
        edited or deleted since: only the cache and Discord know.
        """
        number = replied_to(said)
        if number is None or said.reference is None:
            return None
        came = said.reference.resolved
        if isinstance(came, discord.DeletedReferencedMessage):
            return None
        known = said.reference.cached_message or (came if fresh else None)
        return known or await said.channel.fetch_message(number)

    def _quote(self, said: discord.Message, zone: str) -> Quoted:
        hers = self._client.user is not None and said.author.id == self._client.user.id
        speaker = Speaker.CHARACTER if hers else Speaker.PERSON
        return Quoted(speaker, self._listener.words(said, zone), None if hers else said.author.display_name)


def replied_to(said: discord.Message) -> int | None:
    """Return the id of the message that one replies to, in the same channel; None for no reply."""
    reference = said.reference
    if reference is None or said.type is not discord.MessageType.reply:
        return None
    return reference.message_id if reference.channel_id == said.channel.id else None


def attachments_of(said: discord.Message) -> list[Attachment]:
    """Return what came with a message, by kind and name."""
    found = [_file(one, voice=said.flags.voice) for one in said.attachments]
    found += [Attachment(Attached.STICKER, one.name) for one in said.stickers]
    found += [Attachment(Attached.FORWARD, one.content) for one in said.message_snapshots]
    if said.poll is not None:
        found.append(Attachment(Attached.POLL, said.poll.question))
    return found


def _file(one: discord.Attachment, *, voice: bool) -> Attachment:
    kind = one.content_type or ""
    if voice or one.is_voice_message():
        return Attachment(Attached.VOICE)
    if is_picture(one):
        return Attachment(Attached.PICTURE, one.filename)
    return Attachment(Attached.VIDEO if kind.startswith("video/") else Attached.FILE, one.filename)
