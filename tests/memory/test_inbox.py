"""The inbox and the turns."""

from __future__ import annotations

import pytest

from llm.protocols import Speaker
from memory.inbox import ReplyState
from memory.places import Place

pytestmark = pytest.mark.usefixtures("store")


async def test_a_message_is_admitted_once(world):
    message = world.message("嗨", message_id="discord:1")
    assert await world.service.inbox.admit(message)
    assert not await world.service.inbox.admit(message)


async def test_a_message_survives_with_everything_it_came_with(world):
    message = world.message("嗨", place=Place("1", "2", private=True))
    await world.service.inbox.admit(message)
    assert (await world.entry(message.id)).message == message


async def test_a_reply_is_recorded_once_with_her_turn(world):
    message = world.message("嗨")
    await world.service.inbox.admit(message)
    await world.service.inbox.replied(message, ["哼。"])
    await world.service.inbox.replied(message, ["哼。"])
    turns = await world.service.inbox.recent_turns(message.conversation, 10)
    assert [(turn.speaker, turn.text) for turn in turns] == [
        (Speaker.PERSON, "嗨"),
        (Speaker.CHARACTER, "哼。"),
    ]
    assert (await world.entry(message.id)).state is ReplyState.REPLIED


async def test_an_unfinished_reply_is_found_again_with_its_words(world):
    message = world.message("嗨")
    await world.service.inbox.admit(message)
    await world.service.inbox.replying(message.id, ["哼。", "早安。"])
    (entry,) = await world.service.inbox.unanswered()
    assert (entry.state, entry.reply) == (ReplyState.REPLYING, ("哼。", "早安。"))


async def test_turns_of_two_places_stay_apart(world):
    dm, channel = world.message("在私訊"), world.message("在頻道", place=Place("1", "2"))
    for message in (dm, channel):
        await world.service.inbox.admit(message)
    turns = await world.service.inbox.recent_turns(dm.conversation, 10)
    assert [turn.text for turn in turns] == ["在私訊"]


async def test_two_people_in_one_channel_share_its_turns_under_their_names(world):
    place = Place("1", "2")
    for user in ("u1", "u2"):
        await world.service.inbox.admit(world.message(f"我是{user}", user=user, place=place))
    turns = await world.service.inbox.recent_turns("lily|guild:1/channel:2", 10)
    assert [turn.text for turn in turns] == ["我是u1", "我是u2"]


async def test_the_turns_for_a_reply_end_with_the_message_it_answers(world):
    inbox, place = world.service.inbox, Place("1", "2")
    first, second, third = (
        world.message(f"我是{user}", user=user, place=place) for user in ("u1", "u2", "u3")
    )
    for message in (first, second, third):
        await inbox.admit(message)
    await inbox.replied(first, ["哼。"])
    assert [turn.text for turn in (await inbox.lead_up(second, 10)).turns] == ["我是u1", "哼。", "我是u2"]
    assert [turn.text for turn in (await inbox.lead_up(second, 1)).turns] == ["我是u2"]


async def test_an_answer_is_read_by_her_last_turn_to_the_same_person(world):
    place = Place("1", "2")
    question = world.message("嗨", place=place)
    await world.service.inbox.admit(question)
    await world.service.inbox.replied(question, ["你叫什麼？"])
    other, answer = world.message("小華", user="u2", place=place), world.message("小明", place=place)
    await world.service.inbox.admit(answer)
    await world.service.inbox.admit(other)
    assert await world.service.inbox.her_turn_before(answer) == "你叫什麼？"
    assert await world.service.inbox.her_turn_before(other) is None


async def test_an_edit_takes_the_place_of_the_earlier_wording(world):
    await world.service.inbox.admit(world.message("我養貓", message_id="d:1"))
    assert await world.service.inbox.admit(world.message("我養狗", message_id="d:1", revision=1))
    entry = await world.entry("d:1")
    assert (entry.message.text, entry.observed) == ("我養狗", False)
    turns = await world.service.inbox.recent_turns(entry.message.conversation, 10)
    assert [turn.text for turn in turns] == ["我養狗"]


async def test_forgetting_the_turns_of_a_conversation_leaves_the_others(world):
    dm, channel = world.message("在私訊"), world.message("在頻道", place=Place("1", "2"))
    for message in (dm, channel):
        await world.service.inbox.admit(message)
    assert await world.service.inbox.forget_turns(dm.conversation) == 1
    assert await world.service.inbox.recent_turns(dm.conversation, 10) == ()
    assert len(await world.service.inbox.recent_turns(channel.conversation, 10)) == 1
