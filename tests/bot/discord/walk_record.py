"""The whole walk: three people, ``lily run`` started, stopped and started again, and what is left of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.logs import LOG_NAME
from tests.bot.discord import walk_route as route
from tests.bot.discord.harness import Town, answer_to
from tests.bot.discord.walk import SOON, Walker
from tests.bot.discord.walk_child import Child, Model, child, online
from tests.bot.discord.walk_words import EVERYBODY
from tests.standin import Message, Person, Published, StandIn
from tests.standin.model import Interaction

LONG = "\n\n".join(f"第 {number} 段，" + "今天的風很大，她把窗關上又打開。" * 12 for number in range(1, 16))
"""An answer of the model's that no one message holds."""


@dataclass
class Walked:
    """What the walk left behind."""

    discord: StandIn
    walkers: tuple[Walker, ...]
    restarted: float = 0.0
    codes: list[int] = field(default_factory=list)
    told: str = ""
    refused: tuple[int, str, int] = (0, "", 0)
    differences: list[str] = field(default_factory=list)
    long_parts: list[str] = field(default_factory=list)
    burst: list[Message] = field(default_factory=list)
    cut_off: tuple[Message, Interaction] | None = None
    log: str = ""

    @property
    def used(self) -> list[Interaction]:
        """Everything anybody used."""
        return list(self.discord.world.interactions.values())

    def used_by(self, one: Walker) -> list[Interaction]:
        """Everything one person used."""
        return [each for each in self.used if each.user is one.person.user]

    def answers_to(self, message: Message) -> int:
        """How often she answered a message."""
        said = [each for each in message.channel.messages.values() if each.author is self.discord.bot.user]
        return sum(one.reference is not None and one.reference.message_id == message.id for one in said)


async def walk_through(folder: Path) -> Walked:
    """Go all the way; ``folder`` is empty and keeps the data."""
    data = folder / "data"
    async with StandIn() as discord, Model() as model:
        people = [discord.person(one.name, locale=one.locale) for one in EVERYBODY]
        bystander = discord.person("yu", locale="zh-TW")
        server = discord.server("Harbour", [*people, bystander])
        boss = server.role("boss", "manage_guild")
        place = Town(discord, server, people[0], people[1])
        walkers = tuple(Walker(place, who, lines) for who, lines in zip(people, EVERYBODY, strict=True))
        walked = Walked(discord, walkers)
        for who in people[1:]:
            server.give(who, boss)
        with _with_the_log(data):
            async with online(discord, data) as first:
                await _before_the_restart(walked, place, bystander)
                await _leaves(walked, first)
            walked.restarted = discord.world.steady()
            async with online(discord, data, **model.settings) as second:
                await _after_the_restart(walked, model)
                await _is_refused(walked, data, second)
                await _together(walkers, route.takes_leave)
                await _stops_midway(walked, model, second)
        published = Published.at_hand()
        found = published.differences(discord.recorder) if published else []
        walked.differences = [str(one) for one in found]
        walked.log = (data / LOG_NAME).read_text(encoding="utf-8")
        return walked


async def _before_the_restart(walked: Walked, place: Town, bystander: Person) -> None:
    walkers = walked.walkers
    for step in (route.talks, route.looks, route.settles, route.changes):
        await _together(walkers, step)
    await _together(walkers, lambda one: route.picks(one, bystander))
    chats = {one: place.server.channel(f"chat-{one.lines.name}") for one in walkers}
    await _together(walkers, lambda one: route.manages(one, chats[one]))
    await _together(walkers, route.leaves_open)
    await _is_invited(place, walkers)


async def _after_the_restart(walked: Walked, model: Model) -> None:
    walkers = walked.walkers
    await _together(walkers, route.goes_on)
    for one, other in zip(walkers, (*walkers[1:], walkers[0]), strict=True):
        await route.is_refused(other, one.open["public"])
    await _talks_long(walked, model)
    await _bursts(walked, model)


@contextmanager
def _with_the_log(data: Path) -> Iterator[None]:
    """Let whatever goes wrong tell the end of the process's log."""
    try:
        yield
    except Exception as error:
        if (data / LOG_NAME).is_file():
            error.add_note((data / LOG_NAME).read_text(encoding="utf-8")[-4000:])
        raise


async def _together(walkers: Sequence[Walker], step: Callable[[Walker], Awaitable[Any]]) -> None:
    await asyncio.gather(*(step(one) for one in walkers))


async def _is_invited(place: Town, walkers: Sequence[Walker]) -> None:
    """Bring her to a new server of each language."""
    for one in walkers:
        server = place.discord.server(one.lines.name.title(), [one.person], locale=one.lines.locale)
        one.seen += ["(invited)", *(await one.person.hears(server.general, within=SOON)).content.splitlines()]


async def _leaves(walked: Walked, process: Child) -> None:
    process.ask_to_stop()
    walked.codes.append(await process.ended())
    walked.told += process.told


async def _is_refused(walked: Walked, data: Path, running: Child) -> None:
    async with child(walked.discord, data) as second:
        code = await second.ended()
        walked.refused = (code, second.told, running.pid)


async def _talks_long(walked: Walked, model: Model) -> None:
    """Let the model say more than one message holds."""
    one, before, model.answer = walked.walkers[0], model.answer, LONG
    said = one.person.dm("說個很長的故事")

    def whole() -> list[str] | None:
        hers = [each for each in one.person.reads(one.dm) if each.id > said.id and each.author.bot]
        parts = [each.content for each in hers]
        return parts if sum(map(len, parts)) > len(LONG) - 2 * len(parts) else None

    walked.long_parts = await walked.discord.world.until(whole, SOON, "the whole story")
    model.answer = before


async def _bursts(walked: Walked, model: Model) -> None:
    """Say three things while she thinks about a first one."""
    one, asked = walked.walkers[0], model.asked
    model.hold()
    walked.burst = [one.person.dm("第一句")]
    await walked.discord.world.until(lambda: model.asked > asked, SOON, "her thinking")
    walked.burst += [one.person.dm(text) for text in ("第二句", "第三句", "第四句")]
    async with asyncio.timeout(SOON):
        while "等著回的 3 則" not in (await one.uses("lily status")).content:
            pass
    model.release()
    await answer_to(one.person, walked.burst[-1], SOON)


async def _stops_midway(walked: Walked, model: Model, process: Child) -> None:
    """Tell her to stop while she thinks about an answer and a command waits for Discord."""
    one, asked = walked.walkers[0], model.asked
    model.hold()
    said = one.person.dm("最後一句")
    await walked.discord.world.until(lambda: model.asked > asked, SOON, "her thinking about it")
    walked.discord.faults.slow(0.3, times=1, method="POST", path="/interactions/*/callback")
    use = one.person.slash(one.dm, "memory list")
    walked.cut_off = said, use.interaction
    process.ask_to_stop()
    model.release()
    walked.codes.append(await process.ended())
    walked.told += process.told
