"""One trial over one kind of store: talk, take something away, give it back, count what came of it all."""

from __future__ import annotations

import asyncio
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from benchmarks.load.crowd import Crowd, Line
from benchmarks.load.house import Running, house
from memory.store.database import open_database
from memory.store.schema import events, inbox, memories, outbox
from tests.standin import StandIn
from tests.support.chroma_server import ChromaServer
from tests.support.postgres import PostgresServer

STARTS_WITHIN = 120.0
AROUND = ("lily_messages_waiting", "lily_messages_unobserved", "lily_index_lag", "memory_mb")


@dataclass(frozen=True)
class Choices:
    """How many people, how long, how slow."""

    people: int = 500
    think: float = 5.0
    latency: float = 1.0
    at_once: int = 16
    steady: float = 60.0
    outage: float = 60.0
    restart: float = 30.0
    tells: int = 4
    last: float = 180.0

    @property
    def ideal(self) -> float:
        """The most answers a second the model can give."""
        return self.at_once / self.latency


@dataclass
class Phase:
    """What happened in a stretch of time; times in seconds, answers a second, memory in MB."""

    name: str
    seconds: float
    lines: int = 0
    model_answers: int = 0
    said_so: int = 0
    a_second: float = 0.0
    of_ideal: float = 0.0
    wait_p50: float | None = None
    wait_p95: float | None = None
    first_answer_after: float | None = None
    most: dict[str, float] = field(default_factory=dict)


@dataclass
class Report:
    """What came of one trial. ``faults`` says in one line each what must not be."""

    stores: str
    phases: list[Phase] = field(default_factory=list)
    lines: int = 0
    answered_once: int = 0
    lost: int = 0
    doubled: int = 0
    foreign: int = 0
    told: int = 0
    learned: int = 0
    drained_after: float | None = None
    model: dict[str, float] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


Switch = Callable[[], Awaitable[None]]


class Trial:
    """One house, one crowd."""

    def __init__(self, choices: Choices, stores: str) -> None:
        self._choices = choices
        self._servers = stores == "servers"
        self.report = Report(stores)

    async def run(self) -> Report:
        """Carry it out."""
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lily-load-")))
            more: dict[str, str] = {}
            postgres = chroma = None
            url = f"sqlite:///{folder / 'data' / 'lily.db'}"
            if self._servers:
                postgres = stack.enter_context(PostgresServer(safe=True))
                chroma = stack.enter_context(ChromaServer(folder / "chroma"))
                url = postgres.fresh()
                more = {"LILY_STORAGE__DATABASE_URL": url, "LILY_STORAGE__CHROMA": chroma.url}
            discord = await stack.enter_async_context(StandIn())
            discord.recorder.frames_too = False
            crowd = Crowd(discord, self._choices.people, self._choices.think, self._choices.tells)
            choices = self._choices
            async with house(
                discord, folder / "data", latency=choices.latency, at_once=choices.at_once, **more
            ) as running:
                await discord.ready(1, STARTS_WITHIN)
                await self._phases(crowd, running, postgres, chroma)
                began = time.perf_counter()
                await crowd.listen(choices.last)
                await self._drained(running, url, len(crowd.lines), began)
                self.report.model = await running.model_state()
            await self._count(crowd, url)
        return self.report

    async def _phases(
        self, crowd: Crowd, running: Running, postgres: PostgresServer | None, chroma: ChromaServer | None
    ) -> None:
        choices = self._choices
        await self._phase(crowd, running, "warming up", choices.people / choices.ideal + 20)
        await self._phase(crowd, running, "steady", choices.steady)
        await running.switch_model("down")
        await self._phase(crowd, running, "model down", choices.outage)
        await running.switch_model("up")
        await self._phase(crowd, running, "model back", choices.steady)
        if chroma is not None:
            await asyncio.to_thread(chroma.kill)
            await self._phase(crowd, running, "Chroma down", choices.outage)
            await asyncio.to_thread(chroma.start)
            await self._phase(crowd, running, "Chroma back", choices.steady)
        if postgres is not None:
            await asyncio.to_thread(postgres.stop, signal.SIGINT)
            await asyncio.to_thread(postgres.start)
            await self._phase(crowd, running, "PostgreSQL restarted", choices.steady)
            await asyncio.to_thread(postgres.stop, signal.SIGQUIT)
            await self._phase(crowd, running, "PostgreSQL down", choices.restart)
            await asyncio.to_thread(postgres.start)
            await self._phase(crowd, running, "PostgreSQL back", choices.steady)

    async def _phase(self, crowd: Crowd, running: Running, name: str, seconds: float) -> None:
        running.peaks.since()
        began, before = time.perf_counter(), len(crowd.lines)
        await crowd.talk(seconds)
        ended = time.perf_counter()
        phase = Phase(name, round(ended - began, 1), lines=len(crowd.lines) - before)
        came = [
            (at, line, whole)
            for line in crowd.lines.values()
            for at, whole in line.answers
            if began <= at < ended
        ]
        waits = sorted(at - line.at for at, line, _ in came)
        phase.model_answers = sum(whole for _, _, whole in came)
        phase.said_so = len(came) - phase.model_answers
        phase.a_second = round(phase.model_answers / (ended - began), 2)
        phase.of_ideal = round(phase.a_second / self._choices.ideal, 3)
        if len(waits) > 1:
            hundred = statistics.quantiles(waits, n=100)
            phase.wait_p50, phase.wait_p95 = round(hundred[49], 2), round(hundred[94], 2)
        firsts = [at - began for at, _, whole in came if whole]
        phase.first_answer_after = round(min(firsts), 2) if firsts else None
        most = running.peaks.since()
        phase.most = {name: round(most[name], 1) for name in AROUND if name in most}
        self.report.phases.append(phase)
        print(f"{self.report.stores}: {asdict(phase)}", flush=True)  # noqa: T201

    async def _drained(self, running: Running, url: str, lines: int, began: float) -> None:
        """Wait until all is written down, learned and mirrored; what was heard in an outage comes later."""
        while time.perf_counter() < began + self._choices.last:
            values = await running.metrics()
            pending = ("lily_messages_waiting", "lily_messages_unobserved", "lily_index_lag")
            idle = values and not any(values[name] for name in pending)
            if idle and await _written_down(url) >= lines:
                self.report.drained_after = round(time.perf_counter() - began, 1)
                return
            await asyncio.sleep(0.5)

    async def _count(self, crowd: Crowd, url: str) -> None:
        report, lines = self.report, list(crowd.lines.values())
        answers = Counter(min(len(line.answers), 2) for line in lines)
        report.lines, report.told = len(lines), crowd.told
        report.lost, report.answered_once, report.doubled = answers[0], answers[1], answers[2]
        report.foreign = sum(line.foreign for line in lines)
        async with open_database(url) as database, database.read() as connection:
            rows = (await connection.execute(select(inbox.c.id, inbox.c.state, inbox.c.observed))).all()
            sources = [row[0] for row in await connection.execute(select(memories.c.source))]
            stored = [
                row[0]
                for row in await connection.execute(
                    select(events.c.memory_id).where(events.c.action == "stored")
                )
            ]
            left = len((await connection.execute(select(outbox.c.seq))).all())
        report.learned = len(set(sources))
        self._judge(lines, {row.id: row for row in rows}, sources, stored, left)

    def _judge(
        self, lines: list[Line], rows: dict[str, Any], sources: list[str], stored: list[str], left: int
    ) -> None:
        report = self.report
        unknown = sum(f"discord:{line.message.id}" not in rows for line in lines)
        missing = report.told - report.learned
        checks = {
            f"{report.lost} lines were never answered": report.lost,
            f"{report.doubled} lines were answered twice": report.doubled,
            f"{report.foreign} answers were somebody else's": report.foreign,
            f"{unknown} lines are not in the inbox": unknown,
            "some lines were never learned from": sum(not row.observed for row in rows.values()),
            f"{missing} of {report.told} facts were not kept": missing,
            "a fact took effect twice": len(sources) - len(set(sources)) + len(stored) - len(set(stored)),
            f"{left} changes were never mirrored": left,
            "not all was learned and mirrored in time": report.drained_after is None,
        }
        report.faults = [text for text, wrong in checks.items() if wrong]


async def _written_down(url: str) -> int:
    """Return how many lines are in the inbox."""
    async with open_database(url) as database, database.read() as connection:
        return int((await connection.execute(select(func.count()).select_from(inbox))).scalar_one())
