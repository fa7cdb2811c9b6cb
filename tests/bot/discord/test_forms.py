from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.discord.commands.words import Tongue
from tests.bot.discord.harness import SOON, Lily, Town, online, tells, town
from tests.standin import Person, Use

Here = tuple[Town, Lily]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    async with town() as place, online(place.discord, tmp_path) as lily:
        yield place, lily


async def edits(lily: Lily, person: Person) -> Use:
    """Open the form that edits a person's only live memory."""
    (memory,) = [one for one in await lily.memories(person) if not one.archived]
    (server,) = person._discord.world.guilds.values()
    channel = next(iter(server.channels.values()))
    use = person.slash(channel, "memory edit", memory=memory.id)
    await use.modal()
    return use


async def test_a_form_of_another_make_is_answered_with_what_was_typed(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    use = await edits(lily, place.ming)
    assert use.interaction.modal is not None
    use.interaction.modal["custom_id"] = "0123456789abcdef"
    answer = await place.ming.submit(use, {"text": "我對芒果過敏"}).reply(SOON)
    assert answer.ephemeral_to is place.ming.user
    assert Tongue("zh-TW").text("refusals.old_form") in answer.content
    assert "我對芒果過敏" in answer.content
    assert "花生" in (await lily.texts(place.ming))[0]


async def test_nobody_can_send_anothers_form(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    use = await edits(lily, place.ming)
    answer = await place.ann.submit(use, {"text": "mine now"}).reply(SOON)
    assert answer.ephemeral_to is place.ann.user
    assert Tongue("en").text("refusals.not_your_button") in answer.content
    assert "花生" in (await lily.texts(place.ming))[0]


async def test_what_was_typed_comes_back_where_the_memory_has_left_meanwhile(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    (memory,) = await lily.memories(place.ming)
    use = await edits(lily, place.ming)
    await place.ming.slash(place.ming.dm_channel(), "memory forget", memory=memory.id).reply(SOON)
    answer = await place.ming.submit(use, {"text": "我對*芒果*過敏"}).reply(SOON)
    assert r"我對\*芒果\*過敏" in answer.content
    assert await lily.texts(place.ming) == []


async def test_nothing_but_blanks_is_refused_and_changes_nothing(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    answer = await place.ming.submit(await edits(lily, place.ming), {"text": " \n "}).reply(SOON)
    assert answer.content == Tongue("zh-TW").text("refusals.no_text")
    assert "花生" in (await lily.texts(place.ming))[0]


async def test_the_word_that_erases_is_known_in_the_language_it_was_asked_for_in(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    warning = await place.ming.slash(place.ming.dm_channel(), "memory erase").reply(SOON)
    use = place.ming.click(warning)
    await use.modal()
    await place.ming.slash(place.ming.dm_channel(), "language", language="en").reply(SOON)
    answer = await place.ming.submit(use, {"text": "全部忘記"}).reply(SOON)
    assert "verified" in answer.content
    assert await lily.memories(place.ming) == ()


async def test_no_form_is_kept_in_memory_while_it_is_open(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    await edits(lily, place.ming)
    assert lily.service.parts.client._connection._view_store._modals == {}
