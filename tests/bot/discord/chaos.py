"""A bad day on Discord: many people in several servers while the connection drops and Discord errs.

Every line has a token nobody else says. Her model answers with the token of the last turn it is
shown, her extractor keeps it as a fact, so that each answer and each memory tells whose line it came from.
"""

from __future__ import annotations

import asyncio
import gc
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from bot.discord.ids import message_key
from memory.inbox import ReplyState
from memory.places import Place, may_use
from memory.store import gate
from tests.bot.discord.echo import TOKEN, EchoChat, scripted
from tests.bot.discord.harness import SOON, Lily, online
from tests.standin import Channel, Message, Person, StandIn

AT_ONCE = 40
"""Lines that may wait for an answer, all conversations together."""
IN_ONE = 8
"""Lines that may wait in one conversation: fewer than its queue holds."""
LONGEST = 60.0
"""Seconds without any answer after which she counts as silent."""


@dataclass(frozen=True)
class Line:
    """Something somebody said. ``burst`` numbers what one person says in one go."""

    token: str
    person: Person
    channel: Channel
    place: Place
    message: Message
    burst: int


@dataclass
class Report:
    """What came of a run. ``faults`` says in one line each what must not be."""

    messages: int
    people: int
    servers: int
    replies: int = 0
    merged: int = 0
    memories: int = 0
    trouble: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    most_waiting: int = 0
    most_tasks: int = 0
    tasks_before: int = 0
    tasks_after: int = 0
    resident: list[float] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)


class Chaos:
    """One run of it."""

    def __init__(self, discord: StandIn, *, people: int, servers: int, seed: int) -> None:
        self._discord = discord
        self._random = random.Random(seed)
        self._chat = EchoChat()
        self._lines: dict[str, Line] = {}
        self._by_message: dict[int, str] = {}
        self._people = [discord.person(f"p{n}", display=f"人{n:02}") for n in range(people)]
        self._rooms: dict[Person, list[tuple[Channel, Place]]] = {
            one: [(one.dm_channel(), Place())] for one in self._people
        }
        self._answers: Counter[int] = Counter()
        self._strangers: list[Message] = []
        self._read: Counter[int] = Counter()
        self._found(servers)

    def _found(self, servers: int) -> None:
        """Found servers: everybody is in one to three; each has an open and a closed channel and a thread."""
        homes = [
            self._random.sample(range(servers), k=min(servers, 1 + n % 3)) for n in range(len(self._people))
        ]
        for number in range(servers):
            members = [one for one, home in zip(self._people, homes, strict=True) if number in home]
            server = self._discord.server(f"S{number}", members)
            few = members[::2]
            closed = server.private_channel("staff", few)
            thread = server.thread(server.general, "閒聊", members[0])
            guild = str(server.id)
            for one in members:
                self._rooms[one].append((server.general, Place(guild, str(server.general.id))))
                self._rooms[one].append((thread, Place(guild, str(thread.id))))
                if one in few:
                    self._rooms[one].append((closed, Place(guild, str(closed.id), private=True)))

    async def run(self, folder: Path, messages: int, *, samples: int = 10) -> Report:
        """Say so many lines and look at what came of them."""
        report = Report(messages, len(self._people), len(self._discord.world.guilds))
        self._discord.recorder.frames_too = False
        (folder / "notes").touch()  # not a copy of the harness's template: its vectors are another embedder's
        with scripted(self._chat):
            async with online(self._discord, folder, merge_window_seconds=0.02) as lily:
                lily.service.parts.delivery._sleep = _shortly
                report.tasks_before = len(asyncio.all_tasks())
                burst = 0
                every = max(1, messages // samples)
                while len(self._lines) < messages:
                    await self._until_there_is_room(lily, report)
                    burst += 1
                    for _ in range(min(self._random.choice((1, 1, 1, 2, 3)), messages - len(self._lines))):
                        self._say(burst)
                        if len(self._lines) % every == 0:
                            self._forget_traffic()
                            report.resident.append(resident())
                            report.objects.append(len(gc.get_objects()))
                    if self._random.random() < 0.35:
                        await self._trouble(lily, report)
                    await asyncio.sleep(0)
                self._discord.outages.duplicate()
                self._discord.faults.clear()
                await self._quiet(lily, report)
                await self._again(lily, report)
                await self._check(lily, report)
        return report

    def _forget_traffic(self) -> None:
        """Let the stand-in drop what it keeps for others: it lives in the same process."""
        self._discord.recorder.clear()
        self._discord.world.happenings.clear()
        for session in self._discord.gateway.sessions:
            del session.kept[:-100]
        gc.collect()

    # Talking

    def _say(self, burst: int) -> None:
        newest = next(reversed(self._lines.values()), None)
        if newest is not None and newest.burst == burst:
            person, (channel, place) = newest.person, (newest.channel, newest.place)
        else:
            person = self._random.choice(self._people)
            channel, place = self._random.choice(self._rooms[person])
        token = f"zq{len(self._lines):05}"
        called = () if place.is_dm else self._discord.bot
        message = person.say(channel, f"這是{token}", mention=called)
        self._lines[token] = Line(token, person, channel, place, message, burst)
        self._by_message[message.id] = token

    def _open(self) -> list[Line]:
        """Return the lines that neither have an answer nor are followed by one of their person's that has."""
        self._listen()
        return [
            one
            for lines in self._sequences()
            for one in takewhile(lambda line: not self._answers[line.message.id], reversed(lines))
        ]

    def _sequences(self) -> list[list[Line]]:
        """Return what each person said in each channel, in order."""
        found: dict[tuple[int, int], list[Line]] = defaultdict(list)
        for one in self._lines.values():
            found[one.person.id, one.channel.id].append(one)
        return list(found.values())

    def _listen(self) -> None:
        hers = self._discord.bot.user
        for channel_id, spoken in self._discord.world.spoken.items():
            for one in spoken[self._read[channel_id] :]:
                if one.author is hers and one.reference is not None:
                    self._answers[one.reference.message_id] += 1
                elif one.author is hers:
                    self._strangers.append(one)
            self._read[channel_id] = len(spoken)

    async def _until_there_is_room(self, lily: Lily, report: Report) -> None:
        def room() -> bool:
            waiting = self._open()
            report.most_waiting = max(report.most_waiting, lily.service.parts.talk.waiting)
            report.most_tasks = max(report.most_tasks, len(asyncio.all_tasks()))
            crowded = Counter(one.channel.id for one in waiting).most_common(1)
            return len(waiting) < AT_ONCE and (not crowded or crowded[0][1] < IN_ONE)

        await self._discord.world.until(room, LONGEST, "an answer")

    async def _quiet(self, lily: Lily, report: Report) -> None:
        """Wait until everything said has been answered and learned."""
        try:
            await self._discord.world.until(lambda: not self._open(), LONGEST, "the last answers")
        except TimeoutError:
            report.faults.extend(f"{one.token} was never answered" for one in self._open())
        await lily.settled()

    # Trouble

    async def _trouble(self, lily: Lily, report: Report) -> None:
        outages, faults, pick = self._discord.outages, self._discord.faults, self._random
        sending: dict[str, Any] = {
            "method": "POST",
            "path": pick.choice(("/channels/*/messages", "/channels/*/typing")),
        }
        kind = pick.choices(
            (
                "cut",
                "close",
                "op7",
                "invalid",
                "twice",
                "once",
                "429",
                "global",
                "5xx",
                "lost",
                "reset",
                "again",
            ),
            (4, 2, 2, 1, 3, 3, 4, 1, 4, 3, 3, 0.4),
        )[0]
        outages.replay_extra(pick.randrange(8))
        match kind:
            case "cut":
                outages.cut()
            case "close":
                outages.close(pick.choice((1000, 1001, 4000, 4002)))
            case "op7":
                outages.ask_to_reconnect()
            case "invalid":
                outages.invalidate(resumable=True)
            case "twice":
                outages.duplicate("MESSAGE_CREATE", "MESSAGE_UPDATE")
            case "once":
                outages.duplicate()
            case "429":
                faults.limit(0.02, times=pick.choice((1, 2, 6)), **sending)
            case "global":
                faults.limit(0.05, scope="global")
            case "5xx":
                status = pick.choice((500, 502, 503, 503, 503))
                faults.fail(status, times=1, after=pick.random() < 0.5, html=status == 502, **sending)
            case "lost":
                faults.fail(503, times=2, after=True, **sending)
            case "reset":
                faults.reset(times=1, after=pick.random() < 0.5, **sending)
            case "again":
                await self._again(lily, report)
        report.trouble[kind] += 1

    async def _again(self, lily: Lily, report: Report) -> None:
        """Lose the session for good: she identifies anew and looks through what was said meanwhile."""
        await self._quiet(lily, report)
        before, working = lily.notes.count("online"), len(lily.service._tasks)
        self._discord.outages.invalidate()
        await self._discord.world.until(lambda: lily.notes.count("online") > before, SOON, "coming back")
        await self._quiet(lily, report)
        await self._discord.world.until(
            lambda: len(lily.service._tasks) <= working, SOON, "looking through what was missed"
        )

    # Looking at it

    async def _check(self, lily: Lily, report: Report) -> None:
        self._listen()
        report.replies = sum(self._answers.values())
        report.tasks_after = len(asyncio.all_tasks())
        report.faults += self._answered_once(report)
        report.faults += self._told_apart()
        report.faults += await self._learned(lily, report)
        report.faults += await self._settled(lily)
        report.faults += self._left_over(lily)

    def _answered_once(self, report: Report) -> Iterator[str]:
        for lines in self._sequences():
            for number, one in enumerate(lines):
                count = self._answers[one.message.id]
                if count > 1:
                    yield f"{one.token} was answered {count} times"
                if count:
                    continue
                # it belongs to a burst: the answer to what the person said next is its answer too
                report.merged += 1
                later = next((x for x in lines[number:] if self._answers[x.message.id]), None)
                calls = self._chat.shown[later.token] if later else []
                if not any(one.token in said for _, said in calls):
                    yield f"{one.token} was in no answer's view"
        known = {one.message.id for one in self._lines.values()}
        for stray in set(self._answers) - known:
            yield f"something was said to {stray}, which nobody wrote"

    def _told_apart(self) -> Iterator[str]:
        hers = self._discord.bot.user
        for spoken in self._discord.world.spoken.values():
            for one in spoken:
                if one.author is not hers or one.reference is None:
                    continue
                token = self._by_message.get(one.reference.message_id)
                if token is None:
                    continue
                line = self._lines[token]
                if one.channel is not line.channel:
                    yield f"{token} was answered elsewhere"
                if TOKEN.findall(one.content) != [token]:
                    yield f"{token} got another line's answer"
                if not one.content.startswith(f"{line.person.user.global_name}，"):
                    yield f"{token} was answered to somebody else"
        for token, calls in self._chat.shown.items():
            for remembered, said in calls:
                yield from self._shown(self._lines[token], remembered, said)

    def _shown(self, line: Line, remembered: Sequence[str], said: Sequence[str]) -> Iterator[str]:
        for one in map(self._lines.__getitem__, remembered):
            if one.person is not line.person or not may_use(one.place, line.place):
                yield f"{one.token} was remembered for {line.token}"
        for one in map(self._lines.__getitem__, said):
            if one.channel is not line.channel:
                yield f"{one.token} was among the turns of {line.token}"

    async def _learned(self, lily: Lily, report: Report) -> list[str]:
        faults: list[str] = []
        notices = Counter(one.channel.id for one in self._strangers)
        for person in self._people:
            async with lily.house.memory.database.read() as connection:
                memories = await gate.owned(connection, str(person.id))
            report.memories += len(memories)
            kept = Counter(token for one in memories for token in TOKEN.findall(one.text))
            mine = {one.token: one for one in self._lines.values() if one.person is person}
            faults += [f"{token} was kept {kept[token]} times" for token in mine if kept[token] != 1]
            faults += [f"{token} was kept of somebody else" for token in set(kept) - set(mine)]
            for one in memories:
                (token,) = TOKEN.findall(one.text)
                if token in mine and one.places != (str(mine[token].place),):
                    faults.append(f"{token} was kept with another place")
        spoke = {one.person for one in self._lines.values()}
        if sum(notices.values()) != len(spoke):
            faults.append(f"{len(spoke)} people were told {sum(notices.values())} times that she remembers")
        return faults

    async def _settled(self, lily: Lily) -> list[str]:
        faults = []
        for one in self._lines.values():
            entry = await lily.house.memory.inbox.get(message_key(one.message.id))
            answered = ReplyState.REPLIED if self._answers[one.message.id] else ReplyState.IGNORED
            if entry is None or entry.state is not answered or not entry.observed:
                faults.append(f"{one.token} is not settled in the inbox")
        return faults

    def _left_over(self, lily: Lily) -> Iterator[str]:
        parts = lily.service.parts
        left = {
            "lines": len(parts.talk._bursts._lines),
            "typing": len(parts.talk._thinking._waiting) + len(parts.talk._thinking._tasks),
            "observing": len(parts.talk._observing),
        }
        yield from (f"{count} {what} are left over" for what, count in left.items() if count)
        if len(parts.client.cached_messages) > 2000:
            yield "the client keeps more messages than it should"


def resident() -> float:
    """Return how much memory this process holds, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


async def _shortly(_: float) -> None:
    await asyncio.sleep(0.01)
