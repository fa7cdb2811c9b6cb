from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from bot.discord.commands.tree import LilyTree, build_tree
from bot.discord.commands.words import Translations
from bot.discord.gateway import build_client
from bot.discord.parts import Parts
from bot.settings.sections import DiscordSettings
from memory.catalog import LANGUAGES

NAME = re.compile(r"[-_\w]{1,32}")
LOCALES = Path(__file__).parents[3] / "bot" / "locales"
SUB, GROUP = 1, 2


async def tree() -> LilyTree:
    nothing = cast("Any", None)
    client = build_client(DiscordSettings())
    return build_tree(Parts(nothing, client, *[nothing] * 7))


async def payloads() -> list[dict[str, Any]]:
    made = await tree()
    return [await one.get_translated_payload(made, Translations()) for one in made.get_commands()]


def within(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield payload
    for option in payload.get("options", ()):
        yield from within(option)


async def test_every_name_and_description_fits_discords_limits_in_every_language() -> None:
    for payload in await payloads():
        menu = payload["type"] == 3
        for one in within(payload):
            names = [one["name"], *one.get("name_localizations", {}).values()]
            assert len(names) == 3, one["name"]
            for name in names:
                assert len(name) <= 32
                assert menu or (NAME.fullmatch(name) and name == name.lower()), name
            if not menu:
                texts = [one["description"], *one["description_localizations"].values()]
                assert len(texts) == 3, one["name"]
                assert all(1 <= len(text) <= 100 for text in texts), texts
            for choice in one.get("choices", ()):
                assert all(
                    1 <= len(x) <= 100
                    for x in (choice["name"], *(choice.get("name_localizations") or {}).values())
                )


async def test_no_two_commands_clash_in_any_language() -> None:
    for locale in (None, "zh-TW", "ja"):
        for siblings in ([*await payloads()], *[p.get("options", []) for p in await payloads()]):
            names = [
                (one.get("type"), one["name_localizations"][locale] if locale else one["name"])
                for one in siblings
            ]
            assert len(names) == len(set(names)), names


async def test_only_admins_are_shown_what_is_for_admins() -> None:
    shown = {one["name"]: one.get("default_member_permissions") for one in await payloads()}
    assert {name for name, right in shown.items() if right is not None} == {"prune", "lily"}
    assert {one["name"] for one in await payloads() if one.get("dm_permission") is False} == {"prune", "lily"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_a_message_and_every_label_a_button(language: str) -> None:
    words = yaml.safe_load((LOCALES / f"{language}.yaml").read_text(encoding="utf-8"))["discord"]
    labels = [*words["buttons"].values(), words["notice"]["drop_button"], words["erase"]["go_on"]]
    labels += [words["checkin"]["offer_yes"], words["checkin"]["offer_no"], words["prune"]["confirm"]]
    assert all(len(label) <= 80 for label in labels)
    assert all(len(words[form]["title"]) <= 45 for form in ("edit", "erase"))
    assert len(words["edit"]["label"]) <= 45
    assert len(words["erase"]["label"].format(word=words["erase"]["word"])) <= 45
    for lines in (words["privacy"]["lines"], words["help"]["lines"], words["welcome"]["lines"]):
        assert len("\n".join(lines)) < 1900
