"""Commands, buttons, selects and forms, used by people and answered by a real discord.py client."""

from __future__ import annotations

import discord
import pytest

from tests.standin import Refused, StandIn, Unanswered, redirected
from tests.standin.trial import Panel, TrialBot, fits_description, running, trial


async def test_a_sub_command_takes_its_options_and_answers_one_person_only():
    async with trial() as t:
        use = t.ming.slash(t.server.general, "memory list", category="hobby", limit=5)
        answer = await use.reply()
        assert answer.content == "hobby 5"
        assert t.ming.sees(answer)
        assert not t.yu.sees(answer)
        assert use.took < 1
        channel = t.bot.get_channel(t.server.general.id)
        assert isinstance(channel, discord.TextChannel)
        assert [one async for one in channel.history()] == []


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("memory list", {}),
        ("memory list", {"category": "hobby", "limit": 6}),
        ("memory list", {"category": 3}),
        ("memory list", {"category": "hobby", "colour": "red"}),
        ("memory", {"category": "hobby"}),
        ("nothing", {}),
    ],
)
async def test_a_client_refuses_what_the_command_does_not_take(command, options):
    async with trial() as t:
        with pytest.raises(Refused):
            t.ming.slash(t.server.general, command, **options)


async def test_people_use_commands_by_the_names_of_their_own_language():
    async with trial() as t:
        assert (await t.ming.slash(t.server.general, "記憶 列表", 類別="hobby").reply()).content == "hobby 3"
        found = await t.ming.autocomplete(t.server.general, "記憶 列表", "類別", "hab")
        assert [one["value"] for one in found] == ["habit"]
        with pytest.raises(Refused):
            t.yu.slash(t.server.general, "記憶 列表", 類別="hobby")


async def test_autocomplete_suggests_while_typing():
    async with trial() as t:
        found = await t.ming.autocomplete(t.server.general, "memory list", "category", "ho")
        assert [one["value"] for one in found] == ["hobby", "home"]


async def test_a_deferred_answer_is_filled_by_the_first_follow_up_and_stays_ephemeral():
    async with trial() as t:
        use = t.ming.slash(t.server.general, "think")
        assert await use.acknowledged() == 5
        answer = await use.reply()
        more = await use.follow_up()
        assert (answer.content, more.content) == ("thought", "and more")
        assert answer.ephemeral_to is more.ephemeral_to is t.ming.user


async def test_commands_work_in_direct_messages_and_resolve_people():
    async with trial() as t:
        assert (await t.ming.slash(t.ming.dm_channel(), "who", member=t.yu).reply()).content == "it is yu"
        assert (await t.ming.slash(t.server.general, "who", member=t.yu).reply()).content == "it is yu"


async def test_a_command_for_admins_is_offered_to_admins_on_a_server_only():
    async with trial() as t:
        assert (await t.ming.slash(t.server.general, "admin").reply()).content == "yes"
        with pytest.raises(Refused):
            t.yu.slash(t.server.general, "admin")
        with pytest.raises(Refused):
            t.ming.slash(t.ming.dm_channel(), "admin")
        t.server.give(t.yu, t.server.role("keepers", "manage_guild"))
        assert (await t.yu.slash(t.server.general, "admin").reply()).content == "yes"


async def test_a_context_menu_gets_the_whole_message():
    async with trial(intents=discord.Intents(guilds=True)) as t:
        said = t.yu.say(t.server.general, "I like rain")
        assert (
            await t.ming.menu(t.server.general, "Remember this", said).reply()
        ).content == "kept I like rain"


async def test_a_button_changes_its_message_and_a_disabled_one_cannot_be_pressed():
    async with trial() as t:
        message = await t.ming.slash(t.server.general, "panel").reply()
        changed = await t.yu.click(message, "More").reply()
        assert changed is message
        assert message.content == "more"
        with pytest.raises(Refused):
            t.yu.click(message, "Off")


async def test_a_select_sends_its_values_and_knows_its_limits():
    async with trial() as t:
        message = await t.ming.slash(t.server.general, "panel").reply()
        answer = await t.ming.select(message, ["Tea"]).reply()
        assert answer.content == "picked Tea"
        for wrong in ([], ["Tea", "Rice"], ["Salt"]):
            with pytest.raises(Refused):
                t.ming.select(message, wrong)


async def test_nobody_presses_buttons_under_what_they_cannot_see():
    async with trial() as t:
        answer = await t.ming.slash(t.server.general, "memory list", category="home").reply()
        with pytest.raises(Refused):
            t.yu.click(answer)


async def test_forms_are_sent_in_both_styles():
    async with trial() as t:
        opened = t.ming.slash(t.server.general, "form")
        assert (await opened.modal())["title"] == "Label form"
        assert (await t.ming.submit(opened, {}).reply()).content == "label as it was"
        message = await t.ming.slash(t.server.general, "panel").reply()
        opened = t.ming.click(message, "Form")
        await opened.modal()
        assert (await t.ming.submit(opened, {"Note": "short"}).reply()).content == "row short"
        for wrong in ({"Note": ""}, {"Note": "x" * 21}, {"Other": "x"}):
            with pytest.raises(Refused):
                t.ming.submit(opened, wrong)


async def test_a_view_of_an_earlier_run_still_works():
    async with StandIn() as stand_in:
        ming = stand_in.person("ming")
        server = stand_in.server("Harbour", [ming])
        with redirected(stand_in):
            async with running(TrialBot(), stand_in.bot.token):
                await stand_in.ready()
                await stand_in.world.until(lambda: stand_in.bot.commands.get(None))
                message = await ming.slash(server.general, "panel").reply()
            async with running(TrialBot(), stand_in.bot.token):
                await stand_in.ready()
                await ming.click(message, "More").reply()
                assert message.content == "more"
    fits_description(stand_in)


async def test_silence_after_a_command_is_seen_as_such_and_a_late_answer_is_refused():
    async with trial() as t:
        t.discord.world.ack_window = 0.05
        use = t.ming.slash(t.server.general, "mute")
        interaction = await t.bot.wait_for("muted", timeout=2)
        with pytest.raises(Unanswered):
            await use.reply()
        with pytest.raises(discord.NotFound) as refused:
            await interaction.response.send_message("sorry")
        assert refused.value.code == 10062


async def test_an_interaction_is_acknowledged_once():
    async with trial() as t:
        t.ming.slash(t.server.general, "mute")
        interaction = await t.bot.wait_for("muted", timeout=2)
        await interaction.response.send_message("first")
        interaction.response._response_type = None
        with pytest.raises(discord.HTTPException) as refused:
            await interaction.response.send_message("second")
        assert refused.value.code == 40060


async def test_the_original_answer_can_be_read_changed_and_deleted_until_its_token_ends():
    async with trial() as t:
        use = t.ming.slash(t.server.general, "mute")
        interaction = await t.bot.wait_for("muted", timeout=2)
        await interaction.response.defer()
        await interaction.edit_original_response(content="one", view=Panel())
        assert (await use.reply()).content == "one"
        assert (await interaction.original_response()).content == "one"
        later = await interaction.followup.send("two", wait=True)
        await later.edit(content="three")
        assert (await use.follow_up()).content == "three"
        await interaction.delete_original_response()
        assert [one.content for one in t.yu.reads(t.server.general)] == ["three"]
        use.expire()
        with pytest.raises(discord.HTTPException) as refused:
            await interaction.followup.send("four")
        assert refused.value.code == 50027
