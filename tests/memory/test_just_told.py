"""A date put right and a change without a name: which event told just before is meant, and its new day."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.model import ArchivedReason, Flag
from memory.places import Place

pytestmark = pytest.mark.usefixtures("store")
TAIPEI = ZoneInfo("Asia/Taipei")


async def tell(world, *texts):
    """Say each text as the rules read it; return the live memories, the newest last."""
    for text in texts:
        request = ExtractionRequest(
            text=text, said_at=world.clock.now(), zone="Asia/Taipei", language="zh-TW"
        )
        await world.say(text, *extract_by_rules(request).facts)
        world.later(minutes=1)
    return [m for m in await world.all() if not m.archived]


def day_of(memory):
    return memory.valid_from.astimezone(TAIPEI).date()


@pytest.mark.parametrize(
    ("said", "right", "day"),
    [
        ("我下週四要剪頭髮", "不對，是星期三", date(2026, 9, 16)),
        ("我下週四要剪頭髮", "說錯了，是下週五才對", date(2026, 9, 18)),
        ("我9月24號要剪頭髮", "抱歉，是25號", date(2026, 9, 25)),
        ("我下週四要剪頭髮", "不是星期四，是星期二", date(2026, 9, 15)),
        ("My haircut appointment is on September 24", "oops, I meant September 25", date(2026, 9, 25)),
    ],
)
async def test_a_bare_correction_moves_the_event_told_just_now(world, said, right, day):
    (memory,) = await tell(world, said, right)
    assert day_of(memory) == day
    (old,) = [m for m in await world.all() if m.archived]
    assert (old.archived_reason, memory.supersedes_id, memory.text) == (
        ArchivedReason.CONTRADICTED, old.id, old.text,
    )  # fmt: skip


@pytest.mark.parametrize(
    "between",
    ["我妹妹的生日是10月5日", "我9月28號要看演唱會，9月30號要考多益"],
)
async def test_a_correction_that_may_mean_something_else_moves_nothing(world, between):
    before = {m.id for m in await tell(world, "我下週四要剪頭髮", between)}
    assert {m.id for m in await tell(world, "不對，是6號")} == before


async def test_a_correction_long_after_or_of_another_day_moves_nothing(world):
    (told,) = await tell(world, "我下週四要剪頭髮", "不是星期一，是星期五")
    world.later(hours=2)
    assert [m.id for m in await tell(world, "不對，是星期五")] == [told.id]


async def test_a_correction_to_the_same_day_changes_nothing(world):
    assert [m.when_text for m in await tell(world, "我下週四要剪頭髮", "其實是下禮拜四才對")] == ["下週四"]


@pytest.mark.parametrize("change", ["開刀延到下週五", "延到下週五了"])
async def test_a_change_without_an_owner_moves_the_event_of_somebody_near_told_just_now(world, change):
    (memory,) = await tell(world, "我爸下週三要開刀", change)
    assert (memory.subject, day_of(memory)) == ("爸爸", date(2026, 9, 18))


async def test_a_change_of_the_persons_own_leaves_that_of_somebody_near(world):
    memories = await tell(world, "我爸下週三要開刀", "我的開刀延到下週五")
    assert [day_of(m) for m in memories if m.subject == "爸爸"] == [date(2026, 9, 16)]


async def test_what_was_called_off_keeps_its_day_and_the_words_it_was_told_by(world):
    (memory,) = await tell(world, "我下週四要剪頭髮", "取消了")
    assert Flag.CANCELLED in memory.flags
    assert (day_of(memory), memory.text) == (date(2026, 9, 17), "使用者原本要剪頭髮，後來取消了")


@pytest.mark.parametrize("change", ["剪頭髮改到下午三點了", "剪頭髮延後一週", "剪頭髮取消了", "取消了"])
async def test_a_day_told_in_private_does_not_come_along_to_where_a_change_is_told(world, change):
    await tell(world, "我9月24號要剪頭髮")
    request = ExtractionRequest(text=change, said_at=world.clock.now(), zone="Asia/Taipei", language="zh-TW")
    await world.say(change, *extract_by_rules(request).facts, place=Place("1", "2"))
    told_there = [m for m in await world.all() if "guild:1/channel:2" in m.places]
    private = {date(2026, 9, 24), date(2026, 10, 1)}
    assert all(m.valid_from is None or day_of(m) not in private for m in told_there)
