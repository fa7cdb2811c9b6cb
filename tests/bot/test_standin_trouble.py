"""What goes wrong between a bot and Discord, and what discord.py makes of it."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

import aiohttp
import discord
import pytest

from tests.standin import StandIn, environment, redirected
from tests.standin.gateway import PRIVILEGED
from tests.standin.trial import TrialBot, running, trial

MESSAGES = "/channels/{channel_id}/messages"


@pytest.mark.parametrize("scope", ["user", "global", "shared"])
async def test_a_rate_limited_request_is_sent_again(scope):
    async with trial() as t:
        trouble = t.discord.faults.limit(0.02, times=2, scope=scope, path=MESSAGES)
        t.ming.dm("hi")
        assert (await t.ming.hears_dm()).content == "heard hi"
        assert trouble.hits == 2


async def test_a_rate_limit_without_via_is_a_ban_and_not_retried():
    async with trial() as t:
        t.discord.faults.limit(0.02, via=False, path=MESSAGES)
        user = await t.bot.fetch_user(t.ming.id)
        with pytest.raises(discord.HTTPException) as refused:
            await user.send("hi")
        assert refused.value.status == 429


async def test_a_client_keeps_to_a_real_limit_it_is_told_of():
    async with trial() as t:
        t.discord.faults.bucket("POST", MESSAGES, limit=2, per=0.2)
        user = await t.bot.fetch_user(t.ming.id)
        started = t.discord.world.steady()
        for number in range(3):
            await user.send(str(number))
        assert t.discord.world.steady() - started > 0.15
        sent = t.discord.recorder.requests("POST", MESSAGES)
        assert [one.status for one in sent] == [200, 200, 200]


@pytest.mark.parametrize(("status", "error"), [(503, discord.DiscordServerError), (403, discord.Forbidden)])
async def test_what_is_not_retried_surfaces(status, error):
    async with trial() as t:
        t.discord.faults.fail(status, path=MESSAGES, html=status == 503)
        user = await t.bot.fetch_user(t.ming.id)
        with pytest.raises(error):
            await user.send("hi")


async def test_a_server_error_is_retried_and_the_nonce_keeps_the_message_single():
    async with trial() as t:
        t.discord.faults.fail(502, path=MESSAGES, after=True)
        user = await t.bot.fetch_user(t.ming.id)
        await user.send("once", nonce="n1")
        await user.send("other", nonce="n2")
        assert [one.content for one in t.ming.reads(t.ming.dm_channel())] == ["once", "other"]
        assert len(t.discord.recorder.requests("POST", MESSAGES)) == 3


async def test_an_answer_can_be_lost_after_the_request_took_effect():
    async with trial() as t:
        user = await t.bot.fetch_user(t.ming.id)
        await user.create_dm()
        t.discord.faults.reset(path=MESSAGES, after=True)
        with pytest.raises(aiohttp.ClientError):
            await user.send("did it arrive?")
        assert (await t.ming.hears_dm()).content == "did it arrive?"


async def test_rest_can_be_slow():
    async with trial() as t:
        t.discord.faults.slow(0.1, path=MESSAGES)
        said = t.ming.dm("hi")
        await t.ming.hears_dm()
        arrived = next(one for one in t.discord.world.happenings if one.message is said).at
        assert t.discord.world.happenings[-1].at - arrived > 0.1


async def test_a_cut_connection_is_resumed_and_what_was_missed_comes_once():
    async with trial() as t:
        t.discord.outages.cut()
        for number in range(3):
            t.ming.say(t.server.general, str(number))
        await t.discord.world.until(lambda: t.bot.resumes and len(t.bot.heard) == 3)
        assert [one.content for one in t.bot.heard] == ["0", "1", "2"]
        assert (t.discord.gateway.identified, t.discord.gateway.resumed) == (1, 1)


async def test_a_resume_may_replay_what_was_had_already():
    async with trial() as t:
        t.ming.say(t.server.general, "once")
        await t.discord.world.until(lambda: t.bot.heard)
        t.discord.outages.replay_extra(1)
        t.discord.outages.cut()
        await t.discord.world.until(lambda: len(t.bot.heard) == 2)
        assert t.bot.heard[0].id == t.bot.heard[1].id


async def test_events_can_come_twice():
    async with trial() as t:
        t.discord.outages.duplicate("MESSAGE_CREATE")
        t.ming.say(t.server.general, "echo")
        await t.discord.world.until(lambda: len(t.bot.heard) == 2)
        assert t.bot.heard[0].id == t.bot.heard[1].id


@pytest.mark.parametrize("code", [1000, 1001, 4000])
async def test_a_closed_connection_is_resumed(code):
    async with trial() as t:
        t.discord.outages.close(code)
        await t.discord.world.until(lambda: t.bot.resumes)
        assert t.discord.gateway.resumed == 1


async def test_a_request_to_reconnect_is_followed():
    async with trial() as t:
        t.discord.outages.ask_to_reconnect()
        await t.discord.world.until(lambda: t.bot.resumes)


async def test_an_invalid_session_starts_a_new_one():
    async with trial() as t:
        t.discord.outages.invalidate()
        await t.discord.world.until(lambda: t.discord.gateway.identified == 2, within=4)
        t.ming.dm("back?")
        assert (await t.ming.hears_dm()).content == "heard back?"


async def test_silence_instead_of_heartbeats_is_noticed():
    async with StandIn() as stand_in:
        stand_in.gateway.heartbeat_interval = 0.05
        with redirected(stand_in):
            bot = TrialBot(heartbeat_timeout=0.3)
            async with running(bot, stand_in.bot.token):
                await stand_in.ready()
                stand_in.outages.stop_acknowledging()
                await stand_in.until(lambda: stand_in.gateway.resumed)


async def test_a_session_that_timed_out_is_followed_by_a_new_one():
    async with trial() as t:
        t.discord.outages.close(4009)
        await t.discord.until(lambda: t.discord.gateway.identified == 2, within=4)


async def test_a_server_can_be_away_for_a_while():
    async with trial() as t:
        t.discord.outages.lose(t.server.guild)
        await t.discord.until(lambda: t.bot.get_guild(t.server.id).unavailable)
        t.discord.outages.find(t.server.guild)
        await t.discord.until(lambda: not t.bot.get_guild(t.server.id).unavailable)


@pytest.mark.parametrize(("code", "left"), [(1000, 0), (4000, 1)])
async def test_only_a_client_that_leaves_in_order_ends_its_session(code, left):
    async with StandIn() as stand_in, aiohttp.ClientSession() as session:
        async with session.ws_connect(stand_in.gateway_url) as socket:
            assert (await socket.receive_json())["op"] == 10
            await socket.send_json(
                {"op": 2, "d": {"token": stand_in.bot.token, "intents": 1, "properties": {}}}
            )
            assert (await socket.receive_json())["t"] == "READY"
            await socket.close(code=code)
        await stand_in.until(lambda: not stand_in.gateway.connections)
        assert len(stand_in.gateway.sessions) == left


async def test_a_client_that_shards_itself_asks_how():
    class Sharded(discord.AutoShardedClient):
        async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
            """No waiting."""

    async with StandIn() as stand_in:
        stand_in.world.recommended_shards = 2
        with redirected(stand_in):
            client = Sharded(intents=discord.Intents(guilds=True), guild_ready_timeout=0)
            async with running(client, stand_in.bot.token):
                await stand_in.ready(2)
                assert client.shard_count == 2


async def test_a_malformed_event_kills_the_client():
    async with StandIn() as stand_in:
        with redirected(stand_in):
            async with running(TrialBot(), stand_in.bot.token) as task:
                await stand_in.ready()
                stand_in.outages.malformed()
                with pytest.raises(KeyError):
                    await asyncio.wait_for(task, 2)


async def test_a_wrong_token_cannot_log_in():
    async with StandIn() as stand_in:
        with redirected(stand_in):
            async with running(TrialBot(), "wrong") as task:
                with pytest.raises(discord.LoginFailure):
                    await asyncio.wait_for(task, 2)


async def test_an_intent_that_was_not_switched_on_closes_the_connection():
    async with StandIn() as stand_in:
        stand_in.bot.privileged = PRIVILEGED & ~(1 << 15)
        with redirected(stand_in):
            async with running(TrialBot(), stand_in.bot.token) as task:
                with pytest.raises(discord.PrivilegedIntentsRequired):
                    await asyncio.wait_for(task, 2)


async def test_the_api_can_be_down_at_login_and_come_up_on_the_same_port():
    async with StandIn() as stand_in:
        ming = stand_in.person("ming")
        stand_in.server("Harbour", [ming])
        await stand_in.go_down()
        with redirected(stand_in):
            async with running(TrialBot(), stand_in.bot.token) as task:
                with pytest.raises(aiohttp.ClientConnectorError):
                    await asyncio.wait_for(task, 2)
            await stand_in.come_up()
            async with running(TrialBot(), stand_in.bot.token):
                await stand_in.ready()
                ming.dm("up?")
                assert (await ming.hears_dm()).content == "heard up?"


async def test_a_gateway_that_refuses_the_first_connection_ends_the_client(monkeypatch):
    monkeypatch.setattr("discord.backoff.ExponentialBackoff.delay", lambda _self: 0.0)
    async with StandIn() as stand_in:
        stand_in.outages.refuse()
        with redirected(stand_in):
            async with running(TrialBot(), stand_in.bot.token) as task:
                with pytest.raises(AttributeError):
                    await asyncio.wait_for(task, 2)


async def test_two_bots_and_two_shards_share_one_discord():
    async with StandIn() as stand_in:
        ming = stand_in.person("ming")
        servers = [stand_in.server(name, [ming]) for name in ("One", "Two", "Three", "Four")]
        other = stand_in.add_bot("other", "other.token")
        servers[0].invite(other)
        with redirected(stand_in):
            shards = [TrialBot(shard_id=number, shard_count=2) for number in range(2)]
            guest = TrialBot()
            async with (
                running(shards[0], stand_in.bot.token),
                running(shards[1], stand_in.bot.token),
                running(guest, other.token),
            ):
                await stand_in.ready(3)
                for server in servers:
                    ming.say(server.general, "who hears?", mention=stand_in.bot)
                    assert (await ming.hears(server.general)).content == "heard who hears?"
                ming.dm("and here?", bot=other)
                assert (await ming.hears_dm(bot=other)).content == "heard and here?"
                held = [{guild.id for guild in bot.guilds} for bot in (*shards, guest)]
                assert held[0] | held[1] == {server.id for server in servers}
                assert not held[0] & held[1]
                assert held[2] == {servers[0].id}


async def test_a_bot_in_another_process_is_sent_here_by_its_environment(tmp_path):
    script = tmp_path / "bot.py"
    script.write_text(
        "import discord, os\n"
        "client = discord.Client(intents=discord.Intents.default())\n"
        "@client.event\n"
        "async def on_message(message):\n"
        "    if not message.author.bot: await message.reply('from afar')\n"
        "client.run(os.environ['DISCORD_TOKEN'], log_handler=None)\n"
    )
    async with StandIn() as stand_in:
        ming = stand_in.person("ming")
        child = await asyncio.create_subprocess_exec(
            sys.executable, os.fspath(script), env=environment(stand_in), stderr=asyncio.subprocess.DEVNULL
        )
        try:
            await stand_in.ready(within=15)
            ming.dm("hello?")
            assert (await ming.hears_dm(within=5)).content == "from afar"
        finally:
            with suppress(ProcessLookupError):
                child.terminate()
            await child.wait()
