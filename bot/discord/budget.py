"""How much of her a person and a server get a day, counted in SQL where the messages are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, case, func, select

from bot.discord.ids import CLIENT
from bot.discord.meter import CALLS, MICRODOLLARS, TOKENS, UNPRICED
from bot.settings.sections import DiscordSettings
from llm.usage import Spending
from memory.inbox import ReplyState
from memory.messages import Message
from memory.store.database import Database
from memory.store.schema import inbox


class Limit(StrEnum):
    """Whose limit was reached; the message she said so about is marked with it."""

    PERSON = "limit_person"
    SERVER = "limit_server"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a message may have: an answer, the one line that says it is enough, or silence.

    ``limit`` is the one that was reached, ``said`` whether she has said so today.
    """

    limit: Limit | None = None
    said: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used up today: messages answered, tokens, and how often she said it is enough."""

    messages: int
    tokens: int
    told: int

    def reaches(self, messages: int, tokens: int) -> bool:
        """Whether a limit is reached; 0 is none."""
        return 0 < messages <= self.messages or 0 < tokens <= self.tokens


@dataclass(frozen=True, slots=True)
class Today:
    """How many messages were answered today, and what answering them and learning from them used up."""

    messages: int
    spending: Spending


class Budget:
    """Counts what was used up today; a day is the house's."""

    def __init__(self, database: Database, settings: DiscordSettings, zone: str) -> None:
        self._database = database
        self._settings = settings
        self._zone = ZoneInfo(zone)

    async def allowance(self, message: Message, now: datetime) -> Allowance:
        """Return what a new message may have."""
        limits, since = self._settings, self.day_start(now)
        person = await self.spent(since, inbox.c.user_id == message.user_id, Limit.PERSON)
        if person.reaches(limits.messages_per_person_per_day, limits.tokens_per_person_per_day):
            return Allowance(Limit.PERSON, person.told > 0)
        if message.place.guild is None:
            return Allowance()
        of_server = inbox.c.place.startswith(f"guild:{message.place.guild}/", autoescape=True)
        server = await self.spent(since, of_server, Limit.SERVER)
        if server.reaches(limits.messages_per_server_per_day, limits.tokens_per_server_per_day):
            return Allowance(Limit.SERVER, server.told > 0)
        return Allowance()

    async def spent(self, since: datetime, whose: ColumnElement[bool], limit: Limit) -> Spent:
        """Return what was used up since a moment."""
        answered = case((inbox.c.state != str(ReplyState.IGNORED), 1), else_=0)
        query = select(
            func.coalesce(func.sum(answered), 0),
            func.coalesce(func.sum(inbox.c.reply[TOKENS].as_integer()), 0),
            func.coalesce(func.sum(inbox.c.reply[str(limit)].as_integer()), 0),
        ).where(whose, inbox.c.said_at >= since, inbox.c.client == CLIENT)
        async with self._database.read() as connection:
            messages, tokens, told = (await connection.execute(query)).one()
        return Spent(int(messages), int(tokens), int(told))

    async def today(self, now: datetime) -> Today:
        """Return what was used up today in the whole house; its tokens are not told apart."""
        answered = case((inbox.c.state == str(ReplyState.REPLIED), 1), else_=0)
        kept = [
            func.coalesce(func.sum(inbox.c.reply[name].as_integer()), 0)
            for name in (CALLS, TOKENS, UNPRICED, MICRODOLLARS)
        ]
        query = select(func.coalesce(func.sum(answered), 0), *kept).where(
            inbox.c.said_at >= self.day_start(now), inbox.c.client == CLIENT
        )
        async with self._database.read() as connection:
            messages, calls, tokens, unpriced, microdollars = (await connection.execute(query)).one()
        spending = Spending(int(calls), int(tokens), 0, int(microdollars) / 1_000_000, int(unpriced))
        return Today(int(messages), spending)

    def day_start(self, now: datetime) -> datetime:
        """Return when the house's day began, in UTC."""
        local = now.astimezone(self._zone)
        return local.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
