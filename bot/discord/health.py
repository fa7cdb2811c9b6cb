"""``/healthz`` and ``/metrics`` on a local port: numbers about her, never about what people said."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from bot.discord.meter import Meter
from bot.discord.parts import Parts
from bot.errors import UserError
from bot.house import House
from bot.settings.sections import OpsSettings
from llm.watch import Condition, Watch
from memory.store.errors import StoreError

_PLAIN = "text/plain; version=0.0.4"

Numbers = Callable[[], Awaitable[Mapping[str, float]]]


@asynccontextmanager
async def serving_health(
    ops: OpsSettings, online: Callable[[], bool], watch: Watch, numbers: Numbers
) -> AsyncIterator[None]:
    """Serve both pages while inside, where ``ops.health_port`` is set; ``UserError`` where it is taken.

    ``/healthz`` is 200 while ``online``: a model that is away is told there, but no start mends it.
    """
    if ops.health_port is None:
        yield
        return

    async def healthz(_request: web.Request) -> web.Response:
        found = online()
        return web.json_response({"online": found, "models": standings(watch)}, status=200 if found else 503)

    async def metrics(_request: web.Request) -> web.Response:
        return await metrics_page(numbers)

    app = web.Application()
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/metrics", metrics)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, ops.health_host, ops.health_port).start()
        except OSError as error:
            raise UserError.of(
                "run.health_port", host=ops.health_host, port=ops.health_port, cause=error.strerror
            ) from None
        yield
    finally:
        await runner.cleanup()


def telling_of_models(note: Callable[[str, dict[str, object]], None]) -> Callable[[Condition], None]:
    """Return what tells the host, by a key below ``discord.run``, that a model stands otherwise."""
    return lambda one: note(f"model_{one.standing}", {"name": one.name, "cause": one.cause})


def standings(watch: Watch) -> dict[str, dict[str, str]]:
    """Return how each model that was asked so far stands, by its name."""
    return {one.name: {"standing": one.standing.value, "cause": one.cause} for one in watch.conditions()}


async def metrics_page(numbers: Numbers) -> web.Response:
    """Answer with the numbers; 503 while the store can't be asked for them."""
    try:
        text = rendered(await numbers())
    except StoreError:
        return web.Response(status=503)
    return web.Response(body=text.encode(), headers={"Content-Type": _PLAIN})


async def measured(parts: Parts) -> dict[str, float]:
    """Return what is measured, by its name in the metrics; NaN is what nobody knows.

    ``cost_dollars_total`` holds what is known; ``unpriced_calls_total`` counts the calls that are not in it.
    """
    latency = parts.client.latency
    today = await parts.budget.today(parts.house.clock.now())
    cost = today.spending.cost
    each = 1 / today.messages if today.messages else 0.0
    return {
        "lily_online": float(parts.client.is_ready()),
        "lily_servers": float(len(parts.client.guilds)),
        "lily_gateway_latency_seconds": latency if math.isfinite(latency) else 0.0,
        "lily_messages_waiting": float(parts.talk.waiting),
        **await measured_of_house(parts.house, parts.meter),
        "lily_messages_answered_today": float(today.messages),
        "lily_model_calls_per_message_today": today.spending.calls * each,
        "lily_cost_dollars_per_message_today": math.nan if cost is None else cost * each,
    }


async def measured_of_house(house: House, meter: Meter) -> dict[str, float]:
    """Return what is measured in every process, whether or not it hears anybody."""
    return {
        "lily_messages_unobserved": float(await house.memory.inbox.waiting()),
        "lily_index_lag": float(await house.memory.outbox.lag()),
        "lily_models_in_trouble": float(len(house.watch.troubled())),
        "lily_model_calls_total": float(meter.total.calls),
        "lily_model_tokens_total": float(meter.total.tokens),
        "lily_model_input_tokens_total": float(meter.total.input_tokens),
        "lily_model_output_tokens_total": float(meter.total.output_tokens),
        "lily_model_cost_dollars_total": meter.total.known_cost,
        "lily_model_unpriced_calls_total": float(meter.total.unpriced),
    }


def rendered(values: Mapping[str, float]) -> str:
    """Return the numbers as Prometheus reads them."""
    lines: list[str] = []
    for name, value in values.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        shown = "NaN" if math.isnan(value) else f"{value:.12g}"
        lines += [f"# TYPE {name} {kind}", f"{name} {shown}"]
    return "\n".join(lines) + "\n"
