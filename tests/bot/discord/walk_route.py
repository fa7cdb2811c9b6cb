"""The way through everything she offers: what one person does before a restart, after it, and at the end."""

from __future__ import annotations

from memory.catalog import LANGUAGES
from memory.model import Category
from tests.bot.discord.walk import Walker
from tests.standin import Channel, Message, Person

SHELVES = ("live", "archived", "all")
REMEMBER, UNLEARN = "Remember this", "Forget what you learned here"


async def talks(one: Walker) -> None:
    """Mention her, reply to her with the ping on and off, talk in a thread and in direct messages."""
    general, lines = one.place.server.general, one.lines
    answer = await one.says(general, lines.small_talk[0])
    answer = await one.says(general, lines.small_talk[1], by_name=False, to=answer)
    await one.says(general, lines.small_talk[2], by_name=False, to=answer, ping=False)
    thread = one.place.server.thread(general, "aside", one.person)
    await one.says(thread, lines.small_talk[3])
    for text in lines.facts:
        await one.tells(text)
    await one.is_known(lines.mark, 24)
    await one.tells(lines.exam)
    one.open["checkin"] = await one.offered(one.dm, "checkin")


async def looks(one: Walker) -> None:
    """Use every command that only shows something."""
    for command in ("help", "privacy", "profile", "memory why"):
        await one.uses(command)
    for category in Category:
        await one.uses("memory list", category=str(category))
    for state in SHELVES:
        await one.uses("memory list", state=state)
    await one.uses("memory history", memory=await one.one_of("memory history", one.lines.mark))
    await one.uses("memory export")


async def settles(one: Walker) -> None:
    """Choose zone, language and hours; be refused what is none."""
    for language in sorted(LANGUAGES, key=lambda each: each == one.lines.language):
        await one.uses("language", language=language)
    zones = await one.person.autocomplete(one.dm, one.path("timezone"), "zone", "taip")
    await one.uses("timezone", zone=zones[0]["value"])
    await one.uses("timezone", zone="Asia/Taipeh")
    await one.uses("checkin on")
    await one.uses("checkin quiet", start="23:00", end="8:00")
    await one.uses("checkin quiet", start="late", end="8:00")
    await one.uses("checkin quiet", start="8:00", end="08:00")
    await one.uses("checkin snooze", days=3)
    await one.uses("checkin list")
    await one.uses("checkin off")
    await one.uses("memory pause")
    await one.uses("profile")
    await one.uses("memory resume")
    await one.uses("reset", where=one.dm)
    await one.uses("reset", where=one.dm)


async def changes(one: Walker) -> None:
    """Edit in a form, forget, look at what was put away, restore, turn pages, draw."""
    lines = one.lines
    await one.sends(await one.edits(await one.one_of("memory edit", lines.mark)), lines.edited)
    gone = [await one.one_of("memory forget", lines.mark) for _ in "."]
    for _ in range(8):
        gone.append(await one.one_of("memory forget", lines.mark))
        await one.uses("memory forget", memory=gone[-1])
    await one.uses("memory forget", memory=gone[-1])
    await one.uses("memory restore", memory=await one.one_of("memory restore", lines.mark))
    archived = await one.uses("memory archived")
    await one.presses(archived, "restore")
    archived = await one.presses(archived, "page", -1)
    await one.presses(archived, "page")
    drawn = await one.uses("memory timeline")
    one.open["timeline"] = await one.presses(drawn, "timeline")
    await one.uses("memory history", memory="nothing")


async def picks(one: Walker, bystander: Person) -> None:
    """Use the menus on messages of one's own, of hers and of somebody else."""
    general = one.place.server.general
    said = one.person.say(general, one.lines.keep)
    await one.chooses(REMEMBER, said)
    await one.chooses(UNLEARN, said)
    await one.chooses(UNLEARN, said)
    other = bystander.say(general, "ok")
    await one.chooses(REMEMBER, other)
    await one.chooses(UNLEARN, other)
    hers = await one.says(general, one.lines.hello)
    await one.chooses(REMEMBER, hers)
    await one.chooses(UNLEARN, hers)


async def manages(one: Walker, chat: Channel) -> None:
    """Use what is for admins."""
    await one.uses("lily channels list")
    await one.uses("lily channels add", channel=chat)
    await one.uses("lily channels list")
    await one.says(chat, one.lines.hello, by_name=False)
    thread = one.place.server.thread(chat, "more", one.person)
    await one.says(thread, one.lines.small_talk[0], by_name=False)
    await one.uses("lily channels remove", channel=chat)
    await casts(one)
    await writes_lore(one)
    await one.uses("lily status")
    await one.uses("prune")


async def casts(one: Walker) -> None:
    """See who talks on the server, choose her again, and be refused somebody who is not there."""
    await one.uses("lily persona")
    path = one.path("lily persona")
    found = await one.person.autocomplete(one.place.server.general, path, "character", "lily")
    await one.uses("lily persona", character=found[0]["value"])
    await one.uses("lily persona", character="nobody")


async def writes_lore(one: Walker) -> None:
    """Write lore for the server, turn its pages, take one out, be refused what does not fit."""
    general, name = one.place.server.general, one.person.user.name
    for number in range(7):
        await one.uses("lily lore add", title=f"{name} {number}", text="Saturday at nine", keys="raid, gvg")
    await one.uses("lily lore add", title=f"{name} 0", text="Sunday")
    listed = await one.uses("lily lore list")
    listed = await one.presses(listed, "lore")
    await one.presses(listed, "lore")
    path = one.path("lily lore remove")
    found = await one.person.autocomplete(general, path, "entry", f"{name} 0")
    await one.uses("lily lore remove", entry=found[0]["value"])
    await one.uses("lily lore remove", entry=found[0]["value"])


async def leaves_open(one: Walker) -> None:
    """Open one of every view and form; it is pressed or sent in the next run."""
    lines, general = one.lines, one.place.server.general
    regretted = await one.tells(lines.pet)
    await one.is_known(lines.pet_word)
    one.person.delete(regretted)
    one.open["source"] = await one.offered(one.dm, "source")
    await one.tells(lines.allergy)
    await one.is_known(lines.allergen)
    await one.tells(lines.question)
    await one.uses("memory why")
    await one.tells(lines.forget)
    one.open["forget"] = await one.offered(one.dm, "forget")
    await one.says(general, lines.public)
    await one.says(general, lines.wrong)
    one.open["public"] = await one.offered(general, "forget")
    one.open["page"] = await one.uses("memory list")
    one.open["restore"] = await one.uses("memory archived")
    one.open["lore"] = await one.uses("lily lore list")
    one.open["prune"] = await one.uses("prune", member=one.person)
    one.open["erase"] = await one.uses("memory erase", where=one.dm)
    await one.opens_from(one.open["erase"], "erase")
    await one.edits(await one.one_of("memory edit", lines.exam_word))


async def goes_on(one: Walker) -> None:
    """Press and send after a restart what was opened before it."""
    await one.uses("memory why")
    await one.presses(one.open["page"], "page")
    await one.presses(one.open["page"], "page")
    fresh = await one.uses("prune", member=one.person)
    await one.presses(one.open["prune"], "prune")
    await one.presses(await one.uses("memory archived"), "restore")
    again = await one.presses(fresh, "prune")
    await one.presses(again, "prune")
    await one.presses(one.open["restore"], "restore")
    await one.presses(one.open["timeline"], "timeline")
    await one.presses(one.open["lore"], "lore")
    await one.presses(one.open["checkin"], "checkin")
    await one.uses("checkin list")
    await one.presses(one.open["checkin"], "checkin", 1)
    await one.sends(one.forms["edit"], one.lines.edited)
    await one.sends(one.forms["edit"], one.lines.edited)
    await one.presses(one.open["forget"], "forget")
    await one.presses(one.open["forget"], "forget")
    await one.presses(one.open["source"], "source")
    await one.presses(one.open["source"], "source")
    await one.presses(one.open["public"], "forget")
    await one.opens_from(one.open["erase"], "erase again")
    await one.uses("privacy")
    await one.uses("lily status")


async def takes_leave(one: Walker) -> None:
    """Erase everything by the form that was opened before the restart."""
    await one.sends(one.forms["erase"], "?")
    word = _word(one)
    await one.sends(one.forms["erase"], word)
    for command in ("memory list", "memory archived", "memory timeline", "memory export", "profile"):
        await one.uses(command)


async def is_refused(stranger: Walker, message: Message) -> None:
    """Press somebody else's button."""
    await stranger.presses(message, "forget")


def _word(one: Walker) -> str:
    form = one.forms["erase"].interaction.modal
    assert form is not None
    (field,) = form["components"]
    return str(field["component"]["placeholder"])
