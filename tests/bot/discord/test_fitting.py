from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.discord.commands.desk import Asker, quoted
from bot.discord.commands.fitting import ROOM, fitting, units
from bot.discord.commands.pages import PAGE, Page, Shelf, show
from bot.discord.commands.words import Tongue
from memory.catalog import LANGUAGES
from memory.clock import SystemClock
from memory.model import ArchivedReason, Category, Kind, Memory, Precision
from tests.standin import checks

NOW = SystemClock().now()
TEXTS = st.text(st.sampled_from("字a*_`~|>#[]()<@!&:/\\ 🎀👨‍👩‍👧"), min_size=1, max_size=600)


def memory(number: int, text: str, successor_of: str | None = None) -> Memory:
    return Memory(
        id=f"m{number:020}",
        user_id="7",
        persona_id="lily",
        places=("dm",),
        text=text,
        language="zh-TW",
        category=Category.PREFERENCE,
        kind=Kind.EVENT,
        created_at=NOW - timedelta(days=9999),
        updated_at=NOW - timedelta(days=9999),
        valid_from=NOW + timedelta(days=9000),
        valid_to=NOW + timedelta(days=9999),
        precision=Precision.RANGE,
        zone="America/Argentina/ComodRivadavia",
        archived=successor_of is None,
        archived_reason=ArchivedReason.CONTRADICTED if successor_of is None else None,
        archived_at=NOW if successor_of is None else None,
        supersedes_id=successor_of,
        source="discord:1",
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=PAGE), st.sampled_from(LANGUAGES))
def test_a_page_fits_a_message_however_long_its_memories_are(texts: list[str], language: str) -> None:
    asker = Asker(7, "America/Argentina/ComodRivadavia", Tongue(language), NOW)
    old = [memory(number, text) for number, text in enumerate(texts)]
    new = [memory(number + 50, one.text, one.id) for number, one in enumerate(old)]
    shown = show(Page(Shelf.ARCHIVED), old, [*old, *new], asker)
    assert units(shown.text) <= ROOM
    assert len(shown.text.splitlines()) == 1 + len(texts)


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=40))
def test_what_is_made_to_fit_is_never_too_long_and_as_long_as_it_may(texts: list[str]) -> None:
    def told(most: int) -> str:
        return "\n".join(quoted(one, most) for one in texts)

    text = fitting(told)
    assert units(text) <= ROOM
    if units(told(200)) <= ROOM:
        assert text == told(200)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_page_of_many_has_buttons_discord_takes(language: str) -> None:
    asker = Asker(int("9" * 20), "Asia/Taipei", Tongue(language), NOW)
    old = [memory(number, "字") for number in range(3 * PAGE)]
    for number in range(3):
        shown = show(Page(Shelf.ARCHIVED, number=number), old, old, asker)
        assert isinstance(shown.view, discord.ui.View)
        checks.components(shown.view.to_components())
