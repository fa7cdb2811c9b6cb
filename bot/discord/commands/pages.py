"""Lists of memories, page by page; the pages turn after a restart too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from zoneinfo import ZoneInfo

import discord

from bot.discord.buttons import LilyButton, Press, Verb, button, view_of
from bot.discord.commands.desk import Asker, quoted
from bot.discord.commands.fitting import fitting
from memory.model import Category, Memory
from memory.wording import event_when, said_ago

PAGE = 5


class Shelf(StrEnum):
    """Which memories a list shows."""

    LIVE = "live"
    ARCHIVED = "archived"
    ALL = "all"

    @property
    def archived(self) -> bool | None:
        """What the store is asked for."""
        return {Shelf.LIVE: False, Shelf.ARCHIVED: True, Shelf.ALL: None}[self]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list, as a button names it."""

    shelf: Shelf
    category: Category | None = None
    number: int = 0

    @property
    def rest(self) -> str:
        """Return the page as part of a button's id."""
        return f"{self.shelf}.{self.category or '-'}.{self.number}"

    @classmethod
    def parse(cls, rest: str) -> Page:
        """Read it back; ``ValueError`` for what is none."""
        shelf, category, number = rest.split(".")
        return cls(Shelf(shelf), None if category == "-" else Category(category), max(0, int(number)))


@dataclass(frozen=True, slots=True)
class Shown:
    """A page ready to be sent."""

    text: str
    view: discord.ui.View | None


def show(page: Page, found: Sequence[Memory], everything: Sequence[Memory], asker: Asker) -> Shown:
    """Return a page of ``found``; ``everything`` of the person tells what replaced what."""
    tongue = asker.tongue
    kept = [one for one in found if page.category in (None, one.category)]
    if not kept:
        none = "none_of_kind" if found else f"{page.shelf}.none"
        return Shown(tongue.text(f"lists.{none}"), None)
    pages = -(-len(kept) // PAGE)
    number = min(page.number, pages - 1)
    rows = kept[number * PAGE : (number + 1) * PAGE]
    successors = {one.supersedes_id: one for one in everything if one.supersedes_id is not None}
    title = tongue.text(f"lists.{page.shelf}.title", count=len(kept), page=number + 1, pages=pages)

    def told(most: int) -> str:
        numbered = enumerate(rows, start=1)
        lines = [f"{index}. {line(one, asker, successors.get(one.id), most)}" for index, one in numbered]
        return "\n".join([f"**{title}**", *lines])

    buttons: list[LilyButton] = []
    if page.shelf is Shelf.ARCHIVED:
        for index, one in enumerate(rows, start=1):
            press = Press(Verb.RESTORE, asker.id, one.id)
            buttons.append(button(press, tongue.text("buttons.restore", number=index), row=0))
    if pages > 1:
        for key, to in (("back", number - 1), ("on", number + 1)):
            there = Page(page.shelf, page.category, max(to, 0))
            # a page that is not there keeps an id of its own: two buttons of one id are refused
            rest = there.rest if 0 <= to < pages else f"{there.rest}.{key}"
            press = Press(Verb.PAGE, asker.id, rest)
            buttons.append(button(press, tongue.text(f"buttons.{key}"), disabled=not 0 <= to < pages, row=1))
    return Shown(fitting(told), view_of(buttons) if buttons else None)


def line(memory: Memory, asker: Asker, successor: Memory | None = None, most: int = 200) -> str:
    """Return one memory as a line: what, its kind, when it is, when it was said, and why it left.

    ``most``: how much of its text, in UTF-16 units before markup is escaped.
    """
    tongue, language = asker.tongue, asker.tongue.language
    notes = [tongue.category(memory.category)]
    when = event_when(memory, asker.now, asker.zone, language)
    if when is not None:
        notes.append(when)
    notes.append(said_ago(memory.confirmed_at, asker.now, asker.zone, language))
    if memory.archived:
        notes.append(state(memory, asker))
        if successor is not None:
            notes.append(tongue.text("lists.replaced_by", text=quoted(successor.text, min(most, 80))))
    return tongue.text(
        "lists.line", text=quoted(memory.text, most), notes=tongue.text("lists.join").join(notes)
    )


def state(memory: Memory, asker: Asker) -> str:
    """Return where a memory stands: in use, or since when it is not and why."""
    if not memory.archived or memory.archived_at is None:
        return asker.tongue.catalog.text("commands.live" if not memory.archived else "commands.dropped")
    day = memory.archived_at.astimezone(ZoneInfo(asker.zone))
    reason = asker.tongue.reason(memory.left_because)
    return asker.tongue.text("lists.archived_on", date=f"{day:%Y-%m-%d %H:%M}", reason=reason)
