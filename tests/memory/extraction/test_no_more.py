from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.extraction.rules import extract_by_rules
from memory.extraction.types import ExtractionRequest, Fact
from memory.model import Category

SAID = datetime(2026, 6, 10, 12, tzinfo=UTC)


def facts_of(text: str, her_turn: str | None = None, language: str = "zh-TW") -> tuple[Fact, ...]:
    request = ExtractionRequest(
        text=text, said_at=SAID, zone="Asia/Taipei", language=language, her_last_turn=her_turn
    )
    return extract_by_rules(request).facts


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("兔子早就沒養了啦", "使用者沒養兔子了"),
        ("菸我上個月戒了", "使用者戒菸了"),
        ("超商那邊我沒做了", "使用者沒在超商做了"),
        ("野狼上禮拜賣掉了", "使用者把野狼賣掉了"),
        ("把鋼琴送給表妹了", "使用者把鋼琴送給表妹了"),
        ("街舞我很久沒跳了", "使用者很久沒跳街舞了"),
        ("LOL 我退坑了", "使用者LOL退坑了"),
        ("AirPods 弄丟了啦😭", "使用者把AirPods弄丟了"),
        ("不用坐輪椅了", "使用者不用坐輪椅了"),
        ("sold the Civic last weekend", "The user sold the Civic"),
        ("not playing bass anymore", "The user is not playing bass anymore"),
    ],
)
def test_what_is_no_more_is_told_with_what_it_was(said: str, text: str) -> None:
    assert [fact.text for fact in facts_of(said)] == [text]


@pytest.mark.parametrize(
    "said",
    [
        "鑰匙差點弄丟", "一直想賣野狼但捨不得", "隔壁寢室有人退宿了", "今天沒去上課了",
        "我室友把她的貓送人了",
        "飯吃完了", "學妹離職了", "教練要離職了", "今天差點被辭職信打敗", "如果戒菸了你會誇我嗎",
        "my mate sold his van", "thinking about moving out honestly",
    ],
)  # fmt: skip
def test_what_nearly_ended_or_ended_for_somebody_else_is_no_end_of_the_persons(said: str) -> None:
    assert facts_of(said) == ()


def test_what_only_says_that_something_is_gone_is_marked_to_be_kept_for_what_it_ends() -> None:
    assert [fact.ends_known for fact in facts_of("鑰匙弄丟了")] == [True]
    assert [fact.ends_known for fact in facts_of("我爸終於把菸戒了")] == [False]


def test_an_end_lies_on_the_shelf_of_what_it_ends() -> None:
    (pet,) = facts_of("鸚鵡沒養了")
    (taste,) = facts_of("告五人我已經脫粉了")
    assert (pet.category, taste.category) == (Category.IDENTITY, Category.PREFERENCE)


def test_what_takes_the_place_of_a_thing_stands_for_its_end_too() -> None:
    assert [fact.text for fact in facts_of("我把車賣了，換電動機車")] == ["使用者換電動機車"]


@pytest.mark.parametrize(
    ("asked", "said", "text"),
    [
        ("日文還有在學嗎？", "早就放棄了哈哈", "使用者日文沒在學了"),
        ("妳還在養鸚鵡嗎？", "沒有了 送人了", "使用者沒在養鸚鵡了"),
        ("Do you still play bass?", "nope, quit", "The user does not play bass anymore"),
        ("まだピアノを習ってるの？", "もうやめた", "ユーザーはもうピアノを習っていない"),
    ],
)
def test_a_denial_is_read_by_what_she_asked_to_be_still_so(asked: str, said: str, text: str) -> None:
    (fact,) = facts_of(said, asked)
    assert (fact.text, fact.quote, fact.ends_known) == (text, said, True)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("日文還有在學嗎？", "有啊 從沒斷過"),
        ("還在補習班教書？", "對啊 還在那邊"),
        ("今天也是騎腳踏車去的？", "沒有 今天下雨搭公車"),
        ("妳還想吃嗎？", "不要"),
        ("日文還有在學嗎？", "還沒放棄啦"),
    ],
)
def test_what_goes_on_or_was_not_asked_to_be_still_so_ends_nothing(asked: str, said: str) -> None:
    assert not any(fact.ends_known for fact in facts_of(said, asked))


@pytest.mark.parametrize(
    ("said", "language", "text"),
    [
        ("搬走了 現在在台中", "zh-TW", "使用者現在住在台中"),
        ("moved out, I'm in Bristol these days", "en", "The user lives in Bristol"),
        ("引っ越した！今は福岡", "ja", "ユーザーは福岡に住んでいる"),
    ],
)
def test_where_one_is_after_moving_out_is_the_home(said: str, language: str, text: str) -> None:
    (fact,) = facts_of(said, language=language)
    assert (fact.text, fact.attribute) == (text, "home")


def test_a_dormitory_that_was_left_is_told_with_the_new_home() -> None:
    (fact,) = facts_of("搬出宿舍了，現在住東區")
    assert (fact.text, fact.attribute) == ("使用者搬出宿舍，現在住在東區", "home")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("換工作了，現在在星巴克", "使用者換工作，現在在星巴克工作"),
        ("我離職了，現在在台積電", "使用者換工作，現在在台積電工作"),
        ("剛跳槽 現在在Google", "使用者換工作，現在在Google工作"),
    ],
)
def test_where_one_is_after_leaving_a_job_is_the_next_one(said: str, text: str) -> None:
    (fact,) = facts_of(said)
    assert (fact.text, fact.attribute) == (text, "employer")


@pytest.mark.parametrize(
    "said",
    ["離職了，現在在家休息", "離職了，現在在找工作", "室友換工作了，現在在台中", "想換工作，現在在星巴克"],
)
def test_where_one_is_otherwise_is_no_job(said: str) -> None:
    assert all(fact.attribute != "employer" for fact in facts_of(said))


@pytest.mark.parametrize("said", ["現在在台中", "室友搬走了 現在在上班", "想搬走 現在在看房子"])
def test_where_one_is_without_having_moved_is_no_home(said: str) -> None:
    assert all(fact.attribute != "home" for fact in facts_of(said))


def test_a_name_given_after_an_animal_was_renamed_is_the_animals() -> None:
    (fact,) = facts_of("貓改名了 叫肉鬆")
    assert (fact.text, fact.subject, fact.category) == ("使用者的貓叫肉鬆", "貓", Category.IDENTITY)


def test_a_picture_at_the_end_hides_no_word() -> None:
    assert [fact.text for fact in facts_of("我畢業啦🎓")] == ["使用者畢業"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("香菜我現在沒那麼討厭了", "使用者現在沒那麼討厭香菜"),
        ("麻辣鍋現在覺得還好", "使用者現在覺得麻辣鍋還好"),
        ("我現在咖啡也能喝了", "使用者現在能喝咖啡"),
        ("我現在改喜歡秋天了", "使用者改喜歡秋天"),
        ("mushrooms aren't that bad anymore tbh", "The user thinks mushrooms are not that bad anymore"),
        ("kinda over Taylor Swift now", "The user is over Taylor Swift now"),
    ],
)
def test_a_taste_that_has_turned_by_degrees_is_told(said: str, text: str) -> None:
    assert [(fact.text, fact.category) for fact in facts_of(said)] == [(text, Category.PREFERENCE)]
