"""The people: each writes, waits for the answer, thinks, and writes again; every answer is looked at."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from benchmarks.load.model import MARK
from tests.standin import Channel, Message, Person, StandIn

LOOK_SECONDS = 0.01
THINGS = ("茶", "餅", "湯", "麵", "酒", "水果", "咖啡", "果汁", "豆漿", "可可")


@dataclass
class Line:
    """Something somebody said, and what came of it."""

    mark: str
    person: int
    message: Message
    at: float
    answers: list[tuple[float, bool]] = field(default_factory=list)
    """When each answer came, and whether it was the model's."""
    foreign: bool = False


@dataclass
class Crowd:
    """So many people in their direct messages, with a pause between an answer and the next line.

    The pause is drawn from 0 to twice ``think`` seconds. One line in ``tells`` says something worth keeping.
    """

    discord: StandIn
    people: int
    think: float
    tells: int
    seed: int = 2026
    lines: dict[int, Line] = field(default_factory=dict)
    told: int = 0
    by_itself: int = 0
    _persons: list[tuple[Person, Channel]] = field(default_factory=list)
    _due: list[float] = field(default_factory=list)
    _waiting: dict[int, int] = field(default_factory=dict)
    _seen: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311
        persons = [
            self.discord.person(f"p{number}", display=f"人{number:03}") for number in range(self.people)
        ]
        self.discord.server("Harbour", persons)
        self._persons = [(person, person.dm_channel()) for person in persons]

    @property
    def open(self) -> int:
        """How many lines have no answer yet."""
        return len(self._waiting)

    async def talk(self, seconds: float) -> None:
        """Let everybody talk for so long. Nobody writes again before they have got their answer."""
        now = time.perf_counter()
        if not self._due:
            self._due = [now + self._random.uniform(0, 2 * self.think) for _ in self._persons]
        end = now + seconds
        while (now := time.perf_counter()) < end:
            self._look()
            for number, due in enumerate(self._due):
                if due <= now and number not in self._waiting:
                    self._say(number, now)
            await asyncio.sleep(LOOK_SECONDS)

    async def listen(self, most: float) -> None:
        """Let nobody write; wait until all are answered, at most so many seconds."""
        end = time.perf_counter() + most
        while time.perf_counter() < end and any(not line.answers for line in self.lines.values()):
            self._look()
            await asyncio.sleep(LOOK_SECONDS)
        self._look()

    def _say(self, number: int, now: float) -> None:
        person, channel = self._persons[number]
        mark = f"zq{len(self.lines)}"
        words = "今天過得還好嗎"
        if self._random.randrange(self.tells) == 0:
            self.told += 1
            words = f"我喜歡喝{self._random.choice(THINGS)}{mark}"
        message = person.say(channel, f"{words} {mark}")
        self.lines[message.id] = Line(mark, number, message, now)
        self._waiting[number] = message.id
        self._due[number] = now

    def _look(self) -> None:
        """Take in what she has said since the last look, and forget what nobody needs any more."""
        world, bot = self.discord.world, self.discord.bot.user
        for happened in world.happenings:
            message = happened.message
            if happened.kind != "message" or message is None or message.author is not bot:
                continue
            line = self.lines.get(message.reference.message_id) if message.reference else None
            if line is None:
                self.by_itself += 1
                continue
            marks = MARK.findall(message.content)
            line.answers.append((happened.at, bool(marks)))
            line.foreign = line.foreign or bool(marks and marks[-1] != line.mark)
            if self._waiting.get(line.person) == line.message.id:
                del self._waiting[line.person]
                self._due[line.person] = time.perf_counter() + self._random.uniform(0, 2 * self.think)
        world.happenings.clear()
        self.discord.recorder.clear()
        for session in self.discord.gateway.sessions:
            del session.kept[:-200]
