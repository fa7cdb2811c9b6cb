"""Fetching the pictures of a message for a model that sees: from Discord alone, capped, never fatal."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import aiohttp
import discord
from yarl import URL

from llm.protocols import Picture

log = logging.getLogger(__name__)

ORIGINS = ("https://cdn.discordapp.com", "https://media.discordapp.net")
"""Where Discord keeps what people attach. Nothing is fetched from anywhere else, no redirect is followed."""

MOST_PICTURES = 4
MOST_BYTES = 8_000_000
MOST_BYTES_TOGETHER = 12_000_000
"""Gemini takes 20 MB in a request, its base64 included."""
SECONDS = 8.0
"""How long all pictures of a message together may take: she is typing meanwhile."""

_CHUNK = 65_536
_TROUBLE = (aiohttp.ClientError, OSError, TimeoutError, ValueError)


async def pictures_of(attachments: Sequence[discord.Attachment]) -> tuple[Picture, ...]:
    """Return the pictures among some attachments, those that could be fetched in time, in order."""
    wanted = [one for one in attachments if is_picture(one) and 0 < one.size <= MOST_BYTES][:MOST_PICTURES]
    if not wanted:
        return ()
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    async with aiohttp.ClientSession(timeout=timeout, trust_env=True) as session:
        found = await asyncio.gather(*(_fetch(session, one) for one in wanted))
    kept: list[Picture] = []
    for picture in found:
        if picture is not None and _size(kept) + len(picture.data) <= MOST_BYTES_TOGETHER:
            kept.append(picture)
    return tuple(kept)


def is_picture(attachment: discord.Attachment) -> bool:
    """Whether an attachment says that it is a picture, by its type or, without one, by its name."""
    if attachment.content_type:
        return attachment.content_type.startswith("image/")
    return attachment.filename.lower().endswith((".png", ".jpg", ".jpeg", ".webp", ".gif"))


def picture_type(data: bytes) -> str | None:
    """Return the media type of a picture the models take, by its first bytes; None for anything else.

    What a file calls itself is its sender's word. Moving pictures (GIF) few models take.
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def is_discords(url: str) -> bool:
    """Whether a link leads to where Discord keeps attachments."""
    try:
        return str(URL(url).origin()) in ORIGINS
    except ValueError:
        return False


async def _fetch(session: aiohttp.ClientSession, one: discord.Attachment) -> Picture | None:
    if not is_discords(one.url):
        log.info("attachment %d is not kept by Discord", one.id)
        return None
    try:
        async with session.get(one.url, allow_redirects=False) as answer:
            if answer.status != 200:
                log.info("attachment %d can't be fetched: status %d", one.id, answer.status)
                return None
            data = bytearray()
            async for chunk in answer.content.iter_chunked(_CHUNK):
                data += chunk
                if len(data) > MOST_BYTES:
                    log.info("attachment %d is larger than it said", one.id)
                    return None
    except _TROUBLE as error:
        log.info("attachment %d can't be fetched: %s", one.id, type(error).__name__)
        return None
    mime = picture_type(bytes(data[:16]))
    return None if mime is None else Picture(bytes(data), mime)


def _size(pictures: Sequence[Picture]) -> int:
    return sum(len(one.data) for one in pictures)
