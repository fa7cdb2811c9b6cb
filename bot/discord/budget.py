"""How much of her a person and a server get a day, counted in SQL where the messages are."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from sqlalchemy import func, select

from bot.discord.ids import CLIENT
from bot.settings.sections import DiscordSettings
from memory.inbox import ReplyState
from memory.messages import Message
from memory.store.database import Database
from memory.store.schema import inbox


class Allowance(StrEnum):
    """What a message may have: an answer, the one line that says it is enough, or silence."""

    ANSWER = "answer"
    LAST_LINE = "last_line"
    SILENCE = "silence"


class Budget:
    """Counts today's answered messages. A limit of 0 is no limit; a day is the house's."""

    def __init__(self, database: Database, settings: DiscordSettings, zone: str) -> None:
        self._database = database
        self._per_person = settings.messages_per_person_per_day
        self._per_server = settings.messages_per_server_per_day
        self._zone = ZoneInfo(zone)

    async def allowance(self, message: Message, now: datetime) -> Allowance:
        """Return what a new message may have.

        The line that says it is enough is itself an answer in the inbox, so it is said once a day
        without being remembered anywhere else.
        """
        since = self.day_start(now)
        person = await self._answered(since, inbox.c.user_id == message.user_id) if self._per_person else 0
        found = allowance_of(person, self._per_person)
        if found is not Allowance.ANSWER or not self._per_server or message.place.guild is None:
            return found
        of_server = inbox.c.place.startswith(f"guild:{message.place.guild}/", autoescape=True)
        return allowance_of(await self._answered(since, of_server), self._per_server)

    def day_start(self, now: datetime) -> datetime:
        """Return when the house's day began, in UTC."""
        local = now.astimezone(self._zone)
        return local.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)

    async def _answered(self, since: datetime, whose: object) -> int:
        query = select(func.count()).where(
            whose,  # type: ignore[arg-type]
            inbox.c.said_at >= since,
            inbox.c.client == CLIENT,
            inbox.c.state != str(ReplyState.IGNORED),
        )
        async with self._database.read() as connection:
            return int((await connection.execute(query)).scalar_one())


def allowance_of(answered: int, limit: int) -> Allowance:
    """Return what the next message may have after so many were answered."""
    if limit == 0 or answered < limit:
        return Allowance.ANSWER
    return Allowance.LAST_LINE if answered == limit else Allowance.SILENCE
