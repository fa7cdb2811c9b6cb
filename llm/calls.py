"""One request to a provider: bounded in time, tried again within reason, counted, its errors translated."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from llm.errors import ModelAway, ModelDown, ModelError, ModelRateLimited, ModelTimeout
from llm.usage import Purpose, Tokens, Usage, UsageSink, report
from llm.watch import Watch

Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a provider. Times are in seconds.

    ``timeout`` bounds one request as a whole. A provider that is down or overrun is asked up to
    ``attempts`` times, after ``first_wait``, twice that, and so on, or after what it asks for
    itself; no single wait exceeds ``longest_wait``: what asks for more is given up at once, for the
    work waits elsewhere. The libraries' own retries are switched off: they sleep unseen, up to two
    minutes. A timeout is not tried again, it has already cost its full time.

    ``at_once``: requests under way side by side; the others wait their turn, which counts towards
    no timeout.
    """

    timeout: float = 60.0
    attempts: int = 2
    first_wait: float = 1.0
    longest_wait: float = 8.0
    at_once: int = 16

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError("attempts must be at least 1")
        if self.at_once < 1:
            raise ValueError("at_once must be at least 1")
        if self.timeout <= 0:
            raise ValueError("timeout must be above 0 seconds")

    def wait_before(self, attempt: int, error: ModelError) -> float | None:
        """Return the seconds to wait before ``attempt`` (2 is the first retry), None to give up."""
        if attempt > self.attempts or not isinstance(error, ModelDown | ModelRateLimited):
            return None
        if isinstance(error, ModelAway):  # that nobody was asked will be no different in a second
            return None
        asked = error.retry_after if isinstance(error, ModelRateLimited) else None
        if asked is not None:
            return asked if asked <= self.longest_wait else None
        wait: float = self.first_wait * 2 ** (attempt - 2)
        return min(wait, self.longest_wait)


class Caller:
    """Sends requests with one patience, one translation of errors and one counter, to one endpoint.

    ``translate`` turns whatever the library raises into a :class:`llm.errors.ModelError`. The
    original is not chained: its text may hold a key or what a person said. ``watch`` keeps how each
    model of ``endpoint`` stands; one that is down is not asked.
    """

    def __init__(
        self,
        patience: Patience,
        translate: Callable[[Exception], ModelError],
        *,
        endpoint: str = "",
        watch: Watch | None = None,
        sink: UsageSink | None = None,
        timer: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._patience = patience
        self._translate = translate
        self._endpoint = endpoint
        self._watch = watch or Watch()
        self._sink = sink
        self._timer = timer
        self._sleep = sleep
        self._turns = asyncio.Semaphore(patience.at_once)

    async def call(
        self,
        send: Callable[[], Awaitable[Response]],
        count: Callable[[Response], Tokens],
        *,
        model: str,
        purpose: Purpose,
        shape: str | None = None,
    ) -> Response:
        """Return what ``send`` returns. Raises ``ModelError`` and nothing else."""

        def tell(result: Response | ModelError, seconds: float) -> None:
            failed = isinstance(result, ModelError)
            tokens = Tokens() if isinstance(result, ModelError) else count(result)
            failure = type(result).__name__ if failed else None
            report(self._sink, Usage(model, purpose, seconds, tokens, shape=shape, failure=failure))

        attempt = 1
        while True:
            async with self._turns:
                result = await self._asked(send, model, tell)
            if not isinstance(result, ModelError):
                return result
            attempt += 1
            wait = self._patience.wait_before(attempt, result)
            if wait is None:
                raise result
            await self._sleep(wait)

    async def _asked(
        self,
        send: Callable[[], Awaitable[Response]],
        model: str,
        tell: Callable[[Response | ModelError, float], None],
    ) -> Response | ModelError:
        """Send a request and tell of it, unless the model is left alone: then nobody is asked."""
        breaker = self._watch.breaker(self._endpoint, model)
        started = self._timer()
        leave = breaker.ask(started)
        if isinstance(leave, ModelError):
            return leave
        try:
            result = await self._once(send)
        except BaseException:
            breaker.broken_off(leave)
            raise
        ended = self._timer()
        if isinstance(result, ModelError):
            breaker.failed(result, leave, ended)
        else:
            breaker.answered()
        self._watch.look(self._endpoint, model, ended)
        tell(result, ended - started)
        return result

    async def _once(self, send: Callable[[], Awaitable[Response]]) -> Response | ModelError:
        """Return the response, or the translated error: raised outside, it drags no context along."""
        try:
            async with asyncio.timeout(self._patience.timeout):
                return await send()
        except TimeoutError:
            return ModelTimeout(f"no answer within {self._patience.timeout:g} s")
        except Exception as error:
            return self._translate(error)
