from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.discord.bursts import Bursts, Taken


class Handled:
    """Writes down what was handed over; waits where told to."""

    def __init__(self) -> None:
        self.bursts: list[tuple[str, ...]] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.begun = asyncio.Event()

    async def __call__(self, burst: Sequence[str]) -> None:
        self.begun.set()
        await self.go_on.wait()
        if "broken" in burst:
            raise ValueError("broken")
        self.bursts.append(tuple(burst))


async def test_messages_in_quick_succession_are_one_burst() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 5, cap=9)
    for text in ("欸", "我下週二", "有考試"):
        assert bursts.add("c", "ann", text) is Taken.QUEUED
    await bursts.close()
    assert handled.bursts == [("欸", "我下週二", "有考試")]


async def test_a_burst_ends_by_itself_when_its_person_is_quiet() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 0.001, cap=9)
    bursts.add("c", "ann", "在嗎")
    await handled.begun.wait()
    assert handled.bursts == [("在嗎",)]


async def test_two_people_in_a_channel_stay_apart_and_take_turns() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 5, cap=9)
    for person, text in (("ann", "a1"), ("ben", "b1"), ("ann", "a2")):
        bursts.add("c", person, text)
    await bursts.close()
    assert handled.bursts == [("a1", "a2"), ("b1",)]


async def test_one_conversation_at_a_time_while_others_go_on() -> None:
    handled = Handled()
    handled.go_on.clear()
    bursts = Bursts(handled, quiet=lambda _: 0, cap=9)
    bursts.add("one", "ann", "a1")
    await handled.begun.wait()
    bursts.add("one", "ann", "a2")
    bursts.add("one", "ann", "a3")
    handled.go_on.set()
    await bursts.close()
    assert handled.bursts == [("a1",), ("a2", "a3")]


async def test_a_full_queue_says_so_once_until_it_is_empty_again() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 5, cap=2)
    taken = [bursts.add("c", "ann", str(number)) for number in range(4)]
    assert taken == [Taken.QUEUED, Taken.QUEUED, Taken.FIRST_DROPPED, Taken.DROPPED]
    assert bursts.add("other", "ann", "x") is Taken.QUEUED
    await bursts.close()
    assert bursts.waiting == 0
    taken = [bursts.add("c", "ann", str(number)) for number in range(3)]
    assert taken[-1] is Taken.FIRST_DROPPED
    await bursts.close()


async def test_a_waiting_message_can_change_or_leave() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 5, cap=9)
    for text in ("週二", "好"):
        bursts.add("c", "ann", text)
    assert bursts.change(lambda item: item == "週二", lambda _: "週三")
    assert bursts.change(lambda item: item == "好", lambda _: None)
    assert not bursts.change(lambda item: item == "好", lambda _: None)
    await bursts.close()
    assert handled.bursts == [("週三",)]


async def test_a_burst_that_was_taken_back_whole_is_not_handed_over() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 5, cap=9)
    bursts.add("c", "ann", "啊")
    bursts.change(lambda _: True, lambda _: None)
    await bursts.close()
    assert handled.bursts == []


async def test_a_burst_that_fails_holds_nobody_up() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 5, cap=9)
    bursts.add("c", "ann", "broken")
    bursts.add("c", "ben", "還好嗎")
    await bursts.close()
    assert handled.bursts == [("還好嗎",)]


async def test_who_types_is_waited_for_and_the_others_are_not() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 0.01, typing=60, cap=9)
    bursts.add("one", "ann", "a1")
    bursts.add("two", "ben", "b1")
    bursts.types("ann", lambda item: item == "a1")
    bursts.types("ben", lambda item: item == "a1")
    await handled.begun.wait()
    assert handled.bursts == [("b1",)]
    await bursts.close()
    assert handled.bursts == [("b1",), ("a1",)]


async def test_a_message_ends_the_wait_for_typing() -> None:
    handled = Handled()
    bursts = Bursts(handled, quiet=lambda _: 0.01, typing=60, cap=9)
    bursts.add("one", "ann", "a1")
    bursts.types("ann", lambda _: True)
    bursts.add("one", "ann", "a2")
    await handled.begun.wait()
    assert handled.bursts == [("a1", "a2")]


async def test_dropping_a_person_takes_what_waits_and_breaks_off_what_is_handled() -> None:
    handled = Handled()
    handled.go_on.clear()
    bursts = Bursts(handled, quiet=lambda _: 0, cap=9)
    bursts.add("one", "ann", "a1")
    await handled.begun.wait()
    bursts.add("one", "ann", "a2")
    bursts.add("one", "ben", "b1")
    bursts.add("two", "ann", "a3")
    assert sorted(await bursts.drop("ann")) == ["a2", "a3"]
    handled.go_on.set()
    await bursts.close()
    assert handled.bursts == [("b1",)]


async def test_closing_in_mid_answer_is_not_taken_for_breaking_it_off() -> None:
    handled = Handled()
    handled.go_on.clear()
    bursts = Bursts(handled, quiet=lambda _: 0, cap=9)
    bursts.add("one", "ann", "a1")
    await handled.begun.wait()
    closing = asyncio.create_task(bursts.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    assert closing.cancelled()
