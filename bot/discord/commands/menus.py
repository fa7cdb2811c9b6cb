"""Message menus: "Remember this" and "Forget what you learned from this"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Asker, Desk, answer, quoted, wait
from bot.discord.commands.errors import Refusal
from bot.discord.commands.fitting import fitting
from bot.discord.commands.memory_change import Changes
from bot.discord.commands.words import said
from bot.discord.ids import message_key
from bot.discord.obeying import Obedience
from memory.model import Memory


def add_menus(tree: app_commands.CommandTree[Any], desk: Desk) -> None:
    """Add both menus."""
    changes = Changes(desk)

    @tree.context_menu(name=said("remember.name"))
    async def remember(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        kept = await _remember(desk, asker, message)

        def told(most: int) -> str:
            lines = [asker.tongue.text("remember.item", text=quoted(one.text, most)) for one in kept]
            return "\n".join([asker.tongue.text("remember.done"), *lines])

        await answer(interaction, fitting(told))

    @tree.context_menu(name=said("unlearn.name"))
    async def unlearn(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        source = message.id
        if desk.parts.client.user is not None and message.author.id == desk.parts.client.user.id:
            if message.reference is not None and message.reference.message_id is not None:
                source = message.reference.message_id
        elif message.author.id != asker.id:
            raise Refusal("not_yours_to_drop")
        await answer(interaction, await changes.forget_source(asker, message_key(source)))


async def _remember(desk: Desk, asker: Asker, said_there: discord.Message) -> tuple[Memory, ...]:
    """Keep a message of the asker's own: what is read out of it, else its words as they stand."""
    if said_there.author.id != asker.id:
        me = desk.parts.client.user
        raise Refusal("hers" if me is not None and said_there.author.id == me.id else "not_yours")
    if (await desk.memory.people.get(asker.key)).paused:
        raise Refusal("paused")
    message = await desk.parts.listener.read(said_there)
    if not message.text.strip():
        raise Refusal("nothing_to_remember")
    learned, inbox = desk.parts.learned, desk.memory.inbox
    known = await inbox.get(message.id)
    if known is not None:  # it stays with the character it was said to, whoever speaks there now
        message = replace(message, persona_id=known.message.persona_id)
    if await inbox.admit(message, answer=False):
        await desk.memory.observer.observe_person(message.user_id, message.persona_id)
    kept = await learned.from_message(asker.key, message.id)
    if kept:
        return kept
    found = await Obedience(desk.memory).keep(message, message.text)
    kept = await learned.from_message(asker.key, message.id)
    if kept:
        return kept
    if found is not None and found.skipped:
        mine = replace(asker, persona_id=message.persona_id)
        return tuple([await desk.own(mine, one.same_as) for one in found.skipped])
    raise Refusal("model_away")
