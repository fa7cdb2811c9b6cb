"""Lily on Discord as one thing: built from a house, connected until told to stop, closed in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import discord

from bot.by_itself import happen_until
from bot.discord.application import Application, application_of
from bot.discord.budget import Budget
from bot.discord.buttons import LilyButton
from bot.discord.commands.tree import build_tree, sync_if_changed
from bot.discord.delivery import Delivery, Settling
from bot.discord.gateway import LilyClient, ShardedLilyClient, stay_connected
from bot.discord.health import telling_of_models
from bot.discord.ids import CLIENT
from bot.discord.in_order import InOrder
from bot.discord.learned import Learned
from bot.discord.listening import Listener
from bot.discord.meter import Meter
from bot.discord.missed import CatchUp
from bot.discord.notifying import DiscordNotifier
from bot.discord.parts import Parts
from bot.discord.recovering import AWAY, PASSES, NobodyKnown, NothingChosen, Recovery, Work
from bot.discord.servers import Servers
from bot.discord.shards import shards_of
from bot.discord.surroundings import Surroundings
from bot.discord.talk import Talk
from bot.discord.thinking import Thinking
from bot.discord.welcome import welcome
from bot.errors import UserError
from bot.house import House
from bot.settings.policy import prices
from memory.places import DM

log = logging.getLogger(__name__)

FINISH_SECONDS = 45.0
"""How long what was begun may take to finish when she is told to stop; the rest waits in the inbox."""


class Service:
    """Listens to a client and hands on what it hears. An event that fails is logged, never fatal.

    ``note`` tells the host something, by a key below ``discord.run`` and the values that fill it;
    ``meter`` is the one whose sink the house was opened with.
    """

    def __init__(
        self,
        house: House,
        client: LilyClient | ShardedLilyClient,
        note: Callable[[str, dict[str, object]], None],
        meter: Meter | None = None,
    ) -> None:
        settings = house.settings
        memory = house.memory
        meter = meter or Meter(prices(settings))
        servers = Servers(memory.database, settings.discord.active_channels)
        delivery = Delivery(client, memory.inbox)
        learned = Learned(memory.database, memory.people, settings.schedule.check_ins)
        budget = Budget(memory.database, settings.discord, settings.persona.zone)
        listens = partial(
            Listener,
            client,
            speaks=house.cast.at,
            name=house.character.name_in(settings.persona.language),
            zone=settings.persona.zone,
            language=settings.persona.language,
        )
        listener = listens(servers=servers, people=memory.people)
        always = settings.discord.active_channels
        blind = listens(
            servers=NothingChosen(memory.database, always),
            people=NobodyKnown(memory.database),
            speaks=house.cast.by_default,
        )
        surroundings = Surroundings(client, listener)
        talk = Talk(house, listener, delivery, budget, learned, Thinking(), surroundings, meter)
        window = timedelta(minutes=settings.discord.catch_up_minutes)
        shards = shards_of(settings.discord)
        self._catch_up = CatchUp(client, memory.database, listener, talk, window, shards)
        self._tasks: set[asyncio.Task[None]] = set()
        self._online = asyncio.Event()
        self._troubled = False
        self._in_order = InOrder()
        self.parts = Parts(house, client, servers, listener, delivery, learned, talk, budget, meter)
        self._tree = build_tree(self.parts)
        self._note = note
        self._recovery = Recovery(house, listener, blind, delivery, talk, note)
        house.watch.on_change = telling_of_models(note)
        talk.on_broken_off = self._recovery.unanswered
        talk.on_let_go = self._recovery.let_go
        client.ears = self

    async def run(self, token: str, stop: asyncio.Event, *, scheduled: bool = True) -> None:
        """Stay connected until ``stop``; then finish what was begun and hang up.

        ``scheduled``: let happen what happens by itself; of several processes with shards, the one that
        hears direct messages does it. Raises what :func:`stay_connected` raises.
        """
        client = self.parts.client

        async def prepared() -> None:
            client.add_dynamic_items(LilyButton)
            if client.application is not None:
                self._tell_of(application_of(client.application))
            self._later(self._tell_commands)
            self._later(self._settle, passes=PASSES)

        if scheduled and shards_of(self.parts.house.settings.discord).hold(DM):
            self._later(partial(self._by_itself, stop))
        connected = asyncio.create_task(stay_connected(client, token, prepared, self._trouble))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({connected, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if connected.done():
                await connected
        finally:
            stop.set()
            self._note("stopping", {})
            stopping.cancel()
            await self._finish(connected)

    async def ready(self) -> None:
        """Look for what was missed: at the first start, and after a session that could not be resumed."""
        client = self.parts.client
        log.info("online on %d servers", len(client.guilds))
        self._online.set()
        self._troubled = False
        self._note("online", {"name": client.user, "count": len(client.guilds)})
        self._later(self._take_up_missed)

    async def said(self, message: discord.Message) -> None:
        """Hear a message."""
        async with self._in_order.hold(message.channel.id):
            await self._guarded(partial(self._hear, message))

    async def _hear(self, message: discord.Message) -> None:
        try:
            await self.parts.talk.hear(message)
        except AWAY as error:
            await self._recovery.unheard(message, error)

    async def edited(self, event: discord.RawMessageUpdateEvent) -> None:
        """Hear an edit; what changes without its author (a link's preview) is none."""
        if event.message.edited_at is not None:
            async with self._in_order.hold(event.channel_id):
                await self._guarded(partial(self.parts.talk.edited, event.message))

    async def typing(self, event: discord.RawTypingEvent) -> None:
        """Take notice that somebody types."""
        self.parts.talk.types(event.user_id, event.channel_id)

    async def deleted(self, event: discord.RawMessageDeleteEvent) -> None:
        """Hear that a message was taken back."""
        async with self._in_order.hold(event.channel_id):
            await self._guarded(partial(self.parts.talk.deleted, event.message_id))

    async def joined(self, guild: discord.Guild) -> None:
        """Say once to a new server's admins what she needs."""
        log.info("joined server %d", guild.id)
        await self._guarded(partial(welcome, guild, self.parts.house))

    def _tell_of(self, application: Application) -> None:
        """Tell the host how she is invited and all that is wrong; raise where nothing can come of it."""
        self._note("invite", {"link": application.link})
        if application.fatal:
            raise UserError(application.problems)
        for line in application.problems:
            self._note("lacks", {"what": line})

    def _trouble(self) -> None:
        """Tell the host once that Discord can't be reached; a new session is told again."""
        if not self._troubled:
            self._note("unreachable", {})
        self._troubled = True

    async def _by_itself(self, stop: asyncio.Event) -> None:
        """Ask what is due and let expire what has passed, from the first session until the end."""
        ending = asyncio.create_task(stop.wait())
        first = asyncio.create_task(self._online.wait())
        await asyncio.wait({ending, first}, return_when=asyncio.FIRST_COMPLETED)
        first.cancel()
        ending.cancel()
        await happen_until(stop, self.parts.house, DiscordNotifier(self.parts.client))

    async def _tell_commands(self) -> None:
        try:
            await sync_if_changed(self._tree, self.parts.house.settings.storage.data_dir)
        except (discord.DiscordException, OSError) as error:
            log.warning("the commands could not be told to Discord: %s", type(error).__name__)

    async def _settle(self) -> None:
        settled = await self.parts.house.conversations.resume(Settling(self.parts.delivery), CLIENT)
        if settled:
            log.info("%d messages of an earlier run were answered", len(settled))

    async def _take_up_missed(self) -> None:
        left = await self.parts.house.conversations.let_go_of_withheld(CLIENT)
        people = [one.user_id for one in left if one.place.is_dm]
        found = await self._catch_up.run(self.parts.house.clock.now(), people)
        if found:
            log.info("%d messages were missed", found)

    async def _finish(self, connected: asyncio.Task[None]) -> None:
        try:
            async with asyncio.timeout(FINISH_SECONDS):
                await self.parts.talk.close()
                await self._tree.begun.finish()
                while self._tasks:
                    await asyncio.gather(*self._tasks, return_exceptions=True)
        except TimeoutError:
            log.warning("what was begun took too long to finish; it waits in the inbox")
        await self._recovery.close()
        for task in (*self._tasks, connected):
            task.cancel()
        await asyncio.gather(*self._tasks, connected, return_exceptions=True)
        await self.parts.client.close()

    def _later(self, work: Work, passes: tuple[type[Exception], ...] = AWAY) -> None:
        task = asyncio.create_task(self._guarded(work, passes))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Work, passes: tuple[type[Exception], ...] = AWAY) -> None:
        try:
            await work()
        except passes as error:
            self._recovery.again(work, error)
        except Exception:
            log.exception("an event could not be taken in")
