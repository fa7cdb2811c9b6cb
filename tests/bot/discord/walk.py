"""One person's hands on Discord during the walk: they use what is offered and note what they read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from tests.bot.discord.harness import Town, answer_to
from tests.bot.discord.walk_words import Lines
from tests.standin import Channel, Message, Person, Use
from tests.standin.checks import BUTTON, walk
from tests.standin.options import called

Shape = Mapping[str, Any]

SOON = 90.0
"""Seconds in which a step is over where a process, its models and three people share a busy machine."""


def verb_of(custom_id: str) -> str:
    """Return what a button does, as its id tells it."""
    return custom_id.split(":")[1]


def kind_of(button: Shape) -> tuple[str, str]:
    """Return what a button does and says, whatever number is on it."""
    return verb_of(button["custom_id"]), re.sub(r"\d+", "#", button["label"])


def buttons_of(message: Message, verb: str | None = None) -> list[Shape]:
    """Return the buttons of a message that can be pressed."""
    buttons = [one for one in walk(message.components) if one["type"] == BUTTON and not one.get("disabled")]
    return [one for one in buttons if verb in (None, verb_of(one["custom_id"]))]


class Walker:
    """A person who goes through everything; ``seen`` is what they did and read, line by line."""

    def __init__(self, place: Town, person: Person, lines: Lines) -> None:
        self.place = place
        self.person = person
        self.lines = lines
        self.seen: list[str] = []
        self.open: dict[str, Message] = {}
        self.forms: dict[str, Use] = {}
        self.said: list[Message] = []
        self.shown: set[tuple[str, str]] = set()
        self.pressed: set[tuple[str, str]] = set()

    @property
    def dm(self) -> Channel:
        """The direct messages with her."""
        return self.person.dm_channel()

    # Talking

    async def says(
        self,
        channel: Channel,
        text: str,
        *,
        by_name: bool = True,
        to: Message | None = None,
        ping: bool = True,
    ) -> Message:
        """Say something and return her answer to it."""
        bot = self.place.discord.bot
        said = self.person.say(channel, text, mention=bot if by_name else (), reply_to=to, ping=ping)
        self.said.append(said)
        answer = await answer_to(self.person, said, SOON)
        self._note(f"> {text}", answer)
        return answer

    async def tells(self, text: str) -> Message:
        """Say something in a direct message and return what was said, once it is answered."""
        said = self.person.dm(text)
        self.said.append(said)
        self._note(f"> {text}", await answer_to(self.person, said, SOON))
        return said

    async def is_known(self, mark: str, count: int = 1) -> None:
        """Wait until so many live memories hold a word."""
        async with asyncio.timeout(SOON):
            while len(await self.suggested("memory forget", "memory", mark)) < count:
                pass

    async def offered(self, channel: Channel, verb: str) -> Message:
        """Wait for a message of hers with a button that does this."""

        def found() -> Message | None:
            taken = {one.id for one in self.open.values()}
            fresh = [one for one in self.person.reads(channel) if one.id not in taken]
            return next((one for one in fresh if self._owns(buttons_of(one, verb))), None)

        message: Message = await self.place.discord.world.until(found, SOON, f"a button for {verb}")
        self._note(f"(offered: {verb})", message)
        return message

    def _owns(self, buttons: list[Shape]) -> bool:
        return any(str(self.person.id) in one["custom_id"] for one in buttons)

    # Using

    def path(self, command: str) -> str:
        """Return a command's path in the words this person's Discord shows."""
        name, *rest = command.split()
        level = next(one for one in self.place.discord.bot.commands[None].values() if one["name"] == name)
        shown = [_shown(level, self.lines.locale)]
        for part in rest:
            level = next(one for one in level["options"] if one["name"] == part)
            shown.append(_shown(level, self.lines.locale))
        return " ".join(shown)

    async def uses(self, command: str, /, where: Channel | None = None, **options: Any) -> Message:
        """Use a slash command and return its answer."""
        use = self.person.slash(where or self.place.server.general, self.path(command), **options)
        message = await use.reply(SOON)
        self._note(f"/{self.path(command)} {_told(options)}", message)
        return message

    async def opens(self, name: str, use: Use) -> Use:
        """Note the form a use has opened, and keep it under a name."""
        form = await use.modal()
        self.seen.append(f"[form] {form['title']}")
        for one in walk(form["components"]):
            texts = [str(one[key]) for key in ("label", "placeholder", "value") if one.get(key)]
            self.seen += [f"    {' | '.join(texts)}"] if texts else []
        self.forms[name] = use
        return use

    async def opens_from(self, message: Message, name: str) -> Use:
        """Press a button that opens a form."""
        (button,) = buttons_of(message)
        self.pressed.add(kind_of(button))
        return await self.opens(name, self.person.click(message, button["custom_id"]))

    async def edits(self, memory: str) -> Use:
        """Open the form that edits a memory."""
        use = self.person.slash(self.dm, self.path("memory edit"), memory=memory)
        return await self.opens("edit", use)

    async def sends(self, use: Use, text: str) -> Message:
        """Fill in a form and return the answer."""
        message = await self.person.submit(use, {"text": text}).reply(SOON)
        self._note(f"[sent] {text}", message)
        return message

    async def suggested(self, command: str, option: str, typed: str) -> list[dict[str, Any]]:
        """Type into an option and return the suggestions."""
        return await self.person.autocomplete(self.dm, self.path(command), option, typed)

    async def one_of(self, command: str, typed: str) -> str:
        """Return the id of the first memory suggested for what is typed."""
        found = await self.suggested(command, "memory", typed)
        self.seen.append(f"/{self.path(command)} {typed}… {[one['name'] for one in found[:3]]}")
        return str(found[0]["value"])

    async def chooses(self, menu: str, message: Message) -> Message:
        """Use a message menu by the name this person's Discord shows."""
        commands = self.place.discord.bot.commands[None].values()
        shown = next(_shown(one, self.lines.locale) for one in commands if one["name"] == menu)
        answer = await self.person.menu(message.channel, shown, message).reply(SOON)
        self._note(f"[menu] {shown}", answer)
        return answer

    async def presses(self, message: Message, verb: str, number: int = 0) -> Message:
        """Press the button of a message that does this, and return what came of it."""
        button = buttons_of(message, verb)[number]
        answer = await self.person.click(message, button["custom_id"]).reply(SOON)
        self.pressed.add(kind_of(button))
        self._note(f"[{button['label']}]", answer)
        return answer

    def _note(self, what: str, answer: Message) -> None:
        labels = [f"[{one['label']}]" for one in walk(answer.components) if one["type"] == BUTTON]
        files = [f"({one['filename']}: {one.get('description', '')})" for one in answer.attachments]
        self.shown |= {kind_of(one) for one in buttons_of(answer)}
        hidden = "·" if answer.ephemeral_to is not None else " "
        self.seen.append(what)
        self.seen += [f"  {hidden} {line}" for line in answer.content.splitlines()]
        self.seen += [f"  {hidden} {' '.join([*labels, *files])}"] if labels or files else []


def _shown(thing: Shape, locale: str) -> str:
    """Return the name a command goes by for people of this language."""
    names = called(thing, locale)
    return next(iter(names - {thing["name"]}), str(thing["name"]))


def _told(options: Mapping[str, Any]) -> str:
    names = {name: getattr(getattr(value, "user", value), "name", value) for name, value in options.items()}
    return " ".join(f"{name}={value}" for name, value in names.items())
