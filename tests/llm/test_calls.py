from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from llm.calls import Caller, Patience
from llm.errors import ModelDown, ModelError, ModelRateLimited, ModelRefused, ModelTimeout
from llm.usage import Purpose, Tokens, Usage


class Provider:
    """Fails as told, one failure a request, then answers."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.requests = 0

    async def __call__(self) -> str:
        self.requests += 1
        if self.failures:
            raise self.failures.pop(0)
        return "answer"


class Bench:
    """A caller whose waits are written down, not waited for."""

    def __init__(self, patience: Patience) -> None:
        self.waits: list[float] = []
        self.now = 0.0
        self.counted: list[Usage] = []
        self.caller = Caller(
            patience, self._translate, sink=self.counted.append, timer=lambda: self.now, sleep=self._sleep
        )

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    @staticmethod
    def _translate(error: Exception) -> ModelError:
        return error if isinstance(error, ModelError) else ModelRefused(type(error).__name__)

    async def call(self, provider: Provider) -> str:
        return await self.caller.call(
            provider, lambda answer: Tokens(output=len(answer)), model="m", purpose=Purpose.REPLY
        )


def failures(counted: Sequence[Usage]) -> list[str | None]:
    return [usage.failure for usage in counted]


async def test_an_answer_at_once_is_neither_waited_for_nor_repeated() -> None:
    bench, provider = Bench(Patience()), Provider()
    assert await bench.call(provider) == "answer"
    assert bench.waits == []
    assert bench.counted == [Usage("m", Purpose.REPLY, 0.0, Tokens(output=6))]


async def test_a_provider_that_is_down_is_asked_again_after_growing_waits() -> None:
    bench, provider = Bench(Patience(attempts=4, longest_wait=3.0)), Provider(*[ModelDown("x")] * 3)
    assert await bench.call(provider) == "answer"
    assert bench.waits == [1.0, 2.0, 3.0]
    assert failures(bench.counted) == ["ModelDown", "ModelDown", "ModelDown", None]


async def test_the_attempts_come_to_an_end() -> None:
    bench, provider = Bench(Patience(attempts=3)), Provider(*[ModelDown("x")] * 9)
    with pytest.raises(ModelDown):
        await bench.call(provider)
    assert provider.requests == 3
    assert len(bench.waits) == 2


async def test_a_rate_limit_is_waited_out_as_long_as_the_provider_asks() -> None:
    bench, provider = Bench(Patience()), Provider(ModelRateLimited("x", 5.5))
    assert await bench.call(provider) == "answer"
    assert bench.waits == [5.5]


async def test_a_rate_limit_longer_than_our_patience_is_given_up_at_once() -> None:
    bench, provider = Bench(Patience(longest_wait=8.0)), Provider(ModelRateLimited("x", 30.0))
    with pytest.raises(ModelRateLimited) as caught:
        await bench.call(provider)
    assert caught.value.retry_after == 30.0
    assert bench.waits == []


@pytest.mark.parametrize("failure", [ModelTimeout("x"), ModelRefused("x")])
async def test_what_asking_again_would_not_mend_is_not_asked_again(failure: ModelError) -> None:
    bench, provider = Bench(Patience(attempts=5)), Provider(failure)
    with pytest.raises(type(failure)):
        await bench.call(provider)
    assert provider.requests == 1


async def test_a_foreign_error_is_translated_and_not_dragged_along() -> None:
    bench = Bench(Patience())
    with pytest.raises(ModelRefused, match="KeyError") as caught:
        await bench.call(Provider(KeyError("what she was told")))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


async def test_a_request_is_bounded_as_a_whole() -> None:
    async def never() -> str:
        await asyncio.Event().wait()
        return ""

    bench = Bench(Patience(timeout=0.01))
    with pytest.raises(ModelTimeout):
        await bench.caller.call(never, lambda _: Tokens(), model="m", purpose=Purpose.REPLY)
    assert failures(bench.counted) == ["ModelTimeout"]


async def test_so_many_requests_go_side_by_side_and_the_others_wait_their_turn() -> None:
    bench = Bench(Patience(at_once=3))
    under_way = most = 0

    class Slow(Provider):
        async def __call__(self) -> str:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1
            return await super().__call__()

    slow = Slow()
    assert await asyncio.gather(*(bench.call(slow) for _ in range(20))) == ["answer"] * 20
    assert most == 3


async def test_a_cancelled_request_stays_cancelled() -> None:
    started = asyncio.Event()

    async def never() -> str:
        started.set()
        await asyncio.Event().wait()
        return ""

    caller = Bench(Patience()).caller
    task = asyncio.create_task(caller.call(never, lambda _: Tokens(), model="m", purpose=Purpose.REPLY))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_counter_that_fails_costs_nobody_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: Usage) -> None:
        raise RuntimeError("what she was told")

    caller = Caller(Patience(), Bench._translate, sink=broken)
    assert await caller.call(Provider(), lambda _: Tokens(), model="m", purpose=Purpose.REPLY) == "answer"
    assert "RuntimeError" in caplog.text
    assert "what she was told" not in caplog.text


@pytest.mark.parametrize("wrong", [{"at_once": 0}, {"attempts": 0}, {"timeout": 0.0}])
def test_an_impossible_patience_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Patience(**wrong)  # type: ignore[arg-type]
