"""The story of an exam, and of what may become of it, looked at hour after hour for twenty days.

Everything is real but the clock: the store, the packaged embedder, the rules that extract, judge and
recall, the text a model reads.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.models import rules_only
from memory.clock import SettableClock
from memory.context import render_context
from memory.extraction.types import Change
from memory.messages import Message
from memory.model import Phase
from memory.policy import MemoryPolicy
from memory.recollection import Recalled, Recollection
from memory.service import MemoryService, Models, StoreLocation, open_memory
from scheduler.expiry import sweep

TAIPEI = ZoneInfo("Asia/Taipei")
POLICY = MemoryPolicy()
WEEKDAYS = "一二三四五六日"
DUE = "【差不多可以關心一下】"
WORDS = {
    Phase.UPCOMING: "還沒到",
    Phase.ONGOING: "進行中",
    Phase.PAST: "已經過了，結果還不知道",
}
OVER_NOW = "剛說已經結束了"
CALLED_OFF = "已經取消了"
UNDATED = "日期不明"
EVERY_PHASE = (*WORDS.values(), OVER_NOW, CALLED_OFF, UNDATED)

SATURDAY = datetime(2026, 9, 12, 21, 30, tzinfo=TAIPEI)
TUESDAY = datetime(2026, 9, 15, tzinfo=TAIPEI)
FRIDAY = datetime(2026, 9, 18, tzinfo=TAIPEI)
DAY = timedelta(days=1)
WEEK = POLICY.stale_follow_up
QUESTION = "我的期末考是什麼時候？"


@dataclass(frozen=True)
class Glance:
    """What is remembered for a question at one moment: as values and as the text a model reads."""

    recollection: Recollection
    context: str

    def shown(self, about: str) -> Recalled | None:
        """Return how an event is remembered, as relevant or as due; None where it is not."""
        both = (*self.recollection.due, *self.recollection.memories)
        return next((one for one in both if about in one.memory.text), None)

    def line(self, about: str) -> str:
        """Return the one line of the context about an event."""
        (line,) = [line for line in self.context.splitlines() if line.startswith("-") and about in line]
        return line

    def is_due(self, about: str) -> bool:
        """Whether she is told that it is time to ask about an event."""
        return any(about in line for line in self.context.partition(DUE)[2].splitlines())


class Story:
    """One person and one clock over an open memory."""

    def __init__(self, service: MemoryService, clock: SettableClock, zone: ZoneInfo) -> None:
        self._service = service
        self._clock = clock
        self._zone = zone
        self._said = 0

    async def say(self, at: datetime, text: str) -> Glance:
        """Say something: what is remembered for the reply to it, before it is observed."""
        message = self._message(at, text)
        glance = await self._recall(message)
        await self._service.inbox.admit(message)
        await self._service.observer.observe_person(message.user_id, message.persona_id)
        return glance

    async def look(self, at: datetime, question: str = QUESTION) -> Glance:
        """Ask at a moment, after what was due by then has happened; nothing is observed."""
        message = self._message(at, question)
        await sweep(self._service.lifecycle, self._service.outbox)
        return await self._recall(message)

    def _message(self, at: datetime, text: str) -> Message:
        self._clock.set(at)
        self._said += 1
        return Message(
            id=f"story:{self._said}",
            user_id="u1",
            persona_id="lily",
            text=text,
            said_at=self._clock.now(),
            zone=self._zone.key,
        )

    async def _recall(self, message: Message) -> Glance:
        query = await self._service.embedder.embed_query(message.text)
        recollection = await self._service.recall.recall(message, query)
        return Glance(recollection, render_context(recollection, POLICY))


@pytest.fixture(scope="module")
def models() -> Models:
    return rules_only()


@asynccontextmanager
async def opened(folder: Path, models: Models, zone: ZoneInfo = TAIPEI) -> AsyncIterator[Story]:
    clock = SettableClock(SATURDAY)
    async with open_memory(StoreLocation(folder), models, clock, POLICY) as service:
        yield Story(service, clock, zone)


@pytest.fixture
async def story(tmp_path: Path, models: Models) -> AsyncIterator[Story]:
    async with opened(tmp_path, models) as one:
        yield one


def moments(start: datetime, *edges: datetime, days: int = 20) -> Iterator[datetime]:
    """Yield every sixth hour for some days, each midnight with the minutes around it, and the edges."""
    zone = start.tzinfo
    found = {start + timedelta(hours=hours) for hours in range(6, days * 24 + 1, 6)}
    for number in range(1, days + 1):
        midnight = datetime.combine((start + number * DAY).date(), time(), zone)
        found |= {midnight - timedelta(minutes=1), midnight, midnight + timedelta(minutes=1)}
    for edge in edges:
        found |= {edge - timedelta(minutes=1), edge, edge + timedelta(minutes=1)}
    yield from sorted(moment for moment in found if start < moment <= start + days * DAY)


def stands(now: datetime, start: datetime, end: datetime) -> Phase:
    """The rule: before its start an event is to come, at and after its end it is over."""
    if now < start:
        return Phase.UPCOMING
    return Phase.ONGOING if now < end else Phase.PAST


def far(now: datetime, day: datetime) -> str:
    """The rule: days are counted on the calendar, not in hours."""
    days = (day.date() - now.astimezone(day.tzinfo).date()).days
    named = {0: "今天", 1: "明天", -1: "昨天"}
    return named.get(days) or (f"還有 {days} 天" if days > 0 else f"已過 {-days} 天")


def dated(day: datetime) -> str:
    return f"{day:%Y-%m-%d} 星期{WEEKDAYS[day.weekday()]}"


def assert_only(line: str, word: str) -> None:
    """Exactly one phase is told, the right one."""
    assert [phase for phase in EVERY_PHASE if phase in line] == [word], line


async def assert_life(
    story: Story,
    times: Iterator[datetime],
    start: datetime,
    end: datetime,
    due: datetime,
    about: str = "期末考",
    question: str = QUESTION,
) -> None:
    """Hold an event nobody tells the outcome of to its whole life, from said to gone.

    Before its start it is to come, then it is on, then over with its outcome unknown; its day is told in
    full and by its distance; it is due to be asked about for a week from ``due`` on; fourteen days after
    its end it is gone.
    """
    gone = end + 14 * DAY
    for now in times:
        glance = await story.look(now, question)
        shown = glance.shown(about)
        assert f"【現在】{dated(now)} {now:%H:%M}" in glance.context, "the present moment stands first"
        if now >= gone:
            assert shown is None, f"{now}: gone fourteen days after its end"
            assert about not in glance.context
            continue
        assert shown is not None, f"{now}: remembered until fourteen days after its end"
        phase = stands(now, start, end)
        assert shown.phase is phase, f"{now}: the phase follows the clock"
        assert_only(glance.line(about), WORDS[phase])
        assert dated(start) in glance.line(about), f"{now}: the day in full"
        if start.date() == (end - timedelta(minutes=1)).date():
            assert f"，{far(now, start)}" in glance.line(about), f"{now}: the distance in days"
        asked = due <= now < due + WEEK
        assert glance.is_due(about) is asked, f"{now}: asked about once it is over, not before, nor for ever"


async def test_an_exam_is_to_come_then_on_then_over_then_gone(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考，最近壓力很大")
    evening = TUESDAY + timedelta(hours=18)
    times = moments(SATURDAY, TUESDAY, evening, TUESDAY + DAY, TUESDAY + 15 * DAY)
    await assert_life(story, times, TUESDAY, TUESDAY + DAY, evening)


async def test_an_exam_lives_by_the_calendar_of_the_one_who_sits_it(tmp_path: Path, models: Models) -> None:
    zone = ZoneInfo("America/Los_Angeles")
    said, day = SATURDAY.replace(tzinfo=zone), TUESDAY.replace(tzinfo=zone)
    async with opened(tmp_path, models, zone) as story:
        await story.say(said, "我下週二有期末考")
        evening = day + timedelta(hours=18)
        times = moments(said, day, evening, day + DAY, day + 15 * DAY)
        await assert_life(story, times, day, day + DAY, evening)


async def test_the_message_that_says_it_is_over_is_answered_by_an_exam_that_is_over(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考，最近壓力很大")
    glance = await story.say(TUESDAY + timedelta(hours=17), "今天考試終於考完了，好輕鬆喔！")
    shown = glance.shown("期末考")
    assert shown is not None
    assert (shown.phase, shown.told_now) == (Phase.PAST, Change.DONE), "believed in this very reply"
    assert_only(glance.line("期末考"), OVER_NOW)
    assert not glance.is_due("期末考"), "what is being told is not asked about"


async def test_an_exam_told_to_be_over_is_over_though_its_day_is_not(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考")
    told = TUESDAY + timedelta(hours=17)
    await story.say(told, "今天考試終於考完了")
    for now in moments(told, told + timedelta(minutes=5), TUESDAY + DAY, told + 14 * DAY, days=17):
        glance = await story.look(now)
        shown = glance.shown("期末考")
        if now >= told + 14 * DAY:
            assert shown is None, f"{now}: gone fourteen days after it ended, which is when that was said"
            continue
        assert shown is not None
        assert shown.phase is Phase.PAST, f"{now}: never to come or on again"
        assert "已經過了" in glance.line("期末考")
        assert dated(TUESDAY) in glance.line("期末考")
        assert far(now, TUESDAY) in glance.line("期末考")


async def test_an_outcome_once_told_stands_beside_the_exam_and_is_not_asked_for(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考")
    told = TUESDAY + timedelta(hours=19)
    await story.say(told, "期末考考了 95 分")
    for now in moments(told, days=12):
        glance = await story.look(now)
        shown = glance.shown("期末考")
        assert shown is not None
        assert shown.phase is Phase.PAST
        assert "已經過了，結果：" in glance.line("期末考"), f"{now}: how it went"
        assert "95" in glance.line("期末考")
        assert not glance.is_due("期末考"), f"{now}: the answer is known"


async def test_a_moved_exam_lives_by_its_new_day_alone(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考")
    told = SATURDAY + timedelta(hours=23)
    glance = await story.say(told, "期末考延到下週五了")
    shown = glance.shown("期末考")
    assert shown is not None
    assert (shown.told_now, shown.phase) == (Change.MOVED, Phase.UPCOMING), "moved in this very reply"
    assert dated(FRIDAY) in glance.line("期末考")
    assert dated(TUESDAY) not in glance.context
    evening = FRIDAY + timedelta(hours=18)
    edges = (TUESDAY, TUESDAY + DAY, FRIDAY, evening, FRIDAY + DAY, FRIDAY + 15 * DAY)
    await assert_life(story, moments(told, *edges), FRIDAY, FRIDAY + DAY, evening)


async def test_the_old_day_of_a_moved_exam_is_never_told_again(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考")
    await story.say(SATURDAY + timedelta(hours=23), "期末考延到下週五了")
    for now in moments(SATURDAY + DAY, TUESDAY, TUESDAY + DAY, FRIDAY, days=18):
        context = (await story.look(now, "我下週二有什麼事？")).context
        assert f"時間：{dated(TUESDAY)}" not in context, f"{now}: the old day is history"


async def test_a_cancelled_exam_is_called_off_whatever_the_clock_says(story: Story) -> None:
    await story.say(SATURDAY, "我下週二有期末考")
    told = SATURDAY + timedelta(hours=40)
    glance = await story.say(told, "期末考取消了")
    shown = glance.shown("期末考")
    assert shown is not None
    assert (shown.told_now, shown.phase) == (Change.CANCELLED, None), "called off in this very reply"
    for now in moments(told, TUESDAY, TUESDAY + DAY, TUESDAY + timedelta(hours=18)):
        glance = await story.look(now)
        shown = glance.shown("期末考")
        assert not glance.is_due("期末考"), f"{now}: nobody asks how it went"
        if now >= told + 14 * DAY:
            assert shown is None, f"{now}: gone fourteen days after it was said"
            continue
        assert shown is not None
        assert shown.phase is None, f"{now}: neither to come nor over"
        assert_only(glance.line("期末考"), CALLED_OFF)


async def test_an_exam_over_before_its_day_is_believed(story: Story) -> None:
    await story.say(SATURDAY, "我下週五有期末考")
    told = datetime(2026, 9, 16, 18, tzinfo=TAIPEI)
    before = [await story.look(now) for now in moments(SATURDAY, days=3)]
    assert {one.shown("期末考").phase for one in before} == {Phase.UPCOMING}  # type: ignore[union-attr]
    await story.say(told, "期末考提前考完了")
    for now in moments(told, FRIDAY, FRIDAY + DAY, told + 14 * DAY, days=18):
        glance = await story.look(now)
        shown = glance.shown("期末考")
        if now >= told + 14 * DAY:
            assert shown is None, f"{now}: gone fourteen days after it ended"
            continue
        assert shown is not None
        assert shown.phase is Phase.PAST, f"{now}: not to come, though its planned day may be"
        assert f"時間：{dated(FRIDAY)}" not in glance.context, f"{now}: the planned day counts no more"


async def test_a_plan_without_a_day_is_neither_to_come_nor_over(story: Story) -> None:
    await story.say(SATURDAY, "改天我要去看牙醫")
    times = moments(SATURDAY, SATURDAY + 3 * DAY, SATURDAY + 14 * DAY)
    for now in times:
        glance = await story.look(now, "我是不是說要去看牙醫？")
        shown = glance.shown("牙醫")
        if now >= SATURDAY + 14 * DAY:
            assert shown is None, f"{now}: gone fourteen days after it was said"
            continue
        assert shown is not None
        assert shown.phase is None
        assert_only(glance.line("牙醫"), UNDATED)
        asked = SATURDAY + 3 * DAY <= now < SATURDAY + 3 * DAY + WEEK
        assert glance.is_due("牙醫") is asked, f"{now}: asked about after three days, for a week"


async def test_what_comes_every_week_is_never_over_nor_forgotten(story: Story) -> None:
    await story.say(SATURDAY, "我每週三晚上有瑜珈課")
    wednesday = datetime(2026, 9, 16, tzinfo=TAIPEI)
    for now in moments(SATURDAY, wednesday, wednesday + DAY, days=20):
        glance = await story.look(now, "我還有在上瑜珈課嗎？")
        line = glance.line("瑜珈")
        assert "每週三" in line, f"{now}: the day it comes on is told"
        assert "已經過了" not in line, f"{now}: one Wednesday gone by ends nothing"
        assert not glance.is_due("瑜珈"), f"{now}: a habit has no outcome"


async def test_an_exam_at_a_clock_time_is_on_for_two_hours(story: Story) -> None:
    await story.say(SATURDAY, "我 9 月 15 號下午兩點有期末考")
    start, end = TUESDAY + timedelta(hours=14), TUESDAY + timedelta(hours=16)
    unit = start + timedelta(hours=1)
    times = [now for now in moments(SATURDAY, start, end) if now < unit + 14 * DAY]
    await assert_life(story, iter(times), start, end, due=end)
    glance = await story.look(TUESDAY + timedelta(hours=13))
    assert f"{dated(TUESDAY)} 14:00" in glance.line("期末考")


async def test_a_meeting_over_midnight_belongs_to_the_day_it_falls_on(story: Story) -> None:
    said = datetime(2026, 9, 12, 23, 50, tzinfo=TAIPEI)
    start = datetime(2026, 9, 13, 1, tzinfo=TAIPEI)
    end = start + timedelta(hours=2)
    await story.say(said, "我凌晨一點要跟美國開會")
    question = "我跟美國的會是幾點開？"
    times = [now for now in moments(said, start, end) if now < start + 14 * DAY]
    await assert_life(story, iter(times), start, end, end, about="開會", question=question)


async def test_a_trip_of_several_days_is_on_through_all_of_them(story: Story) -> None:
    await story.say(datetime(2026, 9, 10, 20, tzinfo=TAIPEI), "我 9/14 到 9/18 要去日本出差")
    start, end = datetime(2026, 9, 14, tzinfo=TAIPEI), datetime(2026, 9, 19, tzinfo=TAIPEI)
    due = datetime(2026, 9, 18, 18, tzinfo=TAIPEI)
    question = "我什麼時候去日本出差？"
    times = moments(datetime(2026, 9, 11, 20, tzinfo=TAIPEI), start, end, due, end + 14 * DAY, days=24)
    await assert_life(story, times, start, end, due, about="日本", question=question)


async def test_two_exams_on_two_days_live_each_by_its_own(story: Story) -> None:
    await story.say(SATURDAY, "我 9 月 15 號有微積分考試")
    await story.say(SATURDAY + timedelta(minutes=1), "我 9 月 18 號有經濟學考試")
    for now in moments(SATURDAY + timedelta(hours=1), TUESDAY, TUESDAY + DAY, FRIDAY, FRIDAY + DAY, days=12):
        glance = await story.look(now, "我的考試是什麼時候？")
        for about, day in (("微積分", TUESDAY), ("經濟", FRIDAY)):
            shown = glance.shown(about)
            assert shown is not None, f"{now}: both are remembered"
            assert shown.phase is stands(now, day, day + DAY)
            assert_only(glance.line(about), WORDS[stands(now, day, day + DAY)])
            assert dated(day) in glance.line(about)
