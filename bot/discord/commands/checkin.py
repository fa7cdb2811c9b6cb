"""``/checkin``: whether she asks by herself, when she may not, and what she is going to ask."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from sqlalchemy import select

from bot.discord.commands.desk import Asker, Desk, answer, quoted, wait
from bot.discord.commands.errors import Refusal
from bot.discord.commands.fitting import fitting
from bot.discord.commands.words import said
from memory.follow_ups import OPEN
from memory.store.schema import follow_ups

_CLOCK = re.compile(r"(?P<hour>[01]?\d|2[0-3])[:：](?P<minute>[0-5]\d)")
_MOST = 10


def checkin_group(desk: Desk) -> app_commands.Group:
    """Return ``/checkin`` with its commands."""
    group = app_commands.Group(name=said("checkin.name"), description=said("checkin.about"))

    @group.command(name=said("checkin_on.name"), description=said("checkin_on.about"))
    async def on(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        await answer(interaction, await switch(desk, await desk.asker(interaction), wanted=True))

    @group.command(name=said("checkin_off.name"), description=said("checkin_off.about"))
    async def off(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        await answer(interaction, await switch(desk, await desk.asker(interaction), wanted=False))

    @group.command(name=said("checkin_quiet.name"), description=said("checkin_quiet.about"))
    @app_commands.rename(start=said("options.start.name"), end=said("options.end.name"))
    @app_commands.describe(start=said("options.start.about"), end=said("options.end.about"))
    async def quiet(interaction: discord.Interaction[Any], start: str, end: str) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        first, last = _clock(start), _clock(end)
        if first == last:
            raise Refusal("no_quiet_hours")
        await desk.memory.people.change(asker.key, quiet_from=first, quiet_to=last)
        await answer(interaction, asker.tongue.text("checkin.quiet", start=first, end=last, zone=asker.zone))

    @group.command(name=said("checkin_snooze.name"), description=said("checkin_snooze.about"))
    @app_commands.rename(days=said("options.days.name"))
    @app_commands.describe(days=said("options.days.about"))
    async def snooze(interaction: discord.Interaction[Any], days: app_commands.Range[int, 1, 365]) -> None:
        await wait(interaction)
        asker = await desk.asker(interaction)
        until = asker.now + timedelta(days=days)
        await desk.memory.people.change(asker.key, snooze_until=until)
        date = f"{until.astimezone(ZoneInfo(asker.zone)):%Y-%m-%d}"
        await answer(interaction, asker.tongue.text("checkin.snoozed", date=date))

    @group.command(name=said("checkin_list.name"), description=said("checkin_list.about"))
    async def list_(interaction: discord.Interaction[Any]) -> None:
        await wait(interaction)
        await answer(interaction, await _listed(desk, await desk.asker(interaction)))

    return group


async def switch(desk: Desk, asker: Asker, *, wanted: bool) -> str:
    """Keep whether a person wants to be asked; returns the words for it. A snooze ends with a yes."""
    choice: dict[str, Any] = {"check_ins": wanted}
    if wanted:
        choice["snooze_until"] = None
    await desk.memory.people.change(asker.key, **choice)
    return asker.tongue.text("checkin.on" if wanted else "checkin.off")


async def _listed(desk: Desk, asker: Asker) -> str:
    """Return how check-ins stand and what she is going to ask about."""
    person = await desk.memory.people.get(asker.key)
    wanted = person.wants_check_ins(desk.parts.house.settings.schedule.check_ins)
    lines = [asker.tongue.text("checkin.is_on" if wanted else "checkin.is_off")]
    if person.quiet_from and person.quiet_to:
        lines.append(
            asker.tongue.text("checkin.quiet", start=person.quiet_from, end=person.quiet_to, zone=asker.zone)
        )
    if person.snooze_until is not None and person.snooze_until > asker.now:
        date = f"{person.snooze_until.astimezone(ZoneInfo(asker.zone)):%Y-%m-%d}"
        lines.append(asker.tongue.text("checkin.snoozed", date=date))
    texts = {one.id: one.text for one in await desk.owned(asker, archived=False)}
    query = (
        select(follow_ups.c.memory_id, follow_ups.c.due_at)
        .where(follow_ups.c.user_id == asker.key, follow_ups.c.state.in_(OPEN))
        .order_by(follow_ups.c.due_at)
    )
    async with desk.memory.database.read() as connection:
        waiting = [row for row in await connection.execute(query) if row.memory_id in texts]
    if not waiting:
        return "\n".join([*lines, asker.tongue.text("checkin.nothing")])

    def told(most: int) -> str:
        items = []
        for row in waiting[:_MOST]:
            due = f"{row.due_at.astimezone(ZoneInfo(asker.zone)):%Y-%m-%d %H:%M}"
            items.append(asker.tongue.text("checkin.item", text=quoted(texts[row.memory_id], most), due=due))
        return "\n".join([*lines, *items])

    return fitting(told)


def _clock(text: str) -> str:
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise Refusal("no_clock", text=quoted(text, 20))
    return f"{int(match['hour']):02}:{match['minute']}"
