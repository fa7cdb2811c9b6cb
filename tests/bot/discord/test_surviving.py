from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest

from bot.conversations import Conversations
from bot.discord import gateway
from bot.discord.ids import message_key
from memory.clock import SystemClock
from memory.inbox import ReplyState
from memory.messages import Message as Said
from tests.bot.discord.harness import SOON, Town, answer_to, online, town
from tests.standin import Channel, Message, Person, StandIn, environment


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "PAUSES", (0.01, 0.02, 0.05))


def answers(place: Town) -> list[int]:
    """Return which messages of the DM she answered."""
    found = place.ming.reads(place.ming.dm_channel())
    return [one.reference.message_id for one in found if one.author.bot and one.reference is not None]


async def test_a_gateway_that_refuses_at_first_is_tried_again(tmp_path: Path) -> None:
    async with town() as place:
        place.discord.outages.refuse(2)
        async with online(place.discord, tmp_path):
            place.ming.dm("在嗎")
            await place.ming.hears_dm(within=SOON)


async def test_an_api_that_is_down_at_login_is_tried_again(tmp_path: Path) -> None:
    async with town() as place:
        place.discord.faults.fail(503, times=2)
        async with online(place.discord, tmp_path):
            place.ming.dm("在嗎")
            await place.ming.hears_dm(within=SOON)


async def test_an_event_that_makes_no_sense_ends_nothing(tmp_path: Path) -> None:
    async with town(keeps_to_what_is_published=False) as place, online(place.discord, tmp_path) as lily:
        place.discord.outages.malformed()
        place.ming.dm("還在嗎")
        await place.ming.hears_dm(within=SOON)
        assert lily.notes.count("online") == 1  # nothing had to begin anew


async def test_what_is_said_while_the_connection_is_cut_is_answered_once(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path):
        place.ming.dm("第一句")
        await place.ming.hears_dm(within=SOON)
        place.discord.outages.replay_extra(5)
        place.discord.outages.cut()
        said = place.ming.dm("你好")
        await place.ming.hears_dm(within=SOON)
        await place.ming.hears_nothing(place.ming.dm_channel(), within=0.3)
        assert answers(place).count(said.id) == 1
        assert len(answers(place)) == 2


async def test_sending_goes_on_after_a_server_error_and_says_it_once(tmp_path: Path) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:
        lily.service.parts.delivery._sleep = _at_once
        place.discord.faults.fail(503, times=2, method="POST", path="/channels/*/messages", after=True)
        said = place.ming.dm("你好")
        await place.ming.hears_dm(within=SOON)
        assert answers(place) == [said.id]


async def test_what_was_missed_is_caught_up_newest_answered_rest_kept(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path):
            place.ming.dm("你好")
            await place.ming.hears_dm(within=SOON)
        old = place.ming.dm("我下週二有期末考")
        place.ming.say(place.server.general, "跟你說，我對花生過敏", mention=place.discord.bot)
        newest = place.ming.dm("好緊張")
        place.ming.say(place.server.general, "沒有在跟她說話")
        ancient = place.ann.say(
            place.server.general,
            "hello",
            mention=place.discord.bot,
            at=SystemClock().now() - timedelta(hours=3),
        )
        async with online(place.discord, tmp_path) as lily:
            await answer_to(place.ming, newest)
            await place.ming.hears(place.server.general, within=SOON)
            await lily.settled()
            texts = await lily.texts(place.ming)
            assert any("期末考" in text for text in texts)
            assert any("花生" in text for text in texts)
            assert old.id not in answers(place)
            assert await lily.house.memory.inbox.get(message_key(ancient.id)) is None
        before = answers(place)
        async with online(place.discord, tmp_path) as lily:
            await lily.settled()
        assert answers(place) == before


async def test_a_reply_said_just_before_a_crash_is_not_said_again(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path) as lily:
            said = place.ming.dm("你好")
            reply = await place.ming.hears_dm(within=SOON)
            await lily.settled()
            await lily.house.memory.inbox.replying(message_key(said.id), (reply.content,))
        async with online(place.discord, tmp_path) as lily:
            while True:
                entry = await lily.house.memory.inbox.get(message_key(said.id))
                assert entry is not None
                if entry.state is ReplyState.REPLIED:
                    break
            assert answers(place) == [said.id]


async def test_the_rest_of_a_long_reply_is_said_after_a_crash(tmp_path: Path) -> None:
    async with town() as place:
        async with online(place.discord, tmp_path) as lily:
            said = place.ming.dm("你好")
            reply = await place.ming.hears_dm(within=SOON)
            await lily.settled()
            await lily.house.memory.inbox.replying(message_key(said.id), (reply.content, "還有一句。"))
        async with online(place.discord, tmp_path):
            rest = await place.ming.hears_dm(within=SOON)
            assert rest.content == "還有一句。"
            assert answers(place) == [said.id]


async def test_what_breaks_inside_is_told_in_her_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with town() as place, online(place.discord, tmp_path) as lily:

        async def broken(_situation: object) -> object:
            raise ZeroDivisionError("inside")

        monkeypatch.setattr(lily.house.companion, "reply", broken)
        place.ming.dm("你好")
        reply = await place.ming.hears_dm(within=SOON)
        assert reply.content in lily.house.character.variants("failure.unknown", "zh-TW")


async def test_told_to_stop_she_finishes_her_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    answer = Conversations.answer

    async def slow(self: Conversations, message: Said, channel: object, *more: object) -> object:
        begun.set()
        await go_on.wait()
        return await answer(self, message, channel, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Conversations, "answer", slow)
    async with town() as place:
        async with online(place.discord, tmp_path) as lily:
            said = place.ming.dm("我對花生過敏")
            await begun.wait()
            lily.stop.set()
            go_on.set()
        assert answers(place) == [said.id]
        async with online(place.discord, tmp_path) as lily:
            assert any("花生" in text for text in await lily.texts(place.ming))


async def test_she_talks_over_several_shards(tmp_path: Path) -> None:
    async with town() as place:
        other = place.discord.server("Lab", [place.ming])
        async with online(place.discord, tmp_path, shard_count=2):
            for channel in (place.server.general, other.general):
                place.ming.say(channel, "你好", mention=place.discord.bot)
                await place.ming.hears(channel, within=SOON)
            place.ming.dm("你好")
            await place.ming.hears_dm(within=SOON)


async def test_through_trouble_of_every_kind_each_message_is_answered_once(tmp_path: Path) -> None:
    async with town() as place:
        discord = place.discord
        people = [discord.person(f"p{number}") for number in range(8)]
        servers = [place.server, discord.server("Lab", people), discord.server("Club", people)]
        for person in people:
            place.server.join(person)
        discord.outages.duplicate("MESSAGE_CREATE")
        discord.outages.replay_extra(20)
        asked: dict[int, str] = {}

        async def talk(person: Person, number: int) -> None:
            for turn in range(5):
                dm = (number + turn) % 4 == 0
                channel = person.dm_channel() if dm else servers[(number + turn) % 3].general
                said = person.say(channel, f"你好，第 {turn} 次", mention=() if dm else discord.bot)
                asked[said.id] = person.user.name
                await discord.world.until(
                    lambda said=said, channel=channel: answers_to(said, channel) == 1, 60.0, "an answer"
                )

        def answers_to(said: Message, channel: Channel) -> int:
            found = [one for one in channel.messages.values() if one.author is discord.bot.user]
            return sum(one.reference is not None and one.reference.message_id == said.id for one in found)

        async def trouble() -> None:
            send = {"method": "POST", "path": "/channels/*/messages"}
            for round_ in range(6):
                await asyncio.sleep(0.7)
                discord.faults.limit(0.02, times=2, **send)
                discord.faults.fail((500, 502, 503)[round_ % 3], after=round_ % 2 == 0, **send)
                discord.faults.reset(after=True, **send)
                discord.outages.cut()

        async with online(discord, tmp_path, merge_window_seconds=0) as lily:
            lily.service.parts.delivery._sleep = _at_once
            async with asyncio.TaskGroup() as group:
                group.create_task(trouble())
                for number, person in enumerate(people):
                    group.create_task(talk(person, number))
            await lily.settled()
        channels = [*(server.general for server in servers), *(person.dm_channel() for person in people)]
        for channel in channels:
            said = [one for one in channel.messages.values() if one.id in asked]
            assert [answers_to(one, channel) for one in said] == [1] * len(said)
        assert len(asked) == 40


# The command itself


@asynccontextmanager
async def child(discord: StandIn, folder: Path, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run ``lily run`` as a host would, against the stand-in."""
    surroundings = environment(discord) | {"LILY_DISCORD__MERGE_WINDOW_SECONDS": "0.05"} | more
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", "--data", str(folder),
        env=surroundings, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_lily_run_comes_online_answers_and_leaves_on_a_signal(tmp_path: Path) -> None:
    async with town() as place, child(place.discord, tmp_path) as process:
        await place.discord.ready(1, 30.0)
        place.ming.dm("你好")
        await place.ming.hears_dm(within=SOON)
        process.send_signal(signal.SIGINT)
        _, told = await asyncio.wait_for(process.communicate(), 20.0)
        assert process.returncode == 0, told.decode()
        assert "oauth2/authorize" in told.decode()
        assert "Traceback" not in told.decode()


async def test_lily_run_tells_how_she_is_where_a_port_is_set(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    async with town() as place, child(place.discord, tmp_path, LILY_OPS__HEALTH_PORT=port):
        await place.discord.ready(1, 30.0)
        place.ming.dm("你好")
        await place.ming.hears_dm(within=SOON)
        async with asyncio.timeout(SOON), aiohttp.ClientSession(f"http://127.0.0.1:{port}") as browser:
            online = False
            while not online:  # two seconds after the last server came
                async with browser.get("/healthz") as answer:
                    online = (answer.status, await answer.json()) == (200, {"online": True, "models": {}})
            async with browser.get("/metrics") as answer:
                assert "lily_servers 1\n" in await answer.text()


async def test_lily_run_without_a_token_says_what_is_missing_and_how_to_get_it(tmp_path: Path) -> None:
    async with (
        town() as place,
        child(place.discord, tmp_path, DISCORD_TOKEN="", LILY_MEMORY__CAP_PER_PERSON="x") as process,
    ):
        _, told = await asyncio.wait_for(process.communicate(), 60.0)
        assert process.returncode == 2
        assert "DISCORD_TOKEN" in told.decode()
        assert "cap_per_person" in told.decode()


async def test_lily_run_with_a_wrong_token_ends_with_one_line(tmp_path: Path) -> None:
    async with town() as place, child(place.discord, tmp_path, DISCORD_TOKEN="wrong") as process:
        _, told = await asyncio.wait_for(process.communicate(), 60.0)
        assert process.returncode == 1
        assert "DISCORD_TOKEN" in told.decode()
        assert "Traceback" not in told.decode()


async def test_lily_run_survives_being_killed_and_says_nothing_twice(tmp_path: Path) -> None:
    async with town() as place:
        async with child(place.discord, tmp_path) as process:
            await place.discord.ready(1, 30.0)
            said = place.ming.dm("你好")
            await place.ming.hears_dm(within=SOON)
            process.send_signal(signal.SIGKILL)
            await process.wait()
        missed = place.ming.dm("還在嗎")
        async with child(place.discord, tmp_path):
            await place.ming.hears_dm(within=SOON)
            assert answers(place) == [said.id, missed.id]


async def _at_once(_seconds: float) -> None:
    """Wait for nothing."""
