"""The Chinese rules, family by family."""

from __future__ import annotations

import pytest

from memory.extraction.types import Change
from memory.model import USER_SUBJECT, Category, Kind
from tests.memory.extraction.scoring import ask


def texts(message: str, her: str | None = None) -> list[str]:
    return [fact.text for fact in ask(message, her).facts]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("我叫阿哲", "阿哲"),
        ("我的名字叫林書豪", "林書豪"),
        ("我是阿傑", "阿傑"),
        ("我是王小美", "王小美"),
        ("本名是許家瑜", "許家瑜"),
        ("我改名叫芷晴了", "芷晴"),
        ("我不叫志明，叫志強", "志強"),
        ("我叫 Jason", "Jason"),
    ],
)
def test_a_name_is_heard_however_it_is_given(said: str, name: str) -> None:
    fact = ask(said).facts[-1]
    assert (fact.text, fact.category, fact.attribute) == (f"使用者叫{name}", Category.NAME, "name")


@pytest.mark.parametrize(
    "said",
    [
        "我是學生",
        "我是台南人",
        "我是路痴",
        "我是認真的",
        "我是女生",
        "我是單身",
        "我叫了外送",
        "我是來玩的",
        "叫我起床",
    ],
)
def test_what_somebody_is_or_orders_is_no_name(said: str) -> None:
    assert all(fact.category is not Category.NAME for fact in ask(said).facts)


def test_what_to_be_called_is_kept_apart_from_the_name() -> None:
    facts = ask("我叫吳承恩，叫我恩恩就好").facts
    assert [fact.attribute for fact in facts] == ["name", "nickname"]


@pytest.mark.parametrize(
    ("said", "attribute", "kind"),
    [
        ("我生日是2月3號", "birthday", Kind.STATIC),
        ("我是彰化人", "hometown", Kind.STATIC),
        ("我是AB型", "blood_type", Kind.STATIC),
        ("我是巨蟹座", "zodiac", Kind.STATIC),
        ("我25歲", "age", Kind.VERSIONED),
        ("我住在三重", "home", Kind.VERSIONED),
        ("我上禮拜搬到桃園了", "home", Kind.VERSIONED),
        ("我對蜂蜜過敏", "allergy:蜂蜜", Kind.VERSIONED),
    ],
)
def test_the_core_fills_its_slot_and_what_cannot_change_is_static(
    said: str, attribute: str, kind: Kind
) -> None:
    fact = ask(said).facts[0]
    assert (fact.category, fact.attribute, fact.kind) == (Category.IDENTITY, attribute, kind)


@pytest.mark.parametrize("said", ["我以前住在台北", "他住在台北", "你住在台北", "我忍不住了", "我住院了"])
def test_where_somebody_does_not_live_is_no_home(said: str) -> None:
    assert all(fact.attribute != "home" for fact in ask(said).facts)


def test_a_planned_move_is_an_event_and_no_home_yet() -> None:
    fact = ask("我下個月要搬到台中").facts[0]
    assert (fact.category, fact.kind) == (Category.SCHEDULE, Kind.EVENT)


@pytest.mark.parametrize(
    ("said", "subject", "text"),
    [
        ("我媽媽是老師", "媽媽", "使用者的媽媽是老師"),
        ("我室友對貓過敏", "室友", "使用者的室友對貓過敏"),
        ("我家的貓叫饅頭", "貓", "使用者的貓叫饅頭"),
        ("我姐下週要結婚", "姐姐", "使用者的姐姐要結婚"),
        ("媽媽住院了，下週三要開刀", "媽媽", "使用者的媽媽要開刀"),
    ],
)
def test_a_fact_about_somebody_near_is_about_them(said: str, subject: str, text: str) -> None:
    fact = ask(said).facts[-1]
    assert (fact.subject, fact.text) == (subject, text)


def test_the_person_comes_back_with_their_own_word() -> None:
    assert [fact.subject for fact in ask("我爸是醫生，我是護理師").facts] == ["爸爸", USER_SUBJECT]


@pytest.mark.parametrize(
    "said",
    [
        "我喜歡吃壽司", "超愛看恐怖片", "我最怕蛇了", "不敢吃內臟", "受不了菸味",
        "我不太喜歡甜的", "火鍋吃膩了", "我愛上這家咖啡了", "我沒那麼討厭茄子了",
        "我最喜歡的季節是秋天",
    ],
)  # fmt: skip
def test_a_like_or_dislike_is_a_preference(said: str) -> None:
    assert [fact.category for fact in ask(said).facts] == [Category.PREFERENCE]


def test_a_second_thought_rests_on_both_clauses() -> None:
    fact = ask("今天嘗試了芹菜汁，發現其實蠻好喝的").facts[0]
    assert fact.category is Category.PREFERENCE
    assert fact.quote == "今天嘗試了芹菜汁，發現其實蠻好喝的"
    assert fact.text == "使用者嘗試了芹菜汁，發現其實蠻好喝的"


@pytest.mark.parametrize("said", ["我喜歡你", "討厭啦", "我怕你不理我", "我愛你", "我喜歡他"])
def test_feelings_about_her_are_no_preference(said: str) -> None:
    assert ask(said).facts == ()


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("我的興趣是爬山", Category.HOBBY),
        ("我會拉小提琴", Category.HOBBY),
        ("我在學泰文", Category.HOBBY),
        ("我每天五點起床跑步", Category.HABIT),
        ("我每週三晚上固定上瑜珈課", Category.HABIT),
        ("我戒酒了", Category.HABIT),
        ("以後想當獸醫", Category.OTHER),
    ],
)
def test_hobbies_habits_and_wishes_have_their_shelf(said: str, category: Category) -> None:
    assert ask(said).facts[0].category is category


def test_a_wish_stays_a_wish() -> None:
    assert texts("我好想養一隻柯基") == ["使用者好想養一隻柯基"]


@pytest.mark.parametrize(
    ("said", "text", "when"),
    [
        ("我下週二有期末考", "使用者有期末考", "下週二"),
        ("下週二，我有期末考", "使用者有期末考", "下週二"),
        ("明天要跟阿哲去看展", "使用者要跟阿哲去看展", "明天"),
        ("12/24 要參加公司尾牙", "使用者要參加公司尾牙", "12/24"),
        ("我打算辭職", "使用者打算辭職", None),
    ],
)
def test_a_plan_is_an_event_without_its_date_in_the_sentence(said: str, text: str, when: str | None) -> None:
    fact = ask(said).facts[0]
    assert (fact.text, fact.when_text, fact.kind) == (text, when, Kind.EVENT)


def test_a_date_that_is_not_sure_stays_in_the_sentence() -> None:
    assert texts("過幾天要面試") == ["使用者過幾天要面試"]


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("考試延到下週五", Change.MOVED),
        ("面試改成三點", Change.MOVED),
        ("婚禮提前到五月", Change.MOVED),
        ("聚餐改期了", Change.MOVED),
        ("演唱會取消了", Change.CANCELLED),
        ("我不考研究所了", Change.CANCELLED),
        ("露營泡湯了", Change.CANCELLED),
        ("考完了", Change.DONE),
        ("面試終於結束了", Change.DONE),
        ("昨天去看了牙醫", Change.DONE),
        ("手術很順利", Change.DONE),
        ("明天就考完了", Change.NEW),
        ("我下週要考試", Change.NEW),
    ],
)
def test_a_change_of_an_event_is_told(said: str, change: Change) -> None:
    fact = ask(said).facts[0]
    assert (fact.category, fact.change) == (Category.SCHEDULE, change)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("期末考考完了，考得不錯", "考得不錯"),
        ("面試沒上", "沒上"),
        ("報告爆了", "爆了"),
        ("考試考完了", None),
    ],
)
def test_the_outcome_is_in_the_persons_words(said: str, outcome: str | None) -> None:
    assert ask(said).facts[0].outcome == outcome


@pytest.mark.parametrize("said", ["還沒考完", "考試取消了嗎？", "如果考試取消就好了", "等考完再說"])
def test_what_has_not_happened_changes_nothing(said: str) -> None:
    assert all(fact.change is Change.NEW for fact in ask(said).facts)


@pytest.mark.parametrize(
    "said", ["我阿公過世了", "我跟男友分手了", "我媽要開刀", "我被裁員了", "我流產了", "我在班上被霸凌"]
)
def test_what_hurts_is_sensitive(said: str) -> None:
    assert any(fact.sensitive for fact in ask(said).facts)


def test_a_happy_plan_is_not_sensitive() -> None:
    assert not ask("我下週要去看演唱會").facts[0].sensitive


@pytest.mark.parametrize(
    "said",
    [
        "我沒有養貓",
        "我不養貓了",
        "我沒有女朋友",
        "我沒有對花生過敏",
        "我不喜歡貓",
        "我沒有住台北",
        "我不會開車",
    ],
)
def test_a_denial_never_becomes_what_it_denies(said: str) -> None:
    for text in texts(said):
        assert "不" in text or "沒" in text


def test_what_was_so_before_is_not_said_to_be_so_now() -> None:
    assert all("以前" in text for text in texts("我以前很喜歡吃辣"))


def test_somebody_named_by_a_pronoun_is_the_one_just_spoken_of() -> None:
    facts = ask("我男友叫阿凱，他是廚師").facts
    assert [fact.subject for fact in facts] == ["男友", "男友"]
    assert ask("他是廚師").facts == ()


def test_calling_her_by_name_opens_a_fact_and_is_no_subject() -> None:
    assert texts("莉莉我下週要考試") == ["使用者要考試"]
    assert texts("莉莉是我的朋友") == []


def test_several_facts_in_one_message_are_all_heard() -> None:
    assert texts("我叫阿明，今年30歲，住台南，在銀行上班，對蝦過敏，下週五要面試") == [
        "使用者叫阿明",
        "使用者30歲",
        "使用者住台南",
        "使用者在銀行上班",
        "使用者對蝦過敏",
        "使用者要面試",
    ]


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("我討厭吃香菜", "我讨厌吃香菜"),
        ("我對花生過敏", "我对花生过敏"),
        ("考試延後到下週", "考试延后到下周"),
        ("我是程序員", "我是程序员"),
    ],
)
def test_both_scripts_are_understood_and_kept_as_typed(traditional: str, simplified: str) -> None:
    one, other = ask(traditional).facts[0], ask(simplified, language="zh-CN").facts[0]
    assert (one.category, one.attribute, one.change) == (other.category, other.attribute, other.change)
    assert other.quote == simplified
    assert other.language == "zh-CN"
