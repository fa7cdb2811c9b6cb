"""Commands, buttons and forms with values no client sends: one kind answer, nobody else's rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.discord.buttons import Verb
from tests.bot.discord.harness import SOON, Lily, Town, online, tells, town
from tests.faults.lines import log_of
from tests.standin import Use
from tests.standin.model import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT

HERS = "香草"
"""What only ann has told: ming may read it nowhere."""

VALUES = (
    "", " ", "\x00\x1b[31m\x07", "長" * 6000, "\u202e反\u2066", "@everyone <@1> <@&1> <#1>", "```" * 50,
    "9" * 400, "-1", "' OR 1=1 --", "../../etc/passwd", "{text} %s", "\u0300" * 60, "🫠" * 3000, "23:61",
)  # fmt: skip
WRONG: tuple[Any, ...] = (None, True, 10**18, -1, 1.5, [], {})
"""Values of a type the option hasn't."""

OPTIONS = (
    ("memory", "history", "memory"), ("memory", "forget", "memory"), ("memory", "edit", "memory"),
    ("memory", "restore", "memory"), ("memory", "list", "category"), ("memory", "list", "state"),
    ("timezone", None, "zone"), ("language", None, "language"), ("checkin", "snooze", "days"),
)  # fmt: skip
SUGGESTED = (("memory", "history", "memory"), ("memory", "restore", "memory"), ("timezone", None, "zone"))
RESTS = (
    "",
    "0",
    "x",
    "9" * 60,
    "..",
    "live.-.x",
    "all.hobby.-1",
    "live.nothing.0",
    "-1",
    "٣",
    "\u202e",
    "a\nb",
    "1.2.3",
)
STRANGE_IDS = (
    "",
    "x",
    "lily:",
    "lily:gone:1:x",
    "lily:restore:me:x",
    "LILY:page:1:x",
    "0123456789abcdef",
    "\u202e",
)


def option(name: str, value: Any, kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "value": value, **more}


def command(name: str, sub: str | None, *options: dict[str, Any]) -> dict[str, Any]:
    inside = [{"name": sub, "type": 1, "options": list(options)}] if sub else list(options)
    return {"id": "1", "name": name, "type": 1, "options": inside}


class Stranger:
    """Sends what a client would refuse to send."""

    def __init__(self, place: Town, lily: Lily) -> None:
        self.place = place
        self.lily = lily

    def send(self, kind: int, data: dict[str, Any], **more: Any) -> Use:
        """Send an interaction of ming's in his DM as it is."""
        person = self.place.ming
        return person.uses._send(self.place.discord.bot, person.dm_channel(), kind, data, **more)

    async def answered(self, use: Use, *, form: bool = False) -> None:
        """Hold an answer to being one, kind, for him alone, and without her rows."""
        await use.acknowledged()
        if form and use.interaction.modal is not None:
            return
        message = await use.reply(SOON)
        await self.lily.settled()
        if not use.interaction.edits:  # a page turned in its place
            assert [message] == use.interaction.messages, use.interaction.data
            assert message.ephemeral_to is self.place.ming.user, use.interaction.data
        assert message.content.strip() and len(message.content.encode("utf-16-le")) <= 4000
        assert "Traceback" not in message.content and HERS not in message.content
        assert not message.mention_everyone and not message.notified - {self.place.ming.id}


@pytest.fixture
async def stranger(tmp_path: Path) -> Any:
    async with (
        town(keeps_to_what_is_published=False) as place,
        online(place.discord, tmp_path, scheduled=False) as lily,
    ):
        await tells(lily, place.ming, "我對花生過敏")
        await tells(lily, place.ann, f"我喜歡{HERS}")
        yield Stranger(place, lily)
        (hers,) = await lily.texts(place.ann)
        assert HERS in hers
    log = log_of(tmp_path)
    assert " failed" not in log and "Traceback" not in log and "Ignoring exception" not in log, log[-3000:]
    assert "花生" not in log and HERS not in log and "長長" not in log


async def hers(stranger: Stranger) -> str:
    """Return the id of a memory of ann's."""
    (memory,) = await stranger.lily.memories(stranger.place.ann)
    return memory.id


async def test_a_command_with_any_value_is_answered_once(stranger: Stranger) -> None:
    values = (*VALUES, *WRONG, await hers(stranger))
    for (name, sub, what), value in itertools.product(OPTIONS, values):
        kind = {bool: 5, int: 4, float: 10}.get(type(value), 3)
        await stranger.answered(stranger.send(COMMAND, command(name, sub, option(what, value, kind))))
    for data in (
        command("memory", "nothing"), command("gone", None), command("memory", None),
        command("timezone", None),
        command("checkin", "quiet", option("start", "25:00"), option("end", "x" * 6000)),
        command("checkin", "quiet", option("start", "٢٣:٠٠"), option("end", "\x00")),
        command("memory", "list", option("nothing", "x")),
    ):  # fmt: skip
        await stranger.answered(stranger.send(COMMAND, data))


async def test_suggestions_for_anything_typed_are_ones_own(stranger: Stranger) -> None:
    for (name, sub, what), value in itertools.product(SUGGESTED, (*VALUES, *WRONG, HERS)):
        use = stranger.send(AUTOCOMPLETE, command(name, sub, option(what, value, focused=True)))
        choices = await use.choices()
        assert len(choices) <= 25 and HERS not in str(choices)
    for data in (command("gone", None), command("memory", "gone")):
        use = stranger.send(AUTOCOMPLETE, data)
        assert await use.choices() == []


def pressed(stranger: Stranger, custom_id: str) -> Use:
    """Press a button of any id under a message of hers."""
    bot = stranger.place.discord.bot
    message = next(
        one for one in stranger.place.ming.reads(stranger.place.ming.dm_channel()) if one.author is bot.user
    )
    message.components = [
        {"type": 1, "id": 1, "components": [
            {"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": custom_id}]}
    ]  # fmt: skip
    data = {"custom_id": custom_id, "component_type": 2, "id": 2}
    return stranger.send(COMPONENT, data, message=message)


def ids(stranger: Stranger, memory_id: str) -> Iterator[str]:
    """Return ids of buttons: of every kind with any rest, somebody else's, and of no make of ours."""
    me, her = stranger.place.ming.id, stranger.place.ann.id
    for verb, rest in itertools.product(Verb, (*RESTS, memory_id)):
        yield f"lily:{verb}:{me}:{rest}"[:100]
        yield (
            f"lily:{verb}:{her}:{rest}"[:100] if rest in {"", memory_id} else f"lily:{verb}:{'9' * 20}:{rest}"
        )
    yield from STRANGE_IDS


async def test_a_button_of_any_id_is_answered_once(stranger: Stranger) -> None:
    for custom_id in ids(stranger, await hers(stranger)):
        await stranger.answered(pressed(stranger, custom_id), form=True)


async def test_a_form_of_any_make_is_answered_once(stranger: Stranger) -> None:
    me, memory_id = stranger.place.ming.id, await hers(stranger)
    (own,) = await stranger.lily.memories(stranger.place.ming)
    makes = [
        f"lily:form:edit:{me}:{memory_id}",
        f"lily:form:edit:{me}:x",
        f"lily:form:erase:{me}:",
        *STRANGE_IDS,
    ]
    for custom_id, text in itertools.product(makes, VALUES[:8]):
        await stranger.answered(stranger.send(MODAL_SUBMIT, filled(custom_id, text)))
    for text in VALUES:
        await stranger.answered(stranger.send(MODAL_SUBMIT, filled(f"lily:form:edit:{me}:{own.id}", text)))
    shapes: tuple[list[dict[str, Any]], ...] = ([], [{}], [{"type": 1}], [{"type": 18, "component": {}}])
    for components in shapes:
        data = {"custom_id": f"lily:form:edit:{me}:{own.id}", "components": components}
        await stranger.answered(stranger.send(MODAL_SUBMIT, data))


def filled(custom_id: str, text: str) -> dict[str, Any]:
    """Return a form that was sent, with one field."""
    field = {"type": 4, "id": 2, "custom_id": "text", "value": text}
    return {"custom_id": custom_id, "components": [{"type": 18, "id": 1, "component": field}]}
