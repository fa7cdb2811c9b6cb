"""What the tests of this folder read: the log, what the host was told, what she answered."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.discord import recovering
from bot.discord.health import telling_of_models
from memory.catalog import load_catalog
from tests.bot.discord.harness import SOON, Lily, Town
from tests.standin import Message, Person

_PLACE = re.compile(r"/[^\s:;,(]*/(?=[^/\s]*)")
"""The folders of a path: they are this run's."""


def log_of(folder: Path) -> str:
    """Return the log of a data folder."""
    file = folder / "lily.log"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def screen_of(lily: Lily) -> list[str]:
    """Return what the host reads on the screen from now on, in English."""
    lines: list[str] = []
    note, words = lily.service._recovery._note, load_catalog("bot", "en")

    def heard(key: str, values: dict[str, object]) -> None:
        lines.append(words.text(f"discord.run.{key}", **values))
        note(key, values)

    lily.service._recovery._note = heard
    return lines


def host_of(lily: Lily) -> list[str]:
    """Return what the host reads of the models on the screen from now on, in English."""
    lines: list[str] = []
    words = load_catalog("bot", "en")
    lily.house.watch.on_change = telling_of_models(
        lambda key, values: lines.append(words.text(f"discord.run.{key}", **values))
    )
    return lines


def answered(person: Person) -> list[int]:
    """Return which messages of a DM she answered, in order."""
    found = person.reads(person.dm_channel())
    return [one.reference.message_id for one in found if one.author.bot and one.reference is not None]


async def over(place: Town, lily: Lily) -> None:
    """Wait until she has told the host that it is over, and has learned what she was told."""
    await place.discord.world.until(lambda: lily.notes[-1] == "store_back", SOON, "the end of it")
    await lily.settled()


def in_her_words(lily: Lily, message: Message, failure: str = "unknown") -> bool:
    """Whether a message is one of her lines for a failure."""
    return message.content in lily.house.character.variants(f"failure.{failure}", "zh-TW")


@contextmanager
def short_pauses() -> Iterator[None]:
    """Let her try again at once instead of after seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recovering, "PAUSES", (0.05, 0.05, 0.1))
        yield


def witness(
    dependency: str,
    what: str,
    *,
    person: str,
    after: str,
    screen: str = "",
    log: tuple[Path, str] | None = None,
) -> None:
    """Keep what was seen, for the table of the faults: where ``LILY_FAULTS_SEEN`` names a file, else not.

    ``screen`` is what the admin reads there; ``log``: a folder, and words of the line meant in its log.
    """
    kept = os.environ.get("LILY_FAULTS_SEEN")
    if not kept:
        return
    admin = [screen] if screen else []
    if log is not None:
        folder, words = log
        lines = log_of(folder).splitlines()
        admin += [line.partition("Z ")[2] for line in lines if words in line][:1]
    admin = [_PLACE.sub("", line) for line in admin]
    tested = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    row = {
        "dependency": dependency,
        "what": what,
        "admin": admin,
        "person": person,
        "after": after,
        "tested": tested,
    }
    with Path(kept).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
