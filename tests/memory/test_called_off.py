"""An event that was called off is told to have been called off, not replaced; brought back, it is on."""

from __future__ import annotations

import pytest

from memory.catalog import load_catalog
from memory.model import Flag
from tests.memory.test_just_told import tell

pytestmark = pytest.mark.usefixtures("store")


@pytest.mark.parametrize(
    ("plan", "off"),
    [
        ("我下周三要去北京出差", "出差取消了"), ("我下週五要交專題報告", "專題報告取消了"),
        ("我下週四要剪頭髮", "剪頭髮取消了"), ("下個月要去京都玩五天", "京都的行程取消了"),
        ("下個月要去日本玩", "日本行取消了"), ("下個月要去成都玩", "成都之旅泡湯了"),
        ("下個月要去日本玩", "整個計畫都泡湯了"), ("下個月要去日本玩", "行程取消了"),
    ],
)  # fmt: skip
async def test_what_was_called_off_says_so(world, plan, off):
    await tell(world, plan, off)
    (old,) = [m for m in await world.all() if m.archived]
    assert old.left_because == "called_off"


async def test_a_journey_to_somewhere_else_stays(world):
    await tell(world, "下個月要去京都玩五天", "下週六要去日月潭玩", "日月潭的行程取消了")
    assert [m.text for m in await world.all() if m.left_because == "called_off"] == ["使用者要去日月潭玩"]


async def test_what_was_moved_is_replaced(world):
    await tell(world, "我下週四要剪頭髮", "剪頭髮改到下週五")
    (old,) = [m for m in await world.all() if m.archived]
    assert old.left_because == "contradicted"


async def test_what_is_brought_back_is_no_longer_off(world):
    await tell(world, "我下週四要剪頭髮", "剪頭髮取消了")
    (old,) = [m for m in await world.all() if m.archived]
    restored = await world.service.lifecycle.restore(old.id, "user:u1")
    assert Flag.CANCELLED not in restored.memory.flags
    assert restored.memory.left_because is None


@pytest.mark.parametrize("language", ["zh-TW", "en", "ja"])
def test_there_are_words_for_it_in_every_language(language):
    assert load_catalog("bot", language).text("commands.reasons.called_off")
    assert load_catalog("bot.timeline", language).text("reasons.called_off")
