"""What a message says about time and about a remembered event."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.extraction.types import Change
from memory.grounding import Tense
from memory.meant import concerns, which_event
from memory.model import Category, Kind, Memory
from memory.reading import read_fact, read_message
from memory.recollection import Reading
from tests.memory.extraction.scoring import ask

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 9, 12, 21, 30, tzinfo=TAIPEI).astimezone(UTC)  # a Saturday


def read(text: str) -> Reading:
    return read_message(text, NOW, "Asia/Taipei")


def day(month: int, date: int) -> datetime:
    return datetime(2026, month, date, tzinfo=TAIPEI).astimezone(UTC)


def event(
    id_: str, text: str, start: datetime | None = None, subject: str = "user", outcome: str | None = None
) -> Memory:
    return Memory(
        id=id_,
        user_id="u",
        persona_id="p",
        places=("dm",),
        text=text,
        subject=subject,
        category=Category.SCHEDULE,
        kind=Kind.EVENT,
        valid_from=start,
        valid_to=start + timedelta(days=1) if start else None,
        outcome=outcome,
    )


def meant(text: str, *memories: Memory, now: datetime = NOW) -> str | None:
    found = which_event(read_message(text, now, "Asia/Taipei"), memories, now)
    return found.id if found else None


@pytest.mark.parametrize(
    ("text", "change", "tense"),
    [
        ("今天考試終於考完了", Change.DONE, Tense.PAST),
        ("出差回來了", Change.DONE, Tense.PAST),
        ("考試延到下週五", Change.MOVED, Tense.FUTURE),
        ("演唱會取消了", Change.CANCELLED, Tense.PAST),
        ("我下週二要考試", Change.NEW, Tense.FUTURE),
        ("明天就考完了", Change.NEW, Tense.PAST),
        ("還沒考完", Change.NEW, Tense.FUTURE),
        ("考試取消了嗎？", Change.NEW, Tense.PAST),
        ("他說考試取消了", Change.NEW, Tense.PAST),
        ("早安", Change.NEW, Tense.NONE),
        ("The interview was cancelled", Change.CANCELLED, Tense.PAST),
        ("試験が終わった", Change.DONE, Tense.PAST),
    ],
)
def test_the_change_and_the_tense_are_read(text: str, change: Change, tense: Tense) -> None:
    reading = read(text)
    assert reading.change is change
    if change is not Change.NEW:
        assert reading.tense is tense


def test_the_topics_hold_what_was_said_and_what_stands_for_it() -> None:
    topics = read("今天考試終於考完了").topics
    assert topics[0] == "考试"
    assert {"考", "测验", "大考"} <= set(topics)


def test_a_question_about_a_time_keeps_its_times() -> None:
    reading = read("我下週三有什麼事？")
    assert reading.change is Change.NEW
    assert [time.phrase for time in reading.times] == ["下週三"]


@pytest.mark.parametrize(
    "text", ["我最近在忙什麼？", "我現在住哪？", "目前呢", "what am I up to these days?", "最近どう？"]
)
def test_a_question_about_now_is_known(text: str) -> None:
    assert read(text).about_now


def test_a_question_about_another_time_is_not_about_now() -> None:
    assert not read("我明天有什麼事？").about_now


def test_a_move_tells_the_old_date_from_the_new_one() -> None:
    reading = read("下週二的考試延到下週五")
    assert [time.phrase for time in reading.event_times] == ["下週二"]
    assert [time.phrase for time in reading.times] == ["下週二", "下週五"]


EXAM = event("exam", "使用者有期末考", day(9, 15))
DENTIST = event("dentist", "使用者要看牙醫", day(9, 15))


def test_the_exam_that_is_over_is_the_exam_remembered() -> None:
    assert meant("今天考試終於考完了", DENTIST, EXAM) == "exam"


@pytest.mark.parametrize(
    "text", ["期末考考完了", "考完了！", "终于考完了", "考試結束了", "My exam is finally over"]
)
def test_the_same_exam_is_meant_in_other_words(text: str) -> None:
    assert meant(text, DENTIST, EXAM) == "exam"


@pytest.mark.parametrize(
    "text",
    [
        "多益考完了",
        "期中考取消了",
        "面試結束了",
        "電影看完了",
        "我媽的考試考完了",
        "考完了嗎？",
        "如果考試取消就好了",
    ],
)
def test_another_event_or_no_change_means_nothing_remembered(text: str) -> None:
    assert meant(text, EXAM) is None


def test_of_two_alike_the_date_said_decides() -> None:
    first, second = event("a", "使用者要看牙醫", day(9, 15)), event("b", "使用者要看牙醫", day(9, 22))
    assert meant("9/22 的牙醫取消了", first, second) == "b"
    assert meant("9/15的牙醫改到9/17", first, second) == "a"


def test_without_a_date_the_nearest_is_done() -> None:
    last, coming = event("a", "使用者要看牙醫", day(9, 11)), event("b", "使用者要看牙醫", day(9, 18))
    assert meant("看完牙醫了", coming, last) == "a"


@pytest.mark.parametrize("text", ["牙醫取消了", "牙醫改期了"])
def test_without_a_date_the_next_upcoming_is_moved_or_called_off(text: str) -> None:
    past = event("past", "使用者要看牙醫", day(9, 5))
    soon, later = event("soon", "使用者要看牙醫", day(9, 15)), event("later", "使用者要看牙醫", day(9, 30))
    assert meant(text, later, past, soon) == "soon"


def test_an_exam_done_days_before_its_date_is_believed() -> None:
    assert meant("今天考試考完了", EXAM) == "exam"


def test_an_exam_months_ahead_is_not_the_one_that_is_over() -> None:
    assert meant("今天考試考完了", event("far", "使用者有考試", day(12, 20))) is None


def test_a_date_that_contradicts_means_another_event() -> None:
    reading = read("9/30 的考試取消了")
    assert not concerns(reading, EXAM)
    assert concerns(read("9/15 的考試取消了"), EXAM)


def test_an_undated_event_contradicts_no_date() -> None:
    assert concerns(read("9/30 的考試取消了"), event("undated", "使用者要考試"))


def test_whose_event_it_is_tells_events_apart() -> None:
    own, mothers = (
        event("own", "使用者要動手術", day(9, 15)),
        event("mom", "使用者的媽媽要動手術", day(9, 15), "媽媽"),
    )
    assert meant("我媽的手術結束了", own, mothers) == "mom"
    assert meant("我的手術結束了", own, mothers) == "own"


def test_the_company_tells_events_apart() -> None:
    mei, zhe = event("mei", "使用者要跟小美聚餐", day(9, 15)), event("zhe", "使用者要跟阿哲聚餐", day(9, 14))
    assert meant("跟小美的聚餐取消了", zhe, mei) == "mei"
    assert meant("跟小美的聚餐取消了", zhe) is None


def test_an_event_of_no_known_family_is_found_by_its_words() -> None:
    assert meant("我們不去日本了", event("trip", "使用者要去日本", day(10, 1))) == "trip"


def test_a_bare_change_means_the_only_event_ahead() -> None:
    assert meant("改到下週五了", EXAM) == "exam"
    assert meant("改到下週五了", EXAM, event("other", "使用者要面試", day(9, 16))) is None


def test_an_answer_to_her_question_tells_of_the_event_she_named() -> None:
    reading = read_message("爆了啦", NOW, "Asia/Taipei", her_last_turn="期末考怎麼樣？")
    assert reading.change is Change.DONE
    found = which_event(reading, [DENTIST, EXAM], NOW)
    assert found is not None
    assert found.id == "exam"
    assert which_event(read("爆了啦"), [DENTIST, EXAM], NOW) is None


def test_each_fact_of_a_message_is_read_by_its_own_words() -> None:
    interview = event("interview", "使用者要面試", day(9, 16))
    facts = ask("面試取消了，期末考延到下週五").facts
    readings = [read_fact(fact, NOW, "Asia/Taipei") for fact in facts]
    assert [reading.change for reading in readings] == [Change.CANCELLED, Change.MOVED]
    events = [which_event(reading, [EXAM, interview], NOW) for reading in readings]
    assert [one.id for one in events if one] == ["interview", "exam"]


def test_a_fact_whose_words_name_no_event_is_read_by_its_sentence() -> None:
    fact = ask("爆了啦", "期末考怎麼樣？").facts[0]
    found = which_event(read_fact(fact, NOW, "Asia/Taipei"), [DENTIST, EXAM], NOW)
    assert found is not None
    assert found.id == "exam"


def test_a_fact_that_changes_nothing_means_no_event() -> None:
    fact = ask("我下週要考試").facts[0]
    assert which_event(read_fact(fact, NOW, "Asia/Taipei"), [EXAM], NOW) is None


def test_one_whose_outcome_is_known_is_not_done_again() -> None:
    told = event("told", "使用者要看牙醫", day(9, 12), outcome="很順利")
    open_ = event("open", "使用者要看牙醫", day(9, 11))
    assert meant("看完牙醫了", told, open_) == "open"


def test_what_lasts_is_no_event() -> None:
    lasting = EXAM.model_copy(update={"kind": Kind.VERSIONED, "category": Category.OTHER})
    assert not concerns(read("考完了"), lasting)


def test_an_archived_event_is_not_meant() -> None:
    assert not concerns(read("考完了"), EXAM.model_copy(update={"archived": True}))


@settings(max_examples=100, deadline=None)
@given(st.permutations(range(4)))
def test_the_order_of_memories_changes_nothing(order: list[int]) -> None:
    memories = [
        EXAM,
        DENTIST,
        event("late", "使用者有考試", day(9, 20)),
        event("undated", "使用者要考試"),
    ]
    assert meant("考試延期了", *(memories[i] for i in order)) == "exam"
