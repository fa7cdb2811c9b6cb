"""What people say of their events, from the words to what stands afterwards; the clock is a fake."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest
from memory.model import ArchivedReason, Flag, Kind
from memory.store.schema import follow_ups

TAIPEI = ZoneInfo("Asia/Taipei")
MONDAY = datetime(2026, 9, 14, 20, tzinfo=TAIPEI)


async def tell(world, *lines):
    """Say each line, (day, hour) or two minutes after the last; return the live events, the oldest first."""
    world.clock.set(MONDAY.astimezone(UTC))
    for line in lines:
        text, at = line if isinstance(line, tuple) else (line, None)
        if at is not None:
            day, hour = at
            world.clock.set(MONDAY.replace(day=day, hour=hour).astimezone(UTC))
        request = ExtractionRequest(
            text=text, said_at=world.clock.now(), zone="Asia/Taipei", language="zh-TW"
        )
        await world.say(text, *extract_by_rules(request).facts)
        world.later(minutes=2)
    return [m for m in await world.all() if not m.archived and m.kind is Kind.EVENT]


def day_of(memory):
    return memory.valid_from.astimezone(TAIPEI).day


async def states(world):
    async with world.service.database.read() as connection:
        rows = await connection.execute(select(follow_ups.c.memory_id, follow_ups.c.state))
        return {row.memory_id: row.state for row in rows}


@pytest.mark.parametrize(
    ("told", "right", "day"),
    [
        ("我禮拜五有面試", "不對，面試是星期四", 17),
        ("我週三要看牙醫", "我記錯了，看牙醫其實是禮拜四", 17),
        ("我星期五有面試", "面試不是星期五，是星期四", 17),
        ("我星期五要去面試", "欸我剛看信發現面試是星期四不是星期五", 17),
        ("我23號要看牙", "我把看牙記成23號了，是24號才對", 24),
        ("我禮拜天有聚餐", "我以為聚餐是禮拜天，結果是禮拜六", 19),
        ("我25號要去看演唱會", "剛剛說錯，演唱會是26號", 26),
        ("我星期五要面試", "面試時間我看錯了，是星期四早上十點", 17),
        ("明天要開會", "更正：開會是後天", 16),
        ("我星期六要跟小美吃飯", "啊我搞錯了，跟小美吃飯是星期天", 20),
        ("I have an interview on Friday", "actually the interview is Thursday", 17),
        ("my exam is on Thursday", "I got the day wrong, the exam is on Wednesday", 16),
        ("金曜日に面接があります", "違った、面接は木曜日", 17),
        ("土曜日にデートの予定", "間違えた、デートは日曜日です", 20),
    ],
)
async def test_a_correction_that_names_its_event_moves_it(world, told, right, day):
    (event,) = await tell(world, told, right)
    assert day_of(event) == day
    (old,) = [m for m in await world.all() if m.archived]
    assert (old.archived_reason, event.supersedes_id) == (ArchivedReason.CONTRADICTED, old.id)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("我禮拜五有面試", "我朋友的面試其實是星期四"),
        ("我禮拜五有面試", "面試是星期四嗎？"),
        ("我禮拜五有面試", "星期四還有另一個面試"),
        ("我禮拜五有面試", "不對，二面是下禮拜五"),
        ("我禮拜五有面試", "要是面試是星期四就好了"),
        ("我禮拜五有面試", "其實我有點緊張，面試是我第一次"),
        ("我禮拜五有面試", "不對，我媽生日是星期四"),
        ("I have an interview on Friday", "actually my sister's interview is on Thursday"),
    ],
)
async def test_what_is_no_correction_of_an_event_leaves_its_day(world, told, said):
    first = (await tell(world, told))[0]
    events = await tell(world, said)
    assert [day_of(m) for m in events if m.id == first.id] == [18]


@pytest.mark.parametrize("said", ["面試是下午三點才對", "面試是下午三點"])
async def test_a_clock_time_of_a_named_event_stays_on_its_day(world, said):
    (event,) = await tell(world, "我禮拜五有面試", said)
    assert event.valid_from.astimezone(TAIPEI) == datetime(2026, 9, 18, 15, tzinfo=TAIPEI)


async def test_a_weekday_of_what_one_has_is_the_coming_one(world):
    (event,) = await tell(world, "我禮拜五有面試")
    assert (day_of(event), event.flags) == (18, ())


async def test_a_weekday_of_what_one_did_is_not_the_coming_one(world):
    events = await tell(world, "我禮拜五有去面試")
    assert all(m.valid_from is None or m.valid_from < MONDAY for m in events)


@pytest.mark.parametrize(
    ("told", "said", "day"),
    [
        ("我禮拜三要面試", "面試上了！", 16),
        ("我禮拜三要面試", "我錄取了！！", 18),
        ("我禮拜三面試", "我收到offer了", 17),
        ("我禮拜三要面試", "被刷掉了…", 17),
        ("我明天要考多益", "過了！", 15),
        ("我明天路考", "一次就過！", 15),
        ("我明天要考研究所", "落榜了", 20),
        ("我禮拜三考會計", "會計被當了嗚嗚", 23),
        ("我後天要跟老闆簡報", "整個搞砸", 16),
        ("我明天要期中考", "期中考整個炸裂", 15),
        ("我週三要比賽", "我們贏了！", 16),
        ("我明天要抽演唱會的票", "抽中了！", 15),
        ("I have an interview tomorrow", "I got the job!", 16),
        ("I have a presentation tomorrow", "totally bombed it", 15),
        ("I have a chemistry exam tomorrow", "the exam went horribly", 15),
        ("明日面接がある", "受かった！", 16),
        ("明日は検定の試験がある", "検定、合格した！", 20),
    ],
)
async def test_how_it_went_settles_the_event_and_nothing_is_asked(world, told, said, day):
    (event,) = await tell(world, told, (said, (day, 20)))
    assert event.outcome
    assert (await states(world))[event.id] == "answered"


@pytest.mark.parametrize(
    ("told", "said", "day"),
    [
        ("我禮拜三要面試", "我朋友面試上了", 16),
        ("我禮拜三要面試", "希望面試會上", 14),
        ("我禮拜五要考多益", "過了今天就好了", 15),
        ("我禮拜三要面試，禮拜四要考多益", "過了！", 18),
        ("我禮拜五要面試", "我的手機螢幕爆了", 15),
        ("我禮拜五要面試", "公車過了一站才發現", 16),
        ("我下禮拜要考試", "我弟落榜了", 20),
        ("我明天有比賽", "湖人贏了", 15),
        ("明天面試", "如果上了就請你吃飯", 15),
        ("我明天要面試", "今天超順利的，捷運都沒等", 15),
        ("我下週要面試", "我上次面試沒上", 14),
        ("我禮拜五要面試", "我上次面試沒上", 14),
        ("我昨天面試", "不知道上了沒", 15),
        ("我明天要考試", "考完了，但不知道過了沒", 15),
    ],
)
async def test_what_tells_of_something_else_settles_nothing(world, told, said, day):
    assert [m.outcome for m in await tell(world, told, (said, (day, 20))) if m.subject == "user"][:1] == [
        None
    ]


@pytest.mark.parametrize(
    ("told", "said", "at"),
    [
        ("我週六要去看電影", "看完了", (19, 22)),
        ("我今天要剪頭髮", "剪完了", (14, 22)),
        ("我週六要去爬山", "爬完了腿好痠", (19, 20)),
        ("我這週六要看展", "看完展了", (19, 18)),
        ("我禮拜三要交報告", "終於交出去了", (16, 20)),
        ("土曜日に映画を見る予定", "見終わった", (19, 22)),
    ],
)
async def test_a_verb_that_is_done_ends_the_event_of_that_day(world, told, said, at):
    (event,) = await tell(world, told, (said, at))
    assert event.valid_to == MONDAY.replace(day=at[0], hour=at[1])


async def test_how_it_was_may_follow_the_verb_that_is_done(world):
    (event,) = await tell(world, "我週六要去看電影", ("看完了，超好看", (19, 22)))
    assert event.outcome == "超好看"


@pytest.mark.parametrize(
    ("said", "at"), [("那本小說看完了", (19, 22)), ("看完了", (16, 20)), ("早餐吃完了", (19, 10))]
)
async def test_something_else_that_is_done_does_not_end_it(world, said, at):
    (event,) = await tell(world, "我週六要去看電影", (said, at))
    assert event.valid_to == MONDAY.replace(day=20, hour=0)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("我禮拜五有面試", "面試吹了"),
        ("我禮拜五有面試", "公司說不面了"),
        ("我禮拜五有面試", "對方說職缺關了，面試取消"),
        ("我禮拜五要考試", "不用去考了"),
        ("我禮拜五要聚餐", "聚餐沒了"),
        ("我週六要跟阿明看電影", "阿明臨時不能來，電影不看了"),
        ("我下週要去日本", "日本去不成了"),
        ("我明天下午要開會", "主管說明天的會不用開了"),
        ("我明天有家教課", "學生請假，明天的課不用上了"),
        ("我禮拜三要拔牙", "醫生說不用拔了"),
        ("我週六要去演唱會", "演唱會因為颱風停辦了"),
        ("我明天要面試", "我把面試推掉了"),
        ("我週六要去打球", "下雨不打了"),
        ("我明天有約會", "她臨時說不能來，約會沒了"),
        ("我今晚有約會", "他放我鴿子"),
        ("I have a meeting tomorrow", "the meeting got scrapped"),
        ("I'm having dinner with Amy on Friday", "Amy cancelled dinner"),
        ("金曜日に飲み会がある", "飲み会は中止になった"),
    ],
)
async def test_whatever_it_is_called_what_is_off_is_called_off(world, told, said):
    (event,) = await tell(world, told, said)
    assert Flag.CANCELLED in event.flags
    assert (await states(world)).get(event.id) != "pending"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("我禮拜五有面試", "我朋友的面試吹了"),
        ("我禮拜五要考試", "不想考了啦"),
        ("我禮拜五要考試", "怕考試被取消"),
        ("我禮拜五有面試", "真希望面試取消"),
        ("我禮拜五有面試", "面試應該不會取消吧"),
        ("我禮拜五有面試", "風吹了一整天頭好痛"),
        ("我明天要開會", "晚上不用煮飯了"),
        ("我週六要跟小美看電影", "那部劇我不看了"),
        ("我週六要約會", "上禮拜被放鴿子超氣"),
        ("我週六要約會", "我朋友被放鴿子了"),
        ("我禮拜五有考試", "聽說隔壁班不用考了"),
        ("I have an interview on Friday", "my friend's interview got called off"),
    ],
)
async def test_what_is_not_off_stands(world, told, said):
    first = (await tell(world, told))[0]
    assert [m.flags for m in await tell(world, said) if m.id == first.id] == [()]


@pytest.mark.parametrize(
    "again", ["我禮拜五又有面試了", "公司又說禮拜五照常面試", "面試又恢復了", "我禮拜五有面試"]
)
async def test_a_plan_told_again_takes_the_place_of_the_one_called_off(world, again):
    (event,) = await tell(world, "我禮拜五有面試", "面試取消了", again)
    assert (event.flags, day_of(event)) == ((), 18)
    assert list((await states(world)).values()).count("pending") == 1


async def test_a_cancellation_of_what_was_never_told_is_asked_about_by_nobody(world):
    await tell(world, "我朋友的面試吹了")
    assert "pending" not in (await states(world)).values()


@pytest.mark.parametrize("said", ["過年才會回去", "連假才會出門", "中秋節才會烤肉啦", "暑假才有空"])
async def test_what_happens_only_on_such_days_is_no_plan(world, said):
    assert await tell(world, said) == []


async def test_an_exam_of_somebody_near_is_theirs_in_its_year(world):
    (event,) = await tell(world, "我妹今年考大學")
    assert (event.subject, event.precision) == ("妹妹", "year")


@pytest.mark.parametrize(
    "change",
    [
        "其實改到下禮拜五", "結果延到下禮拜五", "時間改到下週五", "幸好改到下週五", "最後改到下週五",
        "傻眼，居然改到下週五", "老師說改到下週五", "主管通知改到下週五了",
        "turns out it was pushed to September 25",
    ],
)  # fmt: skip
async def test_words_that_name_no_event_hide_none(world, change):
    (event,) = await tell(world, "我禮拜三要面試", change)
    assert day_of(event) == 25


async def test_another_event_that_is_named_stays_its_own(world):
    events = await tell(world, "我禮拜三要面試", "圍棋會改到下禮拜五")
    assert 16 in map(day_of, events)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("明天晚上跟小安吃火鍋", "使用者跟小安吃火鍋"),
        ("後天跟阿明去看電影", "使用者跟阿明去看電影"),
        ("明天和爸媽吃飯", "使用者和爸媽吃飯"),
        ("下週跟面試官吃飯", "使用者跟面試官吃飯"),
    ],
)
async def test_whom_a_plan_is_with_stays_in_it(world, said, text):
    (event,) = await tell(world, said)
    assert event.text == text
