"""Observing messages: what is stored, replaced, skipped, and what waits."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from llm.errors import ModelDown, ModelMalformed, ModelRateLimited, ModelTimeout
from memory.extraction.types import Change, ZeroCause
from memory.model import ArchivedReason, Category, Flag
from memory.places import Place
from memory.relations.types import Relation
from tests.support.models import ScriptedJudge
from tests.support.world import fact, open_world

pytestmark = pytest.mark.usefixtures("store")

CORIANDER = "使用者討厭吃香菜"


async def test_a_fact_is_stored_with_its_source_place_and_times(world):
    told = await world.tell(CORIANDER, Category.PREFERENCE)
    assert (told.user_id, told.persona_id, told.places) == ("u1", "lily", ("dm",))
    assert told.created_at == told.updated_at == world.clock.now()
    assert told.source == "test:1"


async def test_a_message_without_a_fact_has_a_cause(world):
    observation = await world.say("嗯嗯")
    assert (observation.written, observation.cause) == ((), ZeroCause.NOTHING_TO_KEEP)


async def test_the_same_message_twice_changes_nothing(world):
    await world.say("我討厭香菜", fact(CORIANDER, Category.PREFERENCE), message_id="discord:1")
    again = await world.say("我討厭香菜", fact(CORIANDER, Category.PREFERENCE), message_id="discord:1")
    assert again.written == ()
    assert await world.live_texts() == [CORIANDER]


async def test_twenty_equal_messages_at_once_are_one(world):
    world.extractor.facts["我討厭香菜"] = (fact(CORIANDER, Category.PREFERENCE),)
    message = world.message("我討厭香菜", message_id="discord:1")

    async def arrive():
        await world.service.inbox.admit(message)
        return await world.service.observer.observe_person("u1", "lily")

    await asyncio.gather(*(arrive() for _ in range(20)))
    assert [m.text for m in await world.all()] == [CORIANDER]


async def test_twenty_people_saying_the_same_at_once_get_a_row_each(world):
    world.extractor.facts["我討厭香菜"] = (fact(CORIANDER, Category.PREFERENCE),)
    await asyncio.gather(*(world.say("我討厭香菜", user=f"u{i}") for i in range(20)))
    assert [len(await world.all(f"u{i}")) for i in range(20)] == [1] * 20


async def test_saying_it_again_confirms_it_and_adds_the_place(world):
    told = await world.tell(CORIANDER, Category.PREFERENCE)
    world.later(days=3)
    again = await world.say("真的討厭香菜", fact(CORIANDER, Category.PREFERENCE), place=Place("1", "2"))
    assert again.written == ()
    assert [skip.same_as for skip in again.skipped] == [told.id]
    (memory,) = await world.all()
    assert memory.places == ("dm", "guild:1/channel:2")
    assert (memory.created_at, memory.updated_at) == (told.created_at, world.clock.now())


async def test_a_contradiction_archives_the_old_and_links_the_new(tmp_path):
    old, new = "使用者喜歡喝咖啡", "使用者把咖啡戒了"
    judge = ScriptedJudge({(old, new): Relation.CONTRADICT})
    async with open_world(tmp_path, judge=judge) as world:
        first = await world.tell(old, Category.PREFERENCE)
        observation = await world.say("我戒咖啡了", fact(new, Category.PREFERENCE))
        assert [(m.id, m.archived_reason) for m in observation.archived] == [
            (first.id, ArchivedReason.CONTRADICTED)
        ]
        assert observation.written[0].supersedes_id == first.id


async def test_a_new_name_replaces_the_old_one_whatever_the_judge_says(world):
    old = await world.tell("使用者叫小明", Category.NAME)
    observation = await world.say("我改名小華了", fact("使用者叫小華", Category.NAME))
    assert [m.id for m in observation.archived] == [old.id]
    assert await world.live_texts() == ["使用者叫小華"]


async def test_somebody_elses_name_does_not_touch_the_persons(world):
    await world.tell("使用者叫小明", Category.NAME)
    await world.say("我媽叫小華", fact("使用者的媽媽叫小華", Category.IDENTITY, subject="媽媽"))
    assert await world.live_texts() == ["使用者叫小明", "使用者的媽媽叫小華"]


async def test_facts_of_one_message_are_compared_with_each_other(world):
    observation = await world.say(
        "我討厭香菜，真的很討厭香菜",
        fact(CORIANDER, Category.PREFERENCE),
        fact(CORIANDER, Category.PREFERENCE),
    )
    assert [m.text for m in observation.written] == [CORIANDER]
    assert len(observation.skipped) == 1


async def test_a_done_event_keeps_its_row_and_learns_its_outcome(world):
    exam = await world.tell("使用者下週二有期末考", Category.SCHEDULE)
    world.later(days=3)
    observation = await world.say(
        "今天期末考終於考完了，考得不錯",
        fact("使用者的期末考考完了", Category.SCHEDULE, change=Change.DONE, outcome="考得不錯"),
    )
    (memory,) = await world.all()
    assert (memory.id, memory.outcome) == (exam.id, "考得不錯")
    assert [m.id for m in observation.written] == [exam.id]


async def test_a_moved_event_replaces_the_old_one_and_keeps_the_chain(world):
    exam = await world.tell("使用者下週二有期末考", Category.SCHEDULE)
    observation = await world.say(
        "期末考延到下週五",
        fact("使用者的期末考延到下週五", Category.SCHEDULE, change=Change.MOVED, when_text="下週五"),
    )
    assert [m.id for m in observation.archived] == [exam.id]
    (moved,) = observation.written
    assert moved.supersedes_id == exam.id
    assert moved.valid_from is not None


async def test_a_cancelled_event_is_archived_and_marked(world):
    exam = await world.tell("使用者下週二有面試", Category.SCHEDULE)
    observation = await world.say(
        "面試取消了", fact("使用者的面試取消了", Category.SCHEDULE, change=Change.CANCELLED)
    )
    assert [m.id for m in observation.archived] == [exam.id]
    assert Flag.CANCELLED in observation.written[0].flags


async def test_an_edit_takes_back_what_only_the_earlier_wording_said(world):
    await world.say("我養貓", fact("使用者養貓", Category.IDENTITY), message_id="discord:9")
    observation = await world.say(
        "我養狗", fact("使用者養狗", Category.IDENTITY), message_id="discord:9", revision=1
    )
    assert [m.text for m in observation.archived] == ["使用者養貓"]
    assert await world.live_texts() == ["使用者養狗"]


@pytest.mark.parametrize("error", [ModelTimeout("t"), ModelRateLimited("r"), ModelDown("d")])
async def test_a_judge_that_cannot_be_reached_lets_the_message_wait(tmp_path, error):
    async with open_world(tmp_path) as world:
        await world.tell("使用者喜歡喝咖啡", Category.PREFERENCE)
        world.judge.error = error
        waiting = await world.say("我喜歡喝咖啡加糖", fact("使用者喜歡喝咖啡加糖", Category.PREFERENCE))
        assert waiting.waiting == type(error).__name__
        assert await world.live_texts() == ["使用者喜歡喝咖啡"]
        world.judge.error = None
        await world.service.observer.observe_person("u1", "lily")
        assert len(await world.live_texts()) == 2


async def test_what_was_said_later_waits_behind_it_and_order_is_kept(world):
    world.extractor.error = ModelDown("d")
    await world.say("我叫小明", message_id="a")
    await world.say("我改叫小華", message_id="b")
    assert [e.message.id for e in await world.service.inbox.unobserved()] == ["a", "b"]
    world.extractor.error = None
    world.extractor.facts = {
        "我叫小明": (fact("使用者叫小明", Category.NAME),),
        "我改叫小華": (fact("使用者叫小華", Category.NAME),),
    }
    await world.service.observer.observe_person("u1", "lily")
    assert await world.live_texts() == ["使用者叫小華"]


async def test_after_a_day_the_rules_decide_instead_of_the_judge(world):
    await world.tell("使用者喜歡喝咖啡", Category.PREFERENCE)
    world.judge.error = ModelDown("d")
    await world.say("我喜歡喝咖啡加糖", fact("使用者喜歡喝咖啡加糖", Category.PREFERENCE))
    world.clock.advance(timedelta(hours=24))
    await world.service.observer.observe_person("u1", "lily")
    assert len(await world.live_texts()) == 2


async def test_an_extraction_is_kept_so_that_a_second_try_asks_nobody(world):
    await world.tell("使用者喜歡喝咖啡", Category.PREFERENCE)
    world.judge.error = ModelDown("d")
    await world.say("我喜歡喝咖啡加糖", fact("使用者喜歡喝咖啡加糖", Category.PREFERENCE))
    asked = len(world.extractor.calls)
    world.judge.error = None
    await world.service.observer.observe_person("u1", "lily")
    assert len(world.extractor.calls) == asked


async def test_an_answer_that_stays_malformed_is_read_by_rules_not_lost(world):
    world.extractor.error = ModelMalformed("twice")
    observation = await world.say("我叫小明")
    assert observation.waiting is None
    assert await world.service.inbox.unobserved() == ()


async def test_a_paused_person_is_not_observed(world):
    await world.service.people.change("u1", paused=True)
    said = world.message("我討厭香菜")
    assert await world.service.inbox.admit(said)
    assert await world.service.observer.observe_person("u1", "lily") == {}
    assert await world.all() == ()


async def test_what_was_said_before_a_pause_and_not_yet_observed_is_not_learned(world):
    world.extractor.facts["我討厭香菜"] = (fact(CORIANDER, Category.PREFERENCE),)
    said = world.message("我討厭香菜")
    await world.service.inbox.admit(said)
    await world.service.people.change("u1", paused=True)
    observed = await world.service.observer.observe_person("u1", "lily")
    assert observed[said.id].cause is ZeroCause.PAUSED
    assert await world.all() == ()


async def test_an_older_message_observed_late_does_not_overturn_what_was_said_since(world):
    late = world.message("我叫小明", message_id="late")
    world.later(hours=1)
    await world.tell("使用者叫小華", Category.NAME)
    world.extractor.facts["我叫小明"] = (fact("使用者叫小明", Category.NAME),)
    await world.service.inbox.admit(late)
    await world.service.observer.observe_person("u1", "lily")
    assert await world.live_texts() == ["使用者叫小華"]
    assert len(await world.all()) == 2


GUILD = Place("1", "2")


async def test_a_dm_detail_does_not_come_along_when_less_is_said_in_public(tmp_path):
    more, less = "使用者喜歡吃拉麵，尤其是豚骨口味", "使用者喜歡吃拉麵"
    judge = ScriptedJudge({(more, less): Relation.DUPLICATE})
    async with open_world(tmp_path, judge=judge) as world:
        await world.tell(more, Category.PREFERENCE)
        for _ in range(3):
            await world.say("我喜歡拉麵", fact(less, Category.PREFERENCE), place=GUILD)
        places = {m.text: m.places for m in await world.all()}
        assert places == {more: ("dm",), less: (str(GUILD),)}


async def test_how_a_public_event_went_stays_in_the_dm_where_it_was_told(world):
    public = await world.tell("使用者下週二有期末考", Category.SCHEDULE, place=GUILD)
    observation = await world.say(
        "期末考考完了，考爆了",
        fact("使用者的期末考考完了", Category.SCHEDULE, change=Change.DONE, outcome="考爆了"),
    )
    assert [m.id for m in observation.archived] == [public.id]
    (told,) = observation.written
    assert (told.places, told.outcome, told.supersedes_id) == (("dm",), "考爆了", public.id)


async def test_an_event_of_the_dm_told_to_be_over_in_public_keeps_its_words_to_the_dm(world):
    private = await world.tell("使用者下週二去看精神科", Category.SCHEDULE)
    await world.say(
        "看完醫生了",
        fact("使用者看完醫生了", Category.SCHEDULE, change=Change.DONE, outcome="看完了"),
        place=GUILD,
    )
    (memory,) = await world.all()
    assert (memory.id, memory.places, memory.outcome) == (private.id, ("dm",), "看完了")


async def test_a_public_event_moved_in_the_dm_is_not_moved_in_public(world):
    await world.tell("使用者下週二有面試", Category.SCHEDULE, place=GUILD)
    observation = await world.say(
        "面試延到下週五",
        fact("使用者的面試改期", Category.SCHEDULE, change=Change.MOVED, when_text="下週五"),
    )
    assert observation.written[0].places == ("dm",)
