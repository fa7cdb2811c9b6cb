"""Words against Discord's limits: in three languages, with the longest that can be put into them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, cast
from zoneinfo import available_timezones

import pytest
import yaml

from bot.discord.buttons import Press, Verb
from bot.discord.commands.fitting import ROOM, units
from bot.discord.commands.forms import Form, OneField
from bot.discord.commands.status import MOST_CAUSE
from bot.discord.commands.tree import LilyTree, build_tree
from bot.discord.commands.words import Tongue, Translations
from bot.discord.gateway import build_client
from bot.discord.parts import Parts
from bot.discord.servers import MOST_CHANNELS
from bot.settings.sections import DiscordSettings
from memory.catalog import LANGUAGES
from memory.clock import SystemClock
from memory.model import ArchivedReason, Category
from memory.wording import clock_anchor
from tests.standin import command_checks

NAME = re.compile(r"[-_\w]{1,32}")
LOCALES = Path(__file__).parents[3] / "bot" / "locales"
SUB, GROUP, MENUS = 1, 2, {2, 3}
SNOWFLAKE = "9" * 20
MEMORY_ID = "m" + "f" * 20

MARKUP = r"\*" * 200
"""What 200 characters of a memory become when each of them is markup."""

BUTTON, TITLE, LABEL, ALT = 80, 45, 45, 1024
LIMITS = (
    (r"buttons\..*|notice\.drop_button|erase\.go_on|checkin\.offer_(yes|no)|prune\.confirm", BUTTON),
    (r"(edit|erase)\.title", TITLE),
    (r"(edit|erase)\.label", LABEL),
    (r"timeline\.alt", ALT),
    (r"erase\.word", 40),
)
"""Where a text is no message of its own: the key below ``discord``, and what Discord takes there."""

NO_TEXTS = re.compile(r"run\..*|commands\..*")
"""What the host reads, and the commands' own words, which are looked at as Discord is told them."""


async def tree() -> LilyTree:
    nothing = cast("Any", None)
    client = build_client(DiscordSettings())
    return build_tree(Parts(nothing, client, *[nothing] * (len(Parts.__dataclass_fields__) - 2)))


async def payloads() -> list[dict[str, Any]]:
    made = await tree()
    return [await one.get_translated_payload(made, Translations()) for one in made.get_commands()]


def within(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield payload
    for option in payload.get("options", ()):
        yield from within(option)


def leaves(value: Any, above: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{above}.{key}" if above else str(key))
    else:
        yield above, "\n".join(value) if isinstance(value, list) else str(value)


def words(language: str) -> dict[str, Any]:
    loaded = yaml.safe_load((LOCALES / f"{language}.yaml").read_text(encoding="utf-8"))
    return cast("dict[str, Any]", loaded)


@cache
def longest(language: str) -> dict[str, str]:
    """The longest that stands in each place of a text; a new place has to be thought about here."""
    tongue = Tongue(language)
    zone = max(available_timezones(), key=len)
    number, score, clock, day = "1000000", "0.99", "23:59", "2026-12-31"
    name = "名" * 32
    loaded = words(language)
    values = dict.fromkeys(("count", "queue", "waiting", "lag", "servers", "calls", "tokens"), number)
    values |= dict.fromkeys(("traces", "files", "most", "latency"), number)
    values |= dict.fromkeys(("messages", "each", "amount"), number)
    values |= dict.fromkeys(("each_cost", "today_cost", "cost"), "c" * 80)
    values |= dict.fromkeys(("similarity", "decay", "score"), score)
    values |= dict.fromkeys(("text", "before", "after"), MARKUP)
    values |= dict.fromkeys(("chat", "extractor", "judge", "embedder"), "n" * 64)
    return values | {
        "number": "25",
        "page": "1000",
        "pages": "1000",
        "name": name,
        "names": name * 45,
        "title": MARKUP,
        "id": "c" * 64,
        "word": tongue.text("erase.word"),
        "start": clock,
        "end": clock,
        "zone": zone,
        "near": zone,
        "now": clock_anchor(SystemClock().now(), zone, language),
        "date": f"{day} {clock}",
        "due": f"{day} {clock}",
        "channel": f"<#{SNOWFLAKE}>",
        "channels": " ".join([f"<#{SNOWFLAKE}>"] * MOST_CHANNELS),
        "language": max((tongue.text(f"languages.{one}") for one in LANGUAGES), key=len),
        "version": "1000.1000.1000",
        "reason": max((tongue.reason(one) for one in ArchivedReason), key=len),
        "notes": "註" * 300,
        "texts": tongue.text("lists.join").join([MARKUP[:120]] * 8),
        "why": "因" * 80,
        "what": max((text for _, text in leaves(loaded["commands"]["erase"]["what"])), key=len),
        "code": "ffffff",
        "cause": "c" * MOST_CAUSE,
    }


# Commands


async def test_every_name_and_description_fits_discords_limits_in_every_language() -> None:
    for payload in await payloads():
        menu = payload["type"] in MENUS
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


async def test_every_choice_has_a_name_in_every_language_or_is_the_name_of_a_language() -> None:
    for payload in await payloads():
        for choice in (choice for one in within(payload) for choice in one.get("choices", ())):
            names = [choice["name"], *(choice.get("name_localizations") or {}).values()]
            assert all(1 <= len(name) <= 100 for name in names), names
            assert len(names) == 3 or choice["value"] in LANGUAGES, names


async def test_discord_takes_every_command_as_a_whole() -> None:
    made = await payloads()
    command_checks.commands(made)


async def test_no_two_commands_clash_in_any_language() -> None:
    made = await payloads()
    for locale in (None, "zh-TW", "ja"):
        for siblings in (made, *[one.get("options", []) for payload in made for one in within(payload)]):
            names = [
                (one.get("type"), one["name_localizations"][locale] if locale else one["name"])
                for one in siblings
            ]
            assert len(names) == len(set(names)), names


async def test_only_admins_are_shown_what_is_for_admins() -> None:
    shown = {one["name"]: one.get("default_member_permissions") for one in await payloads()}
    assert {name for name, right in shown.items() if right is not None} == {"prune", "lily"}
    assert {one["name"] for one in await payloads() if one.get("dm_permission") is False} == {"prune", "lily"}


# Everything else she says by rule


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_its_place_with_the_longest_that_can_be_put_into_it(language: str) -> None:
    for key, text in leaves(words(language)["discord"]):
        if NO_TEXTS.fullmatch(key):
            continue
        limit = next((limit for pattern, limit in LIMITS if re.fullmatch(pattern, key)), ROOM)
        places = {name: longest(language)[name] for _, name, _, _ in Formatter().parse(text) if name}
        assert 1 <= units(text.format(**places)) <= limit, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_category_goes_by_one_name(language: str) -> None:
    loaded = words(language)
    for category in Category:
        shown = loaded["discord"]["commands"]["choices"]["categories"][category]
        assert shown == loaded["commands"]["categories"][category]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_form_shows_its_title_its_label_and_its_word_whole(language: str) -> None:
    text = Tongue(language).text
    word = text("erase.word")
    labels = {Form.EDIT: text("edit.label"), Form.ERASE: text("erase.label", word=word)}
    for form in Form:
        made = OneField(
            form, int(SNOWFLAKE), MEMORY_ID, title=text(f"{form}.title"), label=labels[form], placeholder=word
        )
        assert made.title == text(f"{form}.title")
        (label,) = made.to_components()
        assert label["label"] == labels[form]
        assert label["component"]["placeholder"] == word


async def test_every_id_of_a_button_or_a_form_fits() -> None:
    rests = {
        Verb.PAGE: f"archived.{Category.PREFERENCE}.10000.back",
        Verb.PRUNE: f"{SNOWFLAKE}.{SNOWFLAKE}.{'f' * 12}",
        Verb.FORGET_SOURCE: SNOWFLAKE,
        Verb.TIMELINE: "10000.back",
    }
    for verb in Verb:
        assert len(Press(verb, int(SNOWFLAKE), rests.get(verb, MEMORY_ID)).custom_id) <= 100
    for form in Form:
        made = OneField(form, int(SNOWFLAKE), MEMORY_ID, title="t", label="l")
        assert len(made.custom_id) <= 100
