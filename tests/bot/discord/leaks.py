"""Where things were said, and where they turn up: generated lives to search for leaks.

Every memory holds a token of its own. Whatever is shown anywhere is searched for tokens, and each
must be one that may be shown there: by the audience table, written out here once more on purpose.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.context import render_context
from memory.follow_ups import reschedule
from memory.messages import Message
from memory.model import ArchivedReason, Category, Kind, Memory, Precision, Visibility
from memory.places import DM, Place
from memory.policy import DEFAULT_RULES
from memory.service import MemoryService
from memory.store.writer import Writer
from scheduler.manners import place_for
from tests.support.models import TermEmbedder

TOKEN = re.compile(r"zq\d{5}")
PLACES = (
    DM,
    Place("1", "10"),
    Place("1", "11"),
    Place("1", "12", private=True),
    Place("1", "13", private=True),
    Place("2", "20"),
    Place("2", "21", private=True),
)
TOPICS = ("看牙醫", "期末考", "面試", "搬家", "爬山", "貓咪", "過敏", "加班", "旅行", "相親")
AT_A_TIME = 16
"""How many memories one message speaks of."""


def heard_in(said_in: Place, used_in: Place) -> bool:
    """Whether whoever reads along in one place was there, or is the person alone."""
    if used_in.is_dm:
        return True
    if said_in.is_dm:
        return False
    if said_in.private:
        return said_in == used_in
    return said_in.guild == used_in.guild


def may_show(memory: Memory, person: str, place: Place) -> bool:
    """Whether a memory may be shown to a person in a place."""
    if memory.user_id != person or memory.archived:
        return False
    if memory.visibility is Visibility.EVERYWHERE:
        return True
    return any(heard_in(Place.parse(one), place) for one in memory.places)


@dataclass
class Lives:
    """Memories of many people, by token, and the leaks that were found among them."""

    service: MemoryService
    embedder: TermEmbedder
    now: datetime
    by_token: dict[str, Memory]
    cases: int = 0
    allowed: int = 0
    shown: int = 0

    async def attempt(self, person: str, place: Place, about: Iterable[Memory]) -> list[str]:
        """Let a person speak of memories, theirs or not, and return what leaks into what she is shown."""
        wanted = list(about)
        text = f"{wanted[0].text}、{' '.join(map(token_of, wanted[1:]))}"
        message = Message(f"test:{self.cases}", person, "lily", text, self.now, place)
        found = await self.service.recall.recall(message, self.embedder.vector(text))
        everything = repr(found) + render_context(found, self.service.policy)
        visible = set(TOKEN.findall(everything.replace(repr(found.reading), "")))
        self.cases += len(wanted)
        self.allowed += sum(may_show(memory, person, place) for memory in wanted)
        self.shown += sum(token_of(memory) in visible for memory in wanted)
        leaks = [token for token in visible if not may_show(self.by_token[token], person, place)]
        return [f"{token} was shown to {person} in {place}" for token in leaks]

    def asked_by_itself(self) -> Iterator[str]:
        """Yield the events that would be asked about where they may not be spoken of."""
        for memory in self.by_token.values():
            chosen = place_for([Place.parse(one) for one in memory.places], memory.sensitive)
            private = memory.sensitive and not chosen.is_dm
            if private or not any(heard_in(Place.parse(one), chosen) for one in memory.places):
                yield f"{token_of(memory)} would be asked about in {chosen}"


def token_of(memory: Memory) -> str:
    """Return the token of a memory."""
    (token,) = TOKEN.findall(memory.text)
    return str(token)


def memory_of(pick: random.Random, number: int, person: str, now: datetime) -> Memory:
    """Return a memory of any category, said in one or two places, now and then painful or for everybody."""
    category = pick.choice(list(Category))
    kind = DEFAULT_RULES[category].kind
    said = now - timedelta(hours=pick.randrange(1, 24 * 60))
    when = now + timedelta(hours=pick.randrange(-72, 96)) if kind is Kind.EVENT else None
    return Memory(
        id=f"m{number:05}",
        user_id=person,
        persona_id="lily",
        places=tuple(str(one) for one in pick.sample(PLACES, k=pick.choice((1, 1, 1, 2)))),
        visibility=Visibility.EVERYWHERE if pick.random() < 0.05 else Visibility.PLACES,
        text=f"使用者提過{pick.choice(TOPICS)}zq{number:05}",
        category=category,
        kind=kind,
        created_at=said,
        updated_at=said,
        valid_from=when,
        valid_to=when + timedelta(hours=1) if when else None,
        precision=Precision.HOUR if when else None,
        zone="Asia/Taipei",
        outcome="很順利" if when and pick.random() < 0.1 else None,
        sensitive=pick.random() < 0.1,
        archived=False,
        source=f"discord:{number}",
    )


async def live(
    service: MemoryService,
    embedder: TermEmbedder,
    people: Iterable[str],
    each: int,
    seed: int,
    archived: float = 0.0,
) -> Lives:
    """Give people memories, through the one writer, with the follow-ups of their events.

    ``archived``: what share of them is out of use again, and may be recalled nowhere.
    """
    pick, now = random.Random(seed), service.clock.now()
    owners = [person for person in people for _ in range(each)]
    pick.shuffle(owners)
    made = [memory_of(pick, number, person, now) for number, person in enumerate(owners)]
    for start in range(0, len(made), 200):
        batch = made[start : start + 200]
        async with service.database.write() as connection:
            writer = Writer(connection, now, "test")
            for memory in batch:
                await writer.add(memory, embedder.vector(memory.text))
            for memory in [one for one in batch if pick.random() < archived]:
                made[made.index(memory)] = await writer.archive(memory, ArchivedReason.FORGOTTEN)
            await reschedule(connection, writer.touched, service.policy, now)
    await service.outbox.drain()
    return Lives(service, embedder, now, {token_of(memory): memory for memory in made})


def attempts(lives: Lives, count: int, seed: int) -> Iterator[tuple[str, Place, list[Memory]]]:
    """Yield who speaks where of what until so many cases have been made: most of it their own."""
    pick = random.Random(seed)
    everything = list(lives.by_token.values())
    people = sorted({memory.user_id for memory in everything})
    own = {person: [memory for memory in everything if memory.user_id == person] for person in people}
    for _ in range(0, count, AT_A_TIME):
        person = pick.choice(people)
        mine = pick.sample(own[person], k=min(AT_A_TIME - 4, len(own[person])))
        others = pick.sample(everything, k=AT_A_TIME - len(mine))
        yield person, pick.choice(PLACES), mine + others
