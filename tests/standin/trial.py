"""A tiny real discord.py bot, and a small world around it, to try the stand-in with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from tests.standin.model import Application
from tests.standin.people import Person
from tests.standin.places import Server
from tests.standin.published import Published
from tests.standin.redirect import redirected
from tests.standin.server import StandIn

INTENTS = discord.Intents(
    guilds=True,
    guild_messages=True,
    dm_messages=True,
    message_content=True,
    guild_typing=True,
    guild_reactions=True,
)


class Panel(discord.ui.View):
    """Two buttons and a select that outlive a restart."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="More", custom_id="panel:more")
    async def more(self, interaction: discord.Interaction, _button: discord.ui.Button[Panel]) -> None:
        """Change the message."""
        await interaction.response.edit_message(content="more")

    @discord.ui.button(label="Off", custom_id="panel:off", disabled=True)
    async def off(self, interaction: discord.Interaction, _button: discord.ui.Button[Panel]) -> None:
        """Never to be reached."""

    @discord.ui.button(label="Form", custom_id="panel:form")
    async def form(self, interaction: discord.Interaction, _button: discord.ui.Button[Panel]) -> None:
        """Open a form from a button."""
        await interaction.response.send_modal(RowForm())

    @discord.ui.select(
        custom_id="panel:pick",
        options=[discord.SelectOption(label="Tea"), discord.SelectOption(label="Rice")],
    )
    async def pick(self, interaction: discord.Interaction, select: discord.ui.Select[Panel]) -> None:
        """Answer a choice only its maker sees."""
        await interaction.response.send_message(f"picked {select.values[0]}", ephemeral=True)


class RowForm(discord.ui.Modal, title="Row form"):
    """The older style: the label sits on the input."""

    note: discord.ui.TextInput[RowForm] = discord.ui.TextInput(label="Note", max_length=20)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Say what was written."""
        await interaction.response.send_message(f"row {self.note.value}")


class LabelForm(discord.ui.Modal, title="Label form"):
    """The newer style: the label goes around the input."""

    note: discord.ui.Label[LabelForm] = discord.ui.Label(
        text="Note", component=discord.ui.TextInput(required=False, default="as it was")
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Say what was written."""
        assert isinstance(self.note.component, discord.ui.TextInput)
        await interaction.response.send_message(f"label {self.note.component.value}", ephemeral=True)


class Names(app_commands.Translator):
    """Names in Chinese where a command brings one along."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        _context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Find the name, for Traditional Chinese."""
        found: str | None = string.extras.get("zh")
        return found if locale is discord.Locale.taiwan_chinese else None


class TrialBot(discord.Client):
    """Answers mentions and direct messages, and has one command of each kind."""

    def __init__(self, *, intents: discord.Intents = INTENTS, **options: Any) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0, **options)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[discord.Message] = []
        self.edits: list[str] = []
        self.deleted: list[int] = []
        self.resumes = 0
        _add_commands(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No waiting before a second identify."""

    async def setup_hook(self) -> None:
        """Register the commands and take over the views of earlier runs."""
        self.add_view(Panel())
        await self.tree.set_translator(Names())
        await self.tree.sync()

    async def on_message(self, message: discord.Message) -> None:
        """Answer."""
        self.heard.append(message)
        if message.author.bot or not (message.guild is None or self.user in message.mentions):
            return
        async with message.channel.typing():
            text = message.content.partition("> ")[2] or message.content
        await message.reply(f"heard {text}", mention_author=False)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """Note an edit."""
        self.edits.append(event.data["content"])

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """Note a deletion."""
        self.deleted.append(event.message_id)

    async def on_resumed(self) -> None:
        """Count."""
        self.resumes += 1


def _add_commands(bot: TrialBot) -> None:
    memory = app_commands.Group(name=app_commands.locale_str("memory", zh="記憶"), description="what is kept")

    @memory.command(name=app_commands.locale_str("list", zh="列表"), description="show it")
    @app_commands.rename(category=app_commands.locale_str("category", zh="類別"))
    async def listing(
        interaction: discord.Interaction, category: str, limit: app_commands.Range[int, 1, 5] = 3
    ) -> None:
        await interaction.response.send_message(f"{category} {limit}", ephemeral=True)

    @listing.autocomplete("category")
    async def categories(_interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        known = ("hobby", "habit", "home")
        return [app_commands.Choice(name=one, value=one) for one in known if one.startswith(typed)]

    @bot.tree.command(description="take a while")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send("thought")
        await interaction.followup.send("and more", ephemeral=True)

    @bot.tree.command(description="who is it")
    async def who(interaction: discord.Interaction, member: discord.User) -> None:
        await interaction.response.send_message(f"it is {member.name}")

    @bot.tree.command(description="say nothing at all")
    async def mute(interaction: discord.Interaction) -> None:
        bot.dispatch("muted", interaction)

    @bot.tree.command(description="buttons")
    async def panel(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("panel", view=Panel())

    @bot.tree.command(description="a form")
    async def form(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(LabelForm())

    @bot.tree.command(description="for those who run the place")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.guild_only()
    async def admin(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("yes")

    @bot.tree.context_menu(name="Remember this")
    async def remember(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"kept {message.content}", ephemeral=True)

    bot.tree.add_command(memory)


@dataclass
class Trial:
    """A stand-in with a bot on it, two people and a server."""

    discord: StandIn
    bot: TrialBot
    ming: Person
    yu: Person
    server: Server

    @property
    def lily(self) -> Application:
        """The bot's application."""
        return self.discord.bot


@asynccontextmanager
async def running(client: discord.Client, token: str) -> AsyncIterator[asyncio.Task[None]]:
    """A client logged in and connecting, closed at the end; the task ends if the client dies."""
    task = asyncio.create_task(client.start(token))
    try:
        yield task
    finally:
        await client.close()
        with suppress(Exception, asyncio.CancelledError):
            await task


@asynccontextmanager
async def trial(**options: Any) -> AsyncIterator[Trial]:
    """The whole scene, ready; at the end all traffic must fit Discord's description, if a copy is at hand."""
    async with StandIn() as stand_in:
        ming, yu = stand_in.person("ming", display="小明"), stand_in.person("yu", locale="ja")
        server = stand_in.server("Harbour", [ming, yu])
        with redirected(stand_in):
            bot = TrialBot(**options)
            async with running(bot, stand_in.bot.token):
                await asyncio.wait_for(bot.wait_until_ready(), 5)
                yield Trial(stand_in, bot, ming, yu, server)
    fits_description(stand_in)


def fits_description(stand_in: StandIn) -> None:
    """Fail on what the stand-in couldn't serve, and on anything Discord's description doesn't allow."""
    assert stand_in.recorder.crashes == []
    assert stand_in.recorder.unknown() == []
    published = _published()
    if published is not None:
        found = published.differences(stand_in.recorder)
        assert not found, "\n".join(map(str, found))


_CACHE: list[Published | None] = []


def _published() -> Published | None:
    if not _CACHE:
        _CACHE.append(Published.at_hand())
    return _CACHE[0]
