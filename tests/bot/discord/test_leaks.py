from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import pytest

from memory import comparing
from memory.context import render_context
from memory.extraction.types import Change
from memory.messages import Message
from memory.model import Category
from memory.places import Place, may_use
from memory.relations.types import Relation, Statement, Verdict
from memory.store import gate
from tests.bot.discord.harness import SOON, Lily, Town, online, town
from tests.bot.discord.leaks import PLACES, TOKEN, TOPICS, Lives, attempts, heard_in, live
from tests.standin import Channel, Person
from tests.standin import Message as Shown
from tests.standin.posting import Draft, post
from tests.support.models import ScriptedJudge, TermEmbedder
from tests.support.world import World, fact, open_world

CASES = 10_000
READING = ("memory list", "memory archived", "memory why", "profile")


def test_the_audience_table_is_the_one_these_tests_were_written_with() -> None:
    for said_in in PLACES:
        for used_in in PLACES:
            assert may_use(said_in, used_in) is heard_in(said_in, used_in)


async def test_ten_thousand_attempts_bring_nothing_out_of_the_place_where_it_was_said(tmp_path: Path) -> None:
    async with open_world(tmp_path) as world:
        people = [f"u{n}" for n in range(20)]
        lives = await live(world.service, world.embedder, people, 25, seed=1, archived=0.15)
        assert sum(one.archived for one in lives.by_token.values()) > 40
        leaks = [leak for one in attempts(lives, CASES, seed=2) for leak in await lives.attempt(*one)]
        assert leaks == []
        assert list(lives.asked_by_itself()) == []
    assert lives.cases >= CASES
    assert lives.allowed > CASES / 10
    assert lives.shown > lives.allowed / 4


async def test_the_same_attempts_find_leaks_where_the_gate_stands_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "_allowed", lambda visibility, places, place: True)
    async with open_world(tmp_path) as world:
        lives = await live(world.service, world.embedder, ["u1", "u2"], 25, seed=1)
        leaks = [leak for one in attempts(lives, 200, seed=2) for leak in await lives.attempt(*one)]
    assert len(leaks) > 20


async def test_the_same_attempts_find_what_is_archived_where_it_is_not_sorted_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path) as world:
        lives = await live(world.service, world.embedder, ["u1", "u2"], 25, seed=1)
        for token, one in lives.by_token.items():
            lives.by_token[token] = one.model_copy(update={"archived": True})
        leaks = [leak for one in attempts(lives, 200, seed=2) for leak in await lives.attempt(*one)]
    assert len(leaks) > 20


@dataclass
class HashedJudge(ScriptedJudge):
    """Gives a verdict that looks like chance and is always the same for a pair."""

    verdicts: dict[tuple[str, str], Relation] = field(default_factory=dict)
    asked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    error: None = None

    async def judge(self, new: Statement, candidates: Sequence[Statement]) -> tuple[Verdict, ...]:
        relations = list(Relation)
        chosen = [
            blake2b(f"{one.text}{new.text}".encode()).digest()[0] % len(relations) for one in candidates
        ]
        return tuple(Verdict(relations[one], "scripted") for one in chosen)


@dataclass
class Rumours:
    """What one person said where: every word and every day that could tell."""

    world: World
    person: str
    said: dict[str, set[Place]] = field(default_factory=dict)
    checked: int = 0
    seen: int = 0

    async def say(self, pick: random.Random, number: int) -> None:
        """Let the person tell of something new, or of something they told of elsewhere."""
        place, topic = pick.choice(PLACES), pick.choice(TOPICS[:3])
        word, ending = f"zq{number:04}0", f"zq{number:04}1"
        change = pick.choice(
            (Change.NEW, Change.NEW, Change.MOVED, Change.MOVED, Change.DONE, Change.CANCELLED)
        )
        if pick.random() < 0.3:
            text = pick.choice((f"使用者喜歡{topic}", f"使用者住在{topic}旁邊", f"使用者討厭{topic}{word}"))
            told = [fact(text, pick.choice((Category.PREFERENCE, Category.IDENTITY)))]
            message = f"{text}{number}"
        else:
            day = f"{number % 28 + 1}"
            month = 10 + number // 28 % 3
            when = (
                f"{month}月{day}日" if change in {Change.NEW, Change.MOVED} and pick.random() < 0.8 else None
            )
            text = f"使用者有{topic}" + (word if pick.random() < 0.5 else "")
            outcome = f"結果{ending}" if change is Change.DONE else None
            moved, day_named = "改期了" if change is Change.MOVED else "", when or ""
            if moved and when is None and number % 2:
                moved, when = "改到下午三點了", "下午三點"
            message = f"我{day_named}的{topic}{moved}{text[4:]}{outcome or ''}"
            told = [fact(text, Category.SCHEDULE, message, change, when_text=when, outcome=outcome)]
            if day_named:
                self.said.setdefault(f"-{month}-{int(day):02}", set()).add(place)
        for token in TOKEN.findall(message):
            self.said.setdefault(token, set()).add(place)
        await self.world.say(message, *told, user=self.person, place=place)
        self.world.later(minutes=pick.randrange(1, 120))

    async def leaks(self, number: int) -> list[str]:
        """Return what can be read where it was never said."""
        found = []
        for place in PLACES:
            text = "、".join(TOPICS[:3]) + "怎麼樣"
            message = Message(
                f"read:{self.person}:{number}:{place}",
                self.person,
                "lily",
                text,
                self.world.clock.now(),
                place,
            )
            recalled = await self.world.service.recall.recall(message, self.world.embedder.vector(text))
            shown = render_context(recalled, self.world.service.policy)
            for told, places in self.said.items():
                self.checked += 1
                if told in shown:
                    self.seen += 1
                    if not any(heard_in(said_in, place) for said_in in places):
                        found.append(f"{told} of {self.person} in {place}: {shown}")
        return found


async def gossip(folder: Path, lives: int) -> tuple[list[str], int, int]:
    """Live so many lives; returns the leaks, how often one was looked for, how often something was told."""
    leaks, checked, seen = [], 0, 0
    async with open_world(folder, judge=HashedJudge()) as world:
        for life in range(lives):
            pick = random.Random(life)
            rumours = Rumours(world, f"u{life}")
            for number in range(8):
                await rumours.say(pick, life * 8 + number)
                leaks += await rumours.leaks(number)
            checked, seen = checked + rumours.checked, seen + rumours.seen
    return leaks, checked, seen


async def test_what_is_moved_told_again_done_or_denied_elsewhere_carries_no_word_along(
    tmp_path: Path,
) -> None:
    leaks, checked, seen = await gossip(tmp_path, 15)
    assert leaks == []
    assert checked > 2000
    assert seen > 300


async def test_the_same_lives_leak_where_a_change_takes_everything_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "reaches", lambda said_in, used_in: True)
    leaks, _, _ = await gossip(tmp_path, 4)
    assert leaks != []


async def asked(person: Person, where: Channel, command: str, /, **options: object) -> Shown:
    """Use a command and return its answer."""
    return await person.slash(where, command, **options).reply(SOON)


def words_of(place: Town, shown: Shown) -> set[str]:
    """Return the tokens in an answer and in the files that came with it."""
    base = place.discord.world.base_url
    files = [place.discord.world.files[one["url"].removeprefix(base)] for one in shown.attachments]
    return set(TOKEN.findall(shown.content + repr(shown.components) + "".join(one.decode() for one in files)))


async def seeded(lily: Lily, people: Sequence[Person]) -> Lives:
    """Give people memories in a running house."""
    memory = lily.house.memory
    embedder = TermEmbedder(memory.embedder.identity.dimensions)
    return await live(memory, embedder, [str(one.id) for one in people], 12, seed=5)


async def test_commands_and_suggestions_show_nobody_what_is_somebody_elses(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        people = [place.ming, place.ann]
        lives = await seeded(lily, people)
        for person in people:
            mine = {token for token, one in lives.by_token.items() if one.user_id == str(person.id)}
            where = place.server.general
            seen: set[str] = set()
            for command in (*READING, "memory export", "checkin list"):
                shown = await asked(person, where, command)
                assert shown.ephemeral_to is person.user
                seen |= words_of(place, shown)
            for command in ("memory forget", "memory history", "memory edit", "memory restore"):
                for typed in ("", "zq", *list(lives.by_token)[:4]):
                    found = await person.autocomplete(where, command, "memory", typed)
                    seen |= set(TOKEN.findall(repr(found)))
            assert seen == mine


async def test_nobody_reaches_a_memory_by_its_id(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        lives = await seeded(lily, [place.ming])
        for memory in list(lives.by_token.values())[:4]:
            for command in ("memory forget", "memory history", "memory restore"):
                shown = await asked(place.ann, place.server.general, command, memory=memory.id)
                assert words_of(place, shown) == set()
        assert await lily.memories(place.ming) == tuple(sorted_by_age(lives))


async def test_a_button_in_the_wrong_hands_does_and_shows_nothing(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        lives = await seeded(lily, [place.ming])
        memory = next(iter(lives.by_token.values()))
        ming, ann = place.ming, place.ann
        for owner in (ming.id, ann.id):
            for verb, rest in (
                ("forget", memory.id), ("restore", memory.id), ("source", memory.source[8:]), ("erase", ""),
                ("page", "1:live:"), ("checkin", "on"), ("prune", f"{place.server.id}"),
            ):  # fmt: skip
                forged = {"type": 2, "style": 2, "label": "x", "custom_id": f"lily:{verb}:{owner}:{rest}"}
                draft = Draft(content="?", components=[{"type": 1, "components": [forged]}])
                message = post(place.discord.world, ann.dm_channel(), place.discord.bot.user, draft)
                use = ann.click(message)
                await use.acknowledged()
                if use.interaction.modal is None:
                    assert words_of(place, await use.reply(SOON)) == set()
        assert await lily.memories(ming) == tuple(sorted_by_age(lives))
        assert not (await lily.house.memory.people.get(str(ming.id))).check_ins_chosen


def sorted_by_age(lives: Lives) -> list[object]:
    """Return the memories as the owner's view has them."""
    return sorted(lives.by_token.values(), key=lambda one: (one.created_at, one.id))
