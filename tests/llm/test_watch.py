"""Who is told how a model stands, and how requests go while one is left alone."""

from __future__ import annotations

import asyncio
import logging

import pytest

from llm.breaker import Leave, Rest, Standing
from llm.calls import Caller, Patience
from llm.errors import ModelAway, ModelDown, ModelError, ModelMisconfigured, ModelRateLimited
from llm.usage import Purpose, Tokens, Usage
from llm.watch import Condition, Watch

REST = Rest(failures=2, first=5.0)


class Endpoint:
    """An endpoint that fails as it is told to; the time is what the test says."""

    def __init__(self, attempts: int = 1) -> None:
        self.now = 0.0
        self.error: ModelError | None = None
        self.asked = 0
        self.waits: list[float] = []
        self.changes: list[Condition] = []
        self.counted: list[Usage] = []
        self.watch = Watch(REST)
        self.watch.on_change = self.changes.append
        self.caller = Caller(
            Patience(attempts=attempts, at_once=2),
            lambda error: error if isinstance(error, ModelError) else ModelDown("x"),
            endpoint="openai",
            watch=self.watch,
            sink=self.counted.append,
            timer=lambda: self.now,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    async def _send(self) -> str:
        self.asked += 1
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return "answer"

    async def say(self, model: str = "m") -> str:
        try:
            return await self.caller.call(self._send, lambda _: Tokens(), model=model, purpose=Purpose.REPLY)
        except ModelError as error:
            return type(error).__name__


async def test_while_a_model_is_left_alone_nobody_waits_and_nothing_is_counted() -> None:
    endpoint = Endpoint(attempts=3)
    endpoint.error = ModelDown("503")
    assert await endpoint.say() == "ModelAway"  # the second attempt opened it, the third was not made
    waited, endpoint.waits = endpoint.waits, []
    assert waited == [1.0, 2.0]
    assert [await endpoint.say() for _ in range(5)] == ["ModelAway"] * 5
    assert (endpoint.asked, endpoint.waits, len(endpoint.counted)) == (2, [], 2)


async def test_what_waits_its_turn_is_let_go_as_soon_as_it_opens() -> None:
    endpoint = Endpoint()
    endpoint.error = ModelDown("503")
    said = await asyncio.gather(*(endpoint.say() for _ in range(50)))
    assert sorted(said) == ["ModelAway"] * 48 + ["ModelDown"] * 2
    assert endpoint.asked == 2


async def test_once_it_answers_again_all_are_answered_and_both_are_told_once() -> None:
    endpoint = Endpoint()
    endpoint.error = ModelDown("503")
    for _ in range(4):
        await endpoint.say()
    endpoint.now = 6.0
    assert await endpoint.say() == "ModelDown"  # the probe
    endpoint.error = None
    endpoint.now = 30.0
    assert await endpoint.say() == await endpoint.say() == "answer"
    assert endpoint.changes == [
        Condition("openai m", Standing.AWAY, "503"),
        Condition("openai m", Standing.FINE),
    ]


async def test_one_model_of_an_endpoint_that_is_overrun_stops_no_other() -> None:
    endpoint = Endpoint()
    endpoint.error = ModelDown("503")
    for _ in range(3):
        await endpoint.say("large")
    endpoint.error = None
    assert await endpoint.say("small") == "answer"
    assert [one.name for one in endpoint.watch.troubled()] == ["openai large"]


async def test_a_quota_of_seconds_is_waited_out_by_all_and_is_no_news() -> None:
    endpoint = Endpoint(attempts=3)
    endpoint.watch.breaker("openai", "m").failed(ModelRateLimited("429", 5.0), Leave(), 0.0)
    assert await endpoint.say() == "answer"
    assert (endpoint.asked, endpoint.waits, endpoint.changes) == (1, [5.0], [])


async def test_a_quota_of_an_hour_is_told_and_nobody_is_asked_meanwhile() -> None:
    endpoint = Endpoint(attempts=3)
    endpoint.error = ModelRateLimited("429", 3600.0)
    assert [await endpoint.say() for _ in range(3)] == ["ModelRateLimited"] * 3
    assert (endpoint.asked, endpoint.waits) == (1, [])
    assert endpoint.changes == [Condition("openai m", Standing.QUOTA, "429")]


async def test_a_key_that_is_refused_is_told_once_and_asked_with_each_time() -> None:
    endpoint = Endpoint(attempts=3)
    endpoint.error = ModelMisconfigured("401: check OPENAI_API_KEY")
    assert [await endpoint.say() for _ in range(3)] == ["ModelMisconfigured"] * 3
    assert endpoint.asked == 3
    assert endpoint.changes == [Condition("openai m", Standing.REFUSED, "401: check OPENAI_API_KEY")]


async def test_the_log_says_when_it_is_left_alone_and_when_it_answers_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    endpoint = Endpoint()
    endpoint.error = ModelDown("503")
    with caplog.at_level(logging.WARNING):
        await endpoint.say()
        await endpoint.say()
        endpoint.error, endpoint.now = None, 6.0
        await endpoint.say()
    assert [record.message for record in caplog.records] == [
        "openai m is away (503); asked again in 5 s",
        "openai m answers again",
    ]


def test_an_error_for_one_left_alone_is_its_endpoints_own() -> None:
    assert isinstance(ModelAway("x"), ModelDown)
