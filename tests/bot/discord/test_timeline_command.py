from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from bot.timeline import ROWS_PER_PICTURE
from tests.bot.discord.harness import SOON, Lily, Town, online, tells, town
from tests.standin import Message, Person

Here = tuple[Town, Lily]


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    async with town() as place, online(place.discord, tmp_path) as lily:
        yield place, lily


async def asks(place: Town, person: Person) -> Message:
    return await person.slash(place.server.general, "memory timeline").reply(SOON)


def picture(place: Town, shown: Message) -> Image.Image:
    (file,) = shown.attachments
    path = file["url"].removeprefix(place.discord.world.base_url).partition("?")[0]
    return Image.open(io.BytesIO(place.discord.world.files[path]))


async def test_the_timeline_is_a_picture_for_the_person_alone(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    shown = await asks(place, place.ming)
    assert shown.ephemeral_to is place.ming.user
    with picture(place, shown) as image:
        assert image.format == "PNG"


async def test_the_timeline_draws_nobody_elses_memories(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    with picture(place, await asks(place, place.ming)) as before:
        alone = before.size
    await tells(lily, place.ann, "I love sushi very much")
    with picture(place, await asks(place, place.ming)) as after:
        assert after.size == alone


async def test_somebody_of_whom_nothing_is_known_is_told_so(here: Here) -> None:
    place, lily = here
    await tells(lily, place.ming, "我對花生過敏")
    shown = await asks(place, place.ann)
    assert shown.attachments == []
    assert "nothing to draw" in shown.content


HOBBIES = [
    "爬山", "游泳", "畫畫", "下棋", "釣魚", "攝影", "滑雪", "跳舞", "唱歌", "彈琴", "寫字",
    "讀書", "種花", "養魚", "織布", "雕刻", "陶藝", "射箭", "騎車", "烘焙", "瑜伽", "露營",
]  # fmt: skip


async def test_many_memories_are_drawn_on_pictures_that_turn(here: Here) -> None:
    place, lily = here
    for hobby in HOBBIES:
        await tells(lily, place.ming, f"我的興趣是{hobby}")
    assert len(await lily.memories(place.ming)) > ROWS_PER_PICTURE
    shown = await asks(place, place.ming)
    turned = await place.ming.click(shown, "下一頁").reply(SOON)
    assert turned.ephemeral_to is place.ming.user
    with picture(place, shown) as first, picture(place, turned) as second:
        assert second.height < first.height
    again = await place.ming.click(turned, "上一頁").reply(SOON)
    with picture(place, again) as back, picture(place, shown) as first:
        assert back.size == first.size
